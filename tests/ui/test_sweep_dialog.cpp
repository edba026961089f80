#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

#include "ui/main_window.h"
#include "ui/sweep_dialog.h"
#include "ui/sweep_picture.h"

using namespace headscope;

class TestSweepDialog : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { qRegisterMetaType<Sweep>(); }

    void asksForWhatTheFieldsSay() {
        Experiment base;
        base.model.d_model = 24;
        SweepDialog dialog(base);
        QCOMPARE(field(dialog, "sweepHeads")->text(), "1, 2, 4, 8");
        field(dialog, "sweepHeads")->setText("1,3, 6");
        field(dialog, "sweepSeeds")->setText("7, 2..4");
        field(dialog, "sweepThreshold")->setText("0.5");
        QSignalSpy asked(&dialog, &SweepDialog::sweepRequested);
        click(dialog, "sweepStart");
        QCOMPARE(asked.size(), 1);
        Sweep expected;
        expected.base = base;
        expected.heads = {1, 3, 6};
        expected.seeds = {7, 2, 3, 4};
        expected.threshold = 0.5;
        QCOMPARE(asked[0][0], QVariant::fromValue(expected));
        QCOMPARE(dialog.findChild<QProgressBar*>()->maximum(), 24);
    }

    void theMenuAsksForOneOfTheExperimentInHand() {
        MainWindow window;
        Lesson lesson;
        lesson.id = "wide";
        lesson.experiment.model.d_model = 64;
        window.setLessons({lesson});
        window.chooseLesson("wide");
        QSignalSpy asked(&window, &MainWindow::sweepRequested);
        window.findChild<QAction*>("sweepAction")->trigger();
        QCOMPARE(asked.size(), 1);
        QVERIFY(asked[0][0].value<Experiment>() == lesson.experiment);
    }

    void refusesBesideTheFields_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("entry");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("no number") << "sweepHeads"
                                   << "1, two"
                                   << "Heads has 'two' in it: it must be whole numbers with commas between";
        QTest::newRow("no divisor") << "sweepHeads"
                                    << "5"
                                    << "n_heads 5 does not divide d_model 32";
        QTest::newRow("twice") << "sweepSeeds"
                               << "1, 1"
                               << "a sweep has one of seeds twice";
        QTest::newRow("no threshold") << "sweepThreshold"
                                      << "low"
                                      << "Threshold is 'low': it must be a number";
        QTest::newRow("no range") << "sweepSeeds"
                                  << "5..1"
                                  << "Seeds has '5..1' in it: a range must be such as 1..5, of at most 10000";
    }

    void refusesBesideTheFields() {
        QFETCH(QString, name);
        QFETCH(QString, entry);
        QFETCH(QString, sentence);
        SweepDialog dialog({});
        field(dialog, name)->setText(entry);
        QSignalSpy asked(&dialog, &SweepDialog::sweepRequested);
        click(dialog, "sweepStart");
        QCOMPARE(asked.size(), 0);
        QCOMPARE(message(dialog), sentence);
        QCOMPARE(dialog.findChild<QLabel*>("sweepMessage")->property("role"), "error");
        field(dialog, name)->setText("1");
        click(dialog, "sweepStart");
        QVERIFY(message(dialog).startsWith("0 of "));
        QCOMPARE(dialog.findChild<QLabel*>("sweepMessage")->property("role"), "muted");
    }

    void saysWhyItFailed() {
        SweepDialog dialog({});
        click(dialog, "sweepStart");
        dialog.addRows({{4, 8, true, 1, SweepOutcome::Learned, 82, 0.9}});
        dialog.showEnd("the disk is on fire");
        QCOMPARE(message(dialog), "the disk is on fire");
        QCOMPARE(dialog.findChild<QLabel*>("sweepMessage")->property("role"), "error");
    }

    void fillsAsRowsComeAndCanBeCanceled() {
        SweepDialog dialog({});
        auto* save = dialog.findChild<QPushButton*>("sweepSave");
        auto* start = dialog.findChild<QPushButton*>("sweepStart");
        QVERIFY(!save->isEnabled());
        click(dialog, "sweepStart");
        QCOMPARE(start->text(), "&Cancel");
        QVERIFY(!field(dialog, "sweepHeads")->isEnabled());
        const QImage empty = dialog.findChild<QWidget*>("sweepView")->grab().toImage();
        dialog.addRows({{4, 8, true, 1, SweepOutcome::Learned, 82, 0.9},
                        {4, 8, false, 1, SweepOutcome::Never, 360, 3.5}});
        QCOMPARE(dialog.findChild<QProgressBar*>()->value(), 2);
        QVERIFY(dialog.findChild<QWidget*>("sweepView")->grab().toImage() != empty);
        QSignalSpy canceled(&dialog, &SweepDialog::cancelRequested);
        click(dialog, "sweepStart");
        QCOMPARE(canceled.size(), 1);
        QCOMPARE(start->text(), "&Start");
        QVERIFY(save->isEnabled());
        QCOMPARE(message(dialog), "Canceled; the runs that ended stay in the picture.");
    }

    void savesTheFigureOrTheTable() {
        QTemporaryDir place;
        SweepDialog dialog({});
        click(dialog, "sweepStart");
        dialog.addRows({{8, 4, true, 1, SweepOutcome::Learned, 90, 0.9},
                        {4, 8, true, 1, SweepOutcome::Learned, 82, 0.9}});
        dialog.saveAs(place.filePath("sweep.csv"));
        QCOMPARE(message(dialog), "Saved " + place.filePath("sweep.csv") + ".");
        QFile table(place.filePath("sweep.csv"));
        QVERIFY(table.open(QIODevice::ReadOnly));
        QCOMPARE(table.readAll(),
                 "n_heads,d_head,scaling,seed,outcome,step,least_loss\n"
                 "4,8,on,1,learned,82,0.9\n8,4,on,1,learned,90,0.9\n");
        dialog.saveAs(place.filePath("sweep.png"));
        QCOMPARE(QImage(place.filePath("sweep.png")).size(), QSize(1920, 1080));
        dialog.saveAs(place.filePath("nowhere/sweep.png"));
        QCOMPARE(dialog.findChild<QLabel*>("sweepMessage")->property("role"), "error");
    }

    void closingCancels() {
        for (const bool byKey : {true, false}) {
            SweepDialog dialog({});
            dialog.show();
            click(dialog, "sweepStart");
            QSignalSpy canceled(&dialog, &SweepDialog::cancelRequested);
            if (byKey)
                QTest::keyClick(&dialog, Qt::Key_Escape);
            else
                click(dialog, "sweepClose");
            QCOMPARE(canceled.size(), 1);
            QVERIFY(!dialog.isVisible());
        }
    }

    // In a picture of one run a dot stands above the axis where it never learned, and below where it did.
    void neverStandsInABandOfItsOwn() {
        Sweep sweep;
        sweep.heads = {4};
        sweep.scaling = {true};
        sweep.seeds = {1};
        PictureOptions options;
        options.size = {400, 400};
        const auto highestDot = [&](const SweepRow& row) {
            const QImage with = imageOf(sweepPicture(sweep, {row}), options);
            for (int y = 30; y < with.height(); ++y)
                for (int x = 100; x < with.width(); ++x)
                    if (with.pixelColor(x, y) == options.theme.accent) return y;
            return -1;
        };
        const int learned = highestDot({4, 8, true, 1, SweepOutcome::Learned, 100, 0.9});
        const int never = highestDot({4, 8, true, 1, SweepOutcome::Never, 360, 3.0});
        const int diverged = highestDot({4, 8, true, 1, SweepOutcome::Diverged, 3, 3.0});
        QVERIFY(never > 0 && never < 75);
        QCOMPARE(diverged, never);
        QVERIFY(learned > never + 20);
    }

private:
    static QLineEdit* field(const SweepDialog& dialog, const QString& name) {
        return dialog.findChild<QLineEdit*>(name);
    }
    static QString message(const SweepDialog& dialog) {
        return dialog.findChild<QLabel*>("sweepMessage")->text();
    }
    static void click(const SweepDialog& dialog, const char* button) {
        QTest::mouseClick(dialog.findChild<QPushButton*>(button), Qt::LeftButton);
    }
};

QTEST_MAIN(TestSweepDialog)
#include "test_sweep_dialog.moc"
