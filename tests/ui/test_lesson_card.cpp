#include <QAction>
#include <QLabel>
#include <QLayout>
#include <QSignalSpy>
#include <QSlider>
#include <QtTest>

#include "ui/lesson_card.h"
#include "ui/main_window.h"

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

    void theWindowShowsItWithItsLesson() {
        Lesson plain, masked;
        plain.id = "plain";
        masked.id = "masked";
        masked.experiment.model.context_length = 9;
        masked.panel = LessonPanel::MaskedRows;
        MainWindow window;
        const auto* card = window.findChild<LessonCard*>("lessonCard");
        window.setLessons({plain, masked});
        QVERIFY(card->isHidden());
        QVERIFY(window.chooseLesson("masked"));
        QVERIFY(!card->isHidden());
        QCOMPARE(card->findChild<QSlider*>("paddingSlider")->maximum(), 9);
        const auto* controls = card->parentWidget()->layout();
        auto* lookFor = window.findChild<QWidget*>("lookForCard");
        QCOMPARE(controls->indexOf(lookFor), 1);
        Update update;
        update.run = 1;
        update.experiment = masked.experiment;
        update.experiment.model.context_length = 6;
        window.showUpdate(update);
        QCOMPARE(card->findChild<QSlider*>("paddingSlider")->maximum(), 6);
        QVERIFY(window.chooseLesson("plain"));
        QVERIFY(card->isHidden());
        QCOMPARE(controls->indexOf(lookFor), 3);
    }

    void theWindowOpensTheProbeThatALessonIsAbout() {
        Lesson lesson;
        lesson.id = "ripple";
        lesson.probe.row = 0;
        lesson.probe.ripple = Ripple{3, 40};
        MainWindow window;
        window.setLessons({lesson});
        const auto* action = window.findChild<QAction*>("probeAction");
        QVERIFY(!action->isChecked());
        QSignalSpy asked(&window, &MainWindow::probeRequested);
        QVERIFY(window.chooseLesson("ripple"));
        QVERIFY(action->isChecked());
        QCOMPARE(asked.size(), 1);
        QVERIFY(asked[0][0].value<Probe>() == lesson.probe);
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
            const QString begin =
                padding == 0 ? QStringLiteral("No padding: ")
                             : QStringLiteral("First %1 tokens: padding. As many queries").arg(padding);
            QVERIFY2(facts->text().startsWith(begin), qPrintable(facts->text()));
            QCOMPARE(facts->text().contains("off by 0 at most."), padding > 0);
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
