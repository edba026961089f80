#include <cmath>

#include <QtTest>

#include "engine/training/update.h"
#include "ui/pace_scale.h"

using namespace headscope;

class TestPaceScale : public QObject {
    Q_OBJECT
private slots:
    void runsFromOneToAThousandAndThenWithoutLimit() {
        QCOMPARE(PaceScale::at(0), 1.0);
        QCOMPARE(PaceScale::at(20), 10.0);
        QCOMPARE(PaceScale::at(40), 100.0);
        QCOMPARE(PaceScale::at(60), 1000.0);
        QVERIFY(std::isinf(PaceScale::at(PaceScale::kUnlimitedPlace)));
    }

    void neverFallsToTheRight() {
        for (int place = 1; place <= PaceScale::kUnlimitedPlace; ++place)
            QVERIFY(PaceScale::at(place) >= PaceScale::at(place - 1));
    }

    void theSliderStandsNearestToAPace() {
        for (const double pace : {1.0, 10.0, 100.0, 1000.0})
            QCOMPARE(PaceScale::at(PaceScale::placeOf(pace)), pace);
        QCOMPARE(PaceScale::placeOf(60), 36);
        QCOMPARE(PaceScale::placeOf(0.1), 0);
        QCOMPARE(PaceScale::placeOf(1e6), 60);
        QCOMPARE(PaceScale::placeOf(kUnlimitedPace), int(PaceScale::kUnlimitedPlace));
    }

    void saysIt() {
        QCOMPARE(PaceScale::text(60), QStringLiteral("60 steps/s"));
        QCOMPARE(PaceScale::text(1000), QStringLiteral("1000 steps/s"));
        QCOMPARE(PaceScale::text(kUnlimitedPace), QStringLiteral("unlimited"));
    }
};

QTEST_APPLESS_MAIN(TestPaceScale)
#include "test_pace_scale.moc"
