#include <QSignalSpy>
#include <QtTest>

#include "tests/ui/snapshots.h"
#include "ui/replay.h"
#include "ui/timeline.h"

using namespace headscope;

class TestReplay : public QObject {
    Q_OBJECT
private slots:
    void scrubbingShowsExactlyWhatWasLive() {
        Replay replay;
        for (const int step : {0, 7, 40, 359, 360}) feed(replay, step);
        QVERIFY(replay.isLive());
        for (const auto& [asked, shown] : {std::pair{0, 0}, {7, 1}, {360, 4}, {500, 4}}) {
            replay.goTo(asked);
            QCOMPARE(replay.shown().snapshot.get(), m_fed[static_cast<std::size_t>(shown)].get());
        }
        replay.goTo(20);  // between 7 and 40: the nearest
        QCOMPARE(replay.shown().snapshot->steps_done, 7);
        replay.goLive();
        QVERIFY(replay.isLive());
    }

    void theMiddleThinsButTheEndsStay() {
        Replay replay(nullptr, 6 * bytesOf(*uniformSnapshot(2, 4)));
        for (int step = 0; step <= 100; ++step) feed(replay, step);
        QVERIFY(replay.recorder().bytes() <= replay.recorder().budget());
        replay.goTo(0);
        QCOMPARE(replay.shown().snapshot.get(), m_fed.front().get());
        replay.goTo(100);
        QCOMPARE(replay.shown().snapshot.get(), m_fed.back().get());
        replay.goTo(51);  // thinned out, or its nearest
        const auto shown = replay.shown().snapshot;
        QCOMPARE(shown.get(), m_fed[static_cast<std::size_t>(shown->steps_done)].get());
        for (const std::int64_t step : replay.recorder().steps())
            QVERIFY(std::abs(step - 51) >= std::abs(shown->steps_done - 51));
    }

    void whatComesLiveDoesNotMoveWhatIsShown() {
        Replay replay;
        feed(replay, 0);
        feed(replay, 1);
        replay.goTo(0);
        QSignalSpy moved(&replay, &Replay::moved);
        feed(replay, 2);
        QCOMPARE(moved.count(), 0);
        QCOMPARE(replay.shown().snapshot->steps_done, 0);
        QCOMPARE(replay.stepsDone(), 2);
        Update other = update(0);
        other.run = 2;
        replay.add(other);
        QVERIFY(replay.isLive());
        QCOMPARE(moved.count(), 1);
        QCOMPARE(replay.recorder().size(), std::size_t{0});
    }

    void goesFromFrameToFrame() {
        Replay replay;
        for (const int step : {0, 10, 20}) feed(replay, step);
        replay.moveBy(-1);
        QCOMPARE(replay.shown().snapshot->steps_done, 10);
        replay.moveBy(-5);
        QCOMPARE(replay.shown().snapshot->steps_done, 0);
        replay.moveBy(+1);
        QCOMPARE(replay.shown().snapshot->steps_done, 10);
    }

    void playsAtItsSpeedAndStandsAtTheLast() {
        Replay replay;
        for (int step = 0; step <= 100; step += 10) feed(replay, step);
        replay.setSpeed(20);
        replay.setPlaying(true);
        QCOMPARE(replay.shown().snapshot->steps_done, 0);
        replay.advance(1);
        QCOMPARE(replay.shown().snapshot->steps_done, 20);
        replay.advance(2);
        QCOMPARE(replay.shown().snapshot->steps_done, 60);
        replay.advance(60);
        QCOMPARE(replay.shown().snapshot->steps_done, 100);
        QVERIFY(!replay.isPlaying());
        replay.setPlaying(true);  // from the start again
        QCOMPARE(replay.shown().snapshot->steps_done, 0);
        replay.goLive();
        QVERIFY(!replay.isPlaying());
    }

    void anotherLabelIsMarked() {
        Replay replay;
        feed(replay, 0);
        QCOMPARE(replay.marks().size(), std::size_t{0});
        Update u = update(40);
        auto snapshot = uniformSnapshot(2, 4);
        snapshot->steps_done = 40;
        for (int query = 0; query < 4; ++query)
            for (int key = 0; key <= query; ++key)
                weightAt(*snapshot, 1, query, key) = key == 0 ? 1.0f : 0.0f;
        u.snapshot = snapshot;
        const auto fresh = replay.add(u);
        QCOMPARE(fresh.size(), std::size_t{1});
        QCOMPARE(fresh.front().step, 40);
        QCOMPARE(fresh.front().text(), QStringLiteral("head 2: first token"));
        snapshot = std::make_shared<Snapshot>(*snapshot);
        snapshot->steps_done = 41;
        u.snapshot = snapshot;
        QVERIFY(replay.add(u).empty());
    }

    void anotherProbeChangesNoLabel() {
        Replay replay;
        feed(replay, 0);
        Update u = update(1);
        auto snapshot = uniformSnapshot(2, 4);
        snapshot->steps_done = 1;
        snapshot->probe.row = 3;
        for (int query = 0; query < 4; ++query)
            for (int key = 0; key <= query; ++key)
                weightAt(*snapshot, 0, query, key) = key == 0 ? 1.0f : 0.0f;
        u.snapshot = snapshot;
        QVERIFY(replay.add(u).empty());
    }

    void mutingIsMarkedWithItsLoss() {
        Replay replay;
        Update u = update(30);
        auto snapshot = uniformSnapshot(2, 4);
        snapshot->steps_done = 30;
        snapshot->probe_loss = 0.02f;
        snapshot->loss_without = {0.5f, 1.9f};
        u.snapshot = snapshot;
        replay.add(u);
        u.snapshot.reset();
        u.head_changes = {{31, 1, HeadMode::Muted}};
        const auto fresh = replay.add(u);
        QCOMPARE(fresh.size(), std::size_t{1});
        QCOMPARE(fresh.front().text(), QStringLiteral("head 2 muted: loss 0.02 → 1.9"));
        QVERIFY(!fresh.front().isLabel());
    }

    void endlessRunsKeepABoundedNumberOfMarks() {
        RunMarks marks;
        Update u = update(0);
        u.head_changes = {{0, 0, HeadMode::Frozen}};
        for (int step = 0; step < 3000; ++step) {
            auto snapshot = uniformSnapshot(1, 4);
            snapshot->steps_done = step;
            for (int query = 0; step % 2 && query < 4; ++query)
                for (int key = 0; key <= query; ++key)
                    weightAt(*snapshot, 0, query, key) = key == 0 ? 1.0f : 0.0f;
            u.snapshot = snapshot;
            QCOMPARE(marks.add(u).size(), std::size_t{1});
            u.head_changes.clear();
            QVERIFY(marks.all().size() <= RunMarks::kMost);
        }
        QVERIFY(!marks.all().front().isLabel());
        QCOMPARE(marks.all().back().step, 2999);
    }

    void theTimelineGoesWhereItIsPressedAndKeyed() {
        Replay replay;
        for (const int step : {0, 90, 180, 360}) feed(replay, step);
        Timeline timeline(replay);
        timeline.resize(500, 20);
        timeline.show();
        QTest::mouseClick(&timeline, Qt::LeftButton, {}, timeline.placeOf(180));
        QCOMPARE(replay.shown().snapshot->steps_done, 180);
        QTest::keyClick(&timeline, Qt::Key_Left);
        QCOMPARE(replay.shown().snapshot->steps_done, 90);
        QTest::keyClick(&timeline, Qt::Key_Home);
        QCOMPARE(replay.shown().snapshot->steps_done, 0);
        QTest::keyClick(&timeline, Qt::Key_End);
        QCOMPARE(replay.shown().snapshot->steps_done, 360);
        QVERIFY(timeline.description().contains(QStringLiteral("Showing step 360 of 360")));
        QTest::keyClick(&timeline, Qt::Key_Escape);
        QVERIFY(replay.isLive());
        QVERIFY(timeline.description().contains(QStringLiteral("Live at step 360")));
    }

    void init() { m_fed.clear(); }

private:
    static Update update(std::int64_t step) {
        Update u;
        u.run = 1;
        u.state = RunState::Running;
        u.steps_done = step;
        return u;
    }
    void feed(Replay& replay, std::int64_t step) {
        auto snapshot = uniformSnapshot(2, 4);
        snapshot->steps_done = step;
        m_fed.push_back(snapshot);
        Update u = update(step);
        u.snapshot = snapshot;
        replay.add(u);
    }

    std::vector<std::shared_ptr<const Snapshot>> m_fed;
};

QTEST_MAIN(TestReplay)
#include "test_replay.moc"
