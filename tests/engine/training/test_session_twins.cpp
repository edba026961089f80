#include "engine/training/session.h"
#include "tests/engine/training/session_story.h"

using namespace headscope;

namespace {

void equalTwinsAreTheSameBitForBit() {
    Session session;
    const Story alone = followToEnd(session, session.restart(lesson(200)));
    CHECK(!alone.last.twin && alone.twin_points.empty());
    const Story both = followToEnd(session, session.restart(lesson(200), lesson(200)));
    CHECK(both.last.state == RunState::Finished && *both.last.twin == lesson(200));
    CHECK(both.points == alone.points && both.twin_points == alone.points);
    CHECK(sameBits(both.snapshots.back()->weights, alone.snapshots.back()->weights));
    CHECK(sameBits(both.twin_snapshots.back()->weights, alone.snapshots.back()->weights));
    CHECK(both.snapshots.front()->steps_done == 0 || both.snapshots.size() == 1);
}

void twinsThatDifferEachDoWhatTheyWouldAlone() {
    Session session;
    Experiment other = lesson(150);
    other.model.n_heads = 8, other.model.d_model = 64, other.learning_rate = 1e-3;
    const Story first = followToEnd(session, session.restart(lesson(150)));
    const Story second = followToEnd(session, session.restart(other));
    const RunId run = session.restart(lesson(150), other, true);
    Story both;
    session.step();
    follow(session, run, both, [](const Story& s) { return s.points.size() == 1; });
    CHECK(both.last.state == RunState::Paused);
    session.setPace(2000);
    session.setPaused(false);
    session.requestSnapshot();
    follow(session, run, both, [](const Story& s) { return isTerminal(s.last.state); });
    session.setPace(kUnlimitedPace);
    CHECK(both.points == first.points && both.twin_points == second.points);
    CHECK(sameBits(both.snapshots.back()->weights, first.snapshots.back()->weights));
    CHECK(sameBits(both.twin_snapshots.back()->weights, second.snapshots.back()->weights));
    CHECK(both.twin_snapshots.back()->experiment == other);
}

void twinsOfOtherBatchesAreRefused() {
    Session session;
    const RunId run = session.restart(lesson(50));
    Experiment other = lesson(50);
    other.seed = 2;
    CHECK(isRefused([&] { session.restart(lesson(50), other); }));
    other = lesson(50), other.model.n_heads = 5;
    CHECK(isRefused([&] { session.restart(lesson(50), other); }));
    CHECK(followToEnd(session, run).points.size() == 50);
}

void aTwinThatDivergesEndsTheRun() {
    Session session;
    Experiment wild = lesson(100);
    wild.learning_rate = 1e30;
    Story story = followToEnd(session, session.restart(lesson(100), wild));
    CHECK(story.last.state == RunState::Diverged && story.last.diverged == TwinSide::Twin);
    CHECK(story.points.size() == 1 && story.twin_points.size() == 1 && story.last.steps_done == 1);
    CHECK(isRefused([&] { session.setHeadModes(modes(4, HeadMode::Muted)); }));
    story = followToEnd(session, session.restart(wild, lesson(100)));
    CHECK(story.last.state == RunState::Diverged && story.last.diverged == TwinSide::First);
    story = followToEnd(session, session.restart(wild, wild));
    CHECK(story.last.state == RunState::Diverged && story.last.diverged == TwinSide::Both);
}

void carryingOnLeavesTheTwinAsItIs() {
    Session session;
    Experiment e = lesson(1'000'000);
    const RunId run = session.restart(e, e, true);
    e.model.n_heads = 8;
    session.carryOn(e);
    session.setHeadModes(modes(8, HeadMode::Muted));  // fits what is about to be
    session.requestSnapshot();
    Story story;
    follow(session, run, story, [&](const Story& s) {
        return s.last.experiment == e && !s.snapshots.empty() &&
               s.snapshots.back()->modes == modes(8, HeadMode::Muted);
    });
    CHECK(*story.last.twin == lesson(1'000'000));
    CHECK(story.twin_snapshots.back()->experiment == lesson(1'000'000));
    CHECK(story.twin_snapshots.back()->modes == modes(4, HeadMode::Trained));  // not as many
}

}  // namespace

int main() {
    runTests({
        {"equal twins are the same bit for bit", equalTwinsAreTheSameBitForBit},
        {"twins that differ each do what they would alone", twinsThatDifferEachDoWhatTheyWouldAlone},
        {"twins of other batches are refused", twinsOfOtherBatchesAreRefused},
        {"a twin that diverges ends the run", aTwinThatDivergesEndsTheRun},
        {"carrying on leaves the twin as it is", carryingOnLeavesTheTwinAsItIs},
    });
}
