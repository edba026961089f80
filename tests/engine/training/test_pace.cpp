#include <QtTest>

#include "engine/training/pace.h"
#include "engine/training/update.h"

using namespace headscope;

namespace {

TimePoint at(double seconds) { return TimePoint(Seconds(1000 + seconds)); }

}  // namespace

class TestPace : public QObject {
    Q_OBJECT
private slots:
    void theFirstStepIsDueAtOnce() { QVERIFY(Pacer().due(at(0), 1) == at(0)); }

    void lateStepsDoNotDrift() {
        Pacer pacer;
        for (int i = 0; i < 1000; ++i) {
            const TimePoint late = at(i * 0.25 + (i % 3) * 0.03);  // the clock says so when it is asked
            const TimePoint due = pacer.due(late, 4);
            QVERIFY(due == at(i * 0.25));
            pacer.made(due);
        }
    }

    void aLongStayAwayIsNotMadeUpFor() {
        Pacer pacer;
        pacer.made(at(0));
        QVERIFY(pacer.due(at(5), 100) == at(5));
        pacer.made(at(5));
        QVERIFY(pacer.due(at(5), 100) == at(5.01));
    }

    void anotherPaceCountsFromTheLastStep() {
        Pacer pacer;
        pacer.made(at(0));
        QVERIFY(pacer.due(at(0.05), 1) == at(1));
        QVERIFY(pacer.due(at(0.05), 4) == at(0.25));
        QVERIFY(pacer.due(at(0.05), 1000) == at(0.001));  // already past
        QVERIFY(pacer.due(at(0.05), kUnlimitedPace) == at(0.05));
        QVERIFY(pacer.due(at(0.05), 1e-300) > at(1e9));
    }

    void theBudgetIsAThirtieth() {
        Budget budget;
        QVERIFY(budget.allows(at(0)));
        budget.spent(at(0), at(1));
        QVERIFY(!budget.allows(at(29.9)));
        QVERIFY(budget.allows(at(30.1)));
    }

    void theRateIsMeasuredOverHalfASecond() {
        RateMeter meter;
        QCOMPARE(meter.stepsPerSecond(), 0.0);
        meter.made(at(0));
        QCOMPARE(meter.stepsPerSecond(), 0.0);
        meter.made(at(0.125));
        QCOMPARE(meter.stepsPerSecond(), 8.0);
        for (int i = 2; i <= 4; ++i) meter.made(at(i * 0.125));
        QCOMPARE(meter.stepsPerSecond(), 8.0);
        for (int i = 1; i <= 31; ++i) meter.made(at(0.5 + i / 64.0));  // not yet half a second more
        QCOMPARE(meter.stepsPerSecond(), 8.0);
        meter.made(at(1));
        QCOMPARE(meter.stepsPerSecond(), 64.0);
        meter.made(at(3));
        QCOMPARE(meter.stepsPerSecond(), 0.5);
    }
};

QTEST_APPLESS_MAIN(TestPace)
#include "test_pace.moc"
