#include <QtTest>

#include "ui/rate_meter.h"

using namespace headscope;

class TestRateMeter : public QObject {
    Q_OBJECT
private slots:
    void isZeroUntilItCanTell() {
        RateMeter meter;
        QCOMPARE(meter.rate(), 0.0);
        meter.add(0, 1000);
        meter.add(10, 1199);
        QCOMPARE(meter.rate(), 0.0);
        meter.add(12, 1200);
        QCOMPARE(meter.rate(), 60.0);
    }

    void forgetsWhatIsMoreThanASecondOld() {
        RateMeter meter;
        for (int i = 0; i <= 100; ++i) meter.add(i, i * 100);                    // 10 a second for 10 s
        for (int i = 1; i <= 10; ++i) meter.add(100 + i * 5, 10'000 + i * 100);  // then 50
        QCOMPARE(meter.rate(), 50.0);
    }

    void standsStillWhereNothingIsDone() {
        RateMeter meter;
        meter.add(7, 0);
        meter.add(7, 500);
        QCOMPARE(meter.rate(), 0.0);
    }

    void beginsAnew() {
        RateMeter meter;
        meter.add(0, 0);
        meter.add(100, 1000);
        meter.clear();
        QCOMPARE(meter.rate(), 0.0);
    }
};

QTEST_APPLESS_MAIN(TestRateMeter)
#include "test_rate_meter.moc"
