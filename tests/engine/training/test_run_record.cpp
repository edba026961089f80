#include <QtTest>

#include "engine/training/run_record.h"

using namespace headscope;

namespace {

std::shared_ptr<const Snapshot> snapshotAt(std::int64_t step, const Experiment& experiment) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->steps_done = step;
    snapshot->experiment = experiment;
    return snapshot;
}

Update updateOf(RunId run, const Experiment& experiment, std::int64_t from, std::int64_t to) {
    Update update;
    update.run = run;
    update.experiment = experiment;
    update.steps_done = to;
    for (std::int64_t step = from; step < to; ++step)
        update.points.push_back({step, float(step) + 0.5f, float(step) / 100});
    return update;
}

Experiment withHeads(int n_heads) {
    Experiment e;
    e.model.n_heads = n_heads;
    return e;
}

/// A record of six steps, two frames, a muted head, and four heads that became eight.
RunRecord eventful() {
    RunRecord record;
    Update update = updateOf(1, withHeads(4), 0, 2);
    update.snapshot = snapshotAt(0, withHeads(4));
    record.add(update);
    update = updateOf(1, withHeads(4), 2, 4);
    update.head_changes = {{3, 1, HeadMode::Muted}};
    record.add(update);
    update = updateOf(1, withHeads(8), 4, 6);
    update.snapshot = snapshotAt(5, withHeads(8));
    record.add(update);
    return record;
}

}  // namespace

class TestRunRecord : public QObject {
    Q_OBJECT
private slots:
    void keepsWhatItIsTold() {
        const RunRecord record = eventful();
        QCOMPARE(record.curve.size(), std::size_t{6});
        QCOMPARE(record.curve.points(3, 5)[1], (LossPoint{4, 4.5f, 0.04f}));
        QVERIFY(record.began == withHeads(4));
        QVERIFY(record.experiment == withHeads(8));
        QVERIFY(record.changes ==
                (std::vector<RunChange>{{3, HeadChange{3, 1, HeadMode::Muted}}, {4, withHeads(8)}}));
        QVERIFY(record.recorder.steps() == (std::vector<std::int64_t>{0, 5}));
    }

    void anotherRunBeginsAnew() {
        RunRecord record = eventful();
        record.add(updateOf(2, withHeads(2), 0, 1));
        QCOMPARE(record.curve.size(), std::size_t{1});
        QVERIFY(record.changes.empty());
        QCOMPARE(record.recorder.size(), std::size_t{0});
        QVERIFY(record.began == withHeads(2));
    }

    void forgetsChangesOfHeadsThatAreNoMore() {
        RunRecord record;
        record.add(updateOf(1, withHeads(8), 0, 1));
        Update update = updateOf(1, withHeads(2), 1, 2);
        update.head_changes = {{1, 7, HeadMode::Muted}, {2, 1, HeadMode::Frozen}};
        record.add(update);
        QCOMPARE(record.changes.size(), std::size_t{2});
        QVERIFY(record.changes[1] == (RunChange{2, HeadChange{2, 1, HeadMode::Frozen}}));
    }

    void tellsTheSameAgain() {
        const RunRecord record = eventful();
        RunRecord again;
        std::int64_t last = 0;
        record.tell(7, [&](const Update& update) {
            QCOMPARE(update.run, RunId{7});
            QVERIFY(update.steps_done >= last);
            last = update.steps_done;
            again.add(update);
        });
        QVERIFY(again.curve == record.curve);
        QVERIFY(again.changes == record.changes);
        QVERIFY(again.recorder.steps() == record.recorder.steps());
        QVERIFY(again.began == record.began);
        QVERIFY(again.experiment == record.experiment);
    }

    void tellsEveryChangeWhereItWas() {
        std::vector<std::vector<HeadMode>> modes;
        std::vector<std::int64_t> steps;
        std::vector<int> heads;
        eventful().tell(1, [&](const Update& update) {
            modes.push_back(update.modes);
            steps.push_back(update.steps_done);
            heads.push_back(update.experiment.model.n_heads);
        });
        QVERIFY(steps == (std::vector<std::int64_t>{0, 3, 3, 4, 4, 5, 6}));
        QVERIFY(heads == (std::vector<int>{4, 4, 4, 4, 8, 8, 8}));
        QCOMPARE(modes[1][1], HeadMode::Trained);
        QCOMPARE(modes[2][1], HeadMode::Muted);
        QCOMPARE(modes[3][1], HeadMode::Muted);
        QVERIFY(modes[4] == std::vector<HeadMode>(8, HeadMode::Trained));
    }
};

QTEST_APPLESS_MAIN(TestRunRecord)
#include "test_run_record.moc"
