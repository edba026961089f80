#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QtTest>

#include "app/sweep_driver.h"

using namespace headscope;

namespace {

Experiment smallExperiment(int steps) {
    Experiment experiment;
    experiment.model = {8, 8, 1, 4, Positions::Sinusoidal, true};
    experiment.steps = steps;
    return experiment;
}

void start(const SweepDialog& dialog) {
    QTest::mouseClick(dialog.findChild<QPushButton*>("sweepStart"), Qt::LeftButton);
}

}  // namespace

class TestSweepDriver : public QObject {
    Q_OBJECT
private slots:
    void makesEveryRunAndEnds() {
        SweepDialog dialog(smallExperiment(5));
        new SweepDriver(dialog);
        const auto* progress = dialog.findChild<QProgressBar*>();
        for (int time = 0; time < 2; ++time) {
            start(dialog);
            QCOMPARE(progress->maximum(), 40);
            QTRY_COMPARE(dialog.findChild<QPushButton*>("sweepStart")->text(), "&Start");
            QCOMPARE(progress->value(), 40);
            QCOMPARE(dialog.findChild<QLabel*>("sweepMessage")->text(), "All 40 runs have ended.");
        }
    }

    void cancelAndCloseEndRunsThatWouldTakeForever() {
        SweepDialog dialog(smallExperiment(1'000'000'000));
        dialog.findChild<QLineEdit*>("sweepThreshold")->setText("1e-30");
        new SweepDriver(dialog);
        start(dialog);
        start(dialog);  // now it cancels
        QCOMPARE(dialog.findChild<QPushButton*>("sweepStart")->text(), "&Start");
        start(dialog);
        dialog.close();
    }

    void opensOverAWindow() {
        QWidget window;
        openSweep(smallExperiment(5), &window);
        auto* dialog = window.findChild<SweepDialog*>("sweepDialog");
        QVERIFY(dialog && dialog->isVisible());
        QPointer<SweepDialog> alive(dialog);
        dialog->close();
        QTRY_VERIFY(!alive);
    }
};

QTEST_MAIN(TestSweepDriver)
#include "test_sweep_driver.moc"
