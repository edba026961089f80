#include <QLabel>
#include <QSlider>
#include <QtTest>

#include "ui/lesson_card.h"

using namespace headscope;

class TestLessonCard : public QObject {
    Q_OBJECT
private slots:
    void isThereForItsLessonsOnly() {
        QWidget window;
        LessonCard card(&window);
        window.show();
        QVERIFY(card.isHidden());
        card.showPanel(LessonPanel::FusedQkv);
        QVERIFY(!card.isHidden());
        card.showPanel(LessonPanel::None);
        QVERIFY(card.isHidden());
    }

    void threeProjectionsAgainstOneAreMeasuredAnew() {
        LessonCard card;
        card.setExperiment({});
        card.showPanel(LessonPanel::FusedQkv);
        const QStringList first = differences(card);
        for (const QString& difference : first) {
            bool number = false;
            QVERIFY(difference.toDouble(&number) < 1e-4);
            QVERIFY(number);
        }
        Experiment wide;
        wide.model.d_model = 256;
        wide.token_std = 1;
        wide.seed = 5;
        card.setExperiment(wide);
        QVERIFY(differences(card) != first);
    }

    void paddingIsMovedFromNoneToAll() {
        LessonCard card;
        card.setExperiment({});
        card.showPanel(LessonPanel::MaskedRows);
        auto* slider = card.findChild<QSlider*>("paddingSlider");
        auto* facts = card.findChild<QLabel*>("maskedRowsFacts");
        QCOMPARE(slider->value(), 4);
        QCOMPARE(slider->maximum(), 12);
        for (const int padding : {0, 5, 12}) {
            slider->setValue(padding);
            QVERIFY2(facts->text().startsWith(QString::number(padding) + ' '), qPrintable(facts->text()));
            QVERIFY(facts->text().contains("up to 0."));
            QVERIFY(facts->text().endsWith("All outputs and gradients are finite."));
        }
    }

    // Every pixel of a row that sees nothing is as in a picture where nothing is seen at all.
    void rowsThatSeeNothingAreNotThere() {
        LessonCard card;
        card.setExperiment({});
        card.showPanel(LessonPanel::MaskedRows);
        card.resize(340, 420);
        auto* slider = card.findChild<QSlider*>("paddingSlider");
        auto* map = card.findChild<QWidget*>("maskedHeatmap");
        const auto picture = [&](int padding) {
            slider->setValue(padding);
            return map->grab().toImage();
        };
        const QImage nothing = picture(12), some = picture(6), all = picture(0);
        const QRect above(0, 0, some.width(), some.height() / 2 - 1);
        QVERIFY(some.copy(above) == nothing.copy(above));
        QVERIFY(all.copy(above) != nothing.copy(above));
        QVERIFY(some != nothing);
    }

private:
    static QStringList differences(const LessonCard& card) {
        QStringList texts;
        for (int row = 0; row < 4; ++row)
            texts += card.findChild<QLabel*>(QStringLiteral("fusedDifference%1").arg(row))->text();
        return texts;
    }
};

QTEST_MAIN(TestLessonCard)
#include "test_lesson_card.moc"
