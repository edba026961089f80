#include <algorithm>
#include <cstdlib>

#include <QtTest>

#include "engine/numeric/random.h"
#include "engine/training/recorder.h"

using namespace headscope;

namespace {

std::shared_ptr<const Snapshot> snapshotAt(std::int64_t step, std::size_t weights = 100) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->steps_done = step;
    snapshot->weights.resize(weights);
    return snapshot;
}

const std::size_t kBytes = bytesOf(*snapshotAt(0));

}  // namespace

class TestRecorder : public QObject {
    Q_OBJECT
private slots:
    void anEmptyOneHasNothing() {
        const Recorder recorder(1000);
        QVERIFY(!recorder.nearest(0).snapshot);
        QCOMPARE(recorder.size(), 0u);
        QCOMPARE(recorder.bytes(), 0u);
        QCOMPARE(recorder.budget(), 1000u);
    }

    void aSnapshotTakesWhatItHolds() {
        QCOMPARE(bytesOf(*snapshotAt(0, 200)) - kBytes, 100 * sizeof(float));
        Snapshot full = *snapshotAt(0);
        full.scores.resize(10), full.ripple.resize(3), full.predicted.resize(5);
        QCOMPARE(bytesOf(full) - kBytes, 18 * sizeof(float));
    }

    void everythingIsKeptThatFits() {
        Recorder recorder(10 * kBytes);
        for (int step = 0; step < 10; ++step) recorder.add(snapshotAt(step * 3));
        QCOMPARE(recorder.size(), 10u);
        QCOMPARE(recorder.bytes(), 10 * kBytes);
        for (int step = 0; step < 10; ++step)
            QCOMPARE(recorder.nearest(step * 3).snapshot->steps_done, step * 3);
        recorder.clear();
        QCOMPARE(recorder.bytes(), 0u);
        QVERIFY(!recorder.nearest(0).snapshot);
    }

    void thinnedItIsSpreadEvenly() {
        Recorder recorder(1000 * kBytes);
        for (int step = 0; step < 101; ++step) recorder.add(snapshotAt(step));
        QCOMPARE(recorder.thinnedTo(101 * kBytes).size(), 101u);
        const Recorder thinned = recorder.thinnedTo(11 * kBytes);
        QVERIFY(thinned.steps() == (std::vector<std::int64_t>{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100}));
        QVERIFY(recorder.thinnedTo(1).steps() == (std::vector<std::int64_t>{0, 100}));
        QCOMPARE(Recorder(5).thinnedTo(5).size(), 0u);
    }

    void theNearestIsTheEarlierOfTwo() {
        Recorder recorder(10 * kBytes);
        for (const int step : {5, 9, 20}) recorder.add(snapshotAt(step));
        const std::pair<int, int> expected[] = {{-100, 5}, {0, 5},   {5, 5},   {7, 5},   {8, 9},
                                                {14, 9},   {15, 20}, {20, 20}, {999, 20}};
        for (const auto& [asked, found] : expected)
            QCOMPARE(recorder.nearest(asked).snapshot->steps_done, found);
    }

    void whatWasSeenLastAtAStepIsWhatItShows() {
        Recorder recorder(10 * kBytes);
        recorder.add(snapshotAt(0));
        recorder.add(snapshotAt(4));
        const auto again = snapshotAt(4, 300);
        recorder.add(again);
        QCOMPARE(recorder.steps(), (std::vector<std::int64_t>{0, 4}));
        QCOMPARE(recorder.nearest(4).snapshot, again);
        QCOMPARE(recorder.bytes(), kBytes + bytesOf(*again));
    }

    void theEndsAreKeptWhateverTheBudget() {
        Recorder recorder(1);
        const auto first = snapshotAt(0), last = snapshotAt(9);
        recorder.add(first);
        recorder.add(snapshotAt(5));
        recorder.add(last);
        QCOMPARE(recorder.steps(), (std::vector<std::int64_t>{0, 9}));
        QCOMPARE(recorder.nearest(2).snapshot, first);
        QCOMPARE(recorder.nearest(8).snapshot, last);
    }

    void twinsAreKeptAndDroppedTogether() {
        Recorder recorder(8 * kBytes);
        for (int step = 0; step < 50; ++step) recorder.add(snapshotAt(step), snapshotAt(step));
        QCOMPARE(recorder.size(), 4u);
        for (const auto step : recorder.steps()) {
            const Frame frame = recorder.nearest(step);
            QCOMPARE(frame.snapshot->steps_done, step);
            QCOMPARE(frame.twin->steps_done, step);
        }
    }

    /// Whatever comes: within the budget, both ends there, steps ascending, the middle spread evenly.
    void longRunsThinOutEvenly() {
        Random random(7, RandomStream::Probe);
        for (int round = 0; round < 20; ++round) {
            const std::size_t places = 3 + random.below(60);
            const int stride = 1 + int(random.below(5));
            Recorder recorder(places * kBytes);
            std::int64_t step = 0;
            for (int i = 0; i < 2000; ++i, step += stride) {
                const auto snapshot = snapshotAt(step);
                recorder.add(snapshot);
                QVERIFY(recorder.bytes() <= recorder.budget());
                QCOMPARE(recorder.bytes(), recorder.size() * kBytes);
                const auto steps = recorder.steps();
                QCOMPARE(steps.front(), 0);
                QCOMPARE(steps.back(), step);
                QCOMPARE(recorder.nearest(step).snapshot, snapshot);
                if (std::size_t(i) + 1 >= places) QCOMPARE(recorder.size(), places);
                std::int64_t widest = 0;
                for (std::size_t k = 1; k < steps.size(); ++k) {
                    QVERIFY(steps[k - 1] < steps[k]);
                    widest = std::max(widest, steps[k] - steps[k - 1]);
                }
                // Even spacing would be (last − first)/(n − 1), a stride at least.
                const double even = std::max(double(stride), double(step) / double(steps.size() - 1));
                QVERIFY(double(widest) <= 3 * even);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestRecorder)
#include "test_recorder.moc"
