#include "engine/training/checkpoint.h"
#include "engine/training/session.h"
#include "engine/training/trainer.h"
#include "tests/engine/training/session_story.h"

using namespace headscope;

namespace {

/// Drains until a checkpoint comes, which is of just what the story has told until then.
std::shared_ptr<const Checkpoint> checkpointOf(Session& session, RunId run, Story& story) {
    session.requestCheckpoint();
    story.last.checkpoint.reset();
    follow(session, run, story, [](const Story& s) { return s.last.checkpoint != nullptr; });
    const auto checkpoint = story.last.checkpoint;
    CHECK(checkpoint->first.steps_done == story.last.steps_done);
    CHECK(checkpoint->first.experiment == story.last.experiment);
    CHECK(checkpoint->first.modes == story.last.modes);
    return checkpoint;
}

void aCheckpointCarriesOnWithTheSameBits() {
    Trainer trainer(lesson(300));
    for (int i = 0; i < 300; ++i) trainer.step();
    const Snapshot last = *trainer.snapshot();

    Session session;
    Story story;
    const RunId run = session.restart(lesson(300));
    for (std::size_t steps = 20; steps < 100; steps += 20) {
        follow(session, run, story, [&](const Story& s) { return s.points.size() > steps; });
        checkpointOf(session, run, story);
    }
    const auto checkpoint = checkpointOf(session, run, story);
    const std::size_t before = story.points.size();
    const Story end = [&] {
        follow(session, run, story, [](const Story& s) { return isTerminal(s.last.state); });
        return story;
    }();

    const RunId other = session.resume(checkpoint, true);
    CHECK(other == run + 1);
    Story resumed;
    resumed.points.assign(end.points.begin(), end.points.begin() + std::ptrdiff_t(before));
    follow(session, other, resumed, [](const Story& s) { return !s.snapshots.empty(); });
    CHECK(resumed.last.state == RunState::Paused);
    CHECK(resumed.snapshots[0]->steps_done == std::int64_t(before));
    session.setPaused(false);
    follow(session, other, resumed, [](const Story& s) { return isTerminal(s.last.state); });
    CHECK(resumed.points == end.points);
    CHECK(sameBits(resumed.snapshots.back()->weights, last.weights));
}

void aFinishedRunIsFinishedAgain() {
    Session session;
    Story story;
    const RunId run = session.restart(tiny(3));
    follow(session, run, story, [](const Story& s) { return isTerminal(s.last.state); });
    const auto checkpoint = checkpointOf(session, run, story);
    Story again;
    again.points = story.points;
    const RunId other = session.resume(checkpoint);
    follow(session, other, again, [](const Story& s) { return !s.snapshots.empty(); });
    CHECK(again.last.state == RunState::Finished);
    CHECK(sameBits(again.snapshots[0]->weights, story.snapshots.back()->weights));
}

void aDivergedTwinIsDivergedAgain() {
    Experiment wild = tiny(100);
    wild.learning_rate = 1e30;
    Session session;
    Story story;
    const RunId run = session.restart(tiny(100), wild);
    follow(session, run, story, [](const Story& s) { return isTerminal(s.last.state); });
    CHECK(story.last.state == RunState::Diverged);
    session.requestCheckpoint();
    std::shared_ptr<const Checkpoint> checkpoint;
    while (!checkpoint) checkpoint = session.drain().checkpoint;
    CHECK(checkpoint->diverged == TwinSide::Twin);
    CHECK(stepsDone(*checkpoint) == story.last.steps_done);
    session.resume(checkpoint);
    const Update update = session.drain();
    CHECK(update.state == RunState::Diverged && update.diverged == TwinSide::Twin);
    CHECK(update.steps_done == story.last.steps_done);
}

void aCheckpointHasWhatWasCommandedBeforeIt() {
    Session session;
    Story story;
    const RunId run = session.restart(lesson(1'000'000));
    Experiment other = lesson(1'000'000);
    other.model.scale_scores = false;
    for (int i = 0; i < 20; ++i) {
        other.model.scale_scores = !other.model.scale_scores;
        session.carryOn(other);
        std::vector<HeadMode> modes(4, HeadMode::Trained);
        modes[std::size_t(i % 4)] = HeadMode::Frozen;
        session.setHeadModes(modes);
        const auto checkpoint = checkpointOf(session, run, story);
        CHECK(checkpoint->first.experiment == other);
        CHECK(checkpoint->first.modes == modes);
    }
}

/// Drains to the first update of `other`, and what comes of `run` before it.
std::vector<Update> drainTo(Session& session, RunId other) {
    std::vector<Update> before;
    for (;;) {
        Update update = session.drain();
        if (update.run == other) return before;
        before.push_back(std::move(update));
    }
}

void aCheckpointComesThoughARestartFollowsAtOnce() {
    Experiment twin = lesson(1'000'000);
    twin.model.n_heads = 8;
    for (int i = 0; i < 200; ++i) {
        Session session;
        Story story;
        const RunId run =
            i % 2 ? session.restart(lesson(1'000'000), twin) : session.restart(lesson(1'000'000));
        follow(session, run, story, [&](const Story& s) { return s.points.size() > std::size_t(i % 7); });
        session.requestCheckpoint();
        if (i % 3 == 0) std::this_thread::yield();
        const RunId other = session.restart(tiny(10));
        std::shared_ptr<const Checkpoint> checkpoint;
        for (const Update& update : drainTo(session, other)) {
            CHECK(update.run == run && !checkpoint);
            for (const LossPoint& point : update.points) story.points.push_back(point);
            CHECK(update.steps_done == std::int64_t(story.points.size()));
            checkpoint = update.checkpoint;
        }
        CHECK(checkpoint && stepsDone(*checkpoint) == std::int64_t(story.points.size()));
        while (session.drain().state != RunState::Finished) std::this_thread::yield();
    }
}

void everyRunThatACheckpointWasAskedOfGivesIt() {
    Session session;
    const RunId first = session.restart(slow());
    session.requestCheckpoint();
    const RunId second = session.restart(lesson(100));
    session.setHeadModes({HeadMode::Muted, HeadMode::Trained, HeadMode::Trained, HeadMode::Trained});
    session.requestCheckpoint();
    const RunId third = session.restart(tiny(10));
    const RunId last = session.restart(tiny(20));
    CHECK(first < second && second < third && third < last);
    std::vector<std::shared_ptr<const Checkpoint>> checkpoints;
    for (const Update& update : drainTo(session, last)) {
        CHECK(update.run == first || update.run == second);
        if (update.checkpoint) checkpoints.push_back(update.checkpoint);
    }
    CHECK(checkpoints.size() == 2);
    CHECK(checkpoints[0]->first.experiment == slow());
    CHECK(checkpoints[1]->first.experiment == lesson(100));
    CHECK(checkpoints[1]->first.modes[0] == HeadMode::Muted);
}

void aCheckpointComesThoughTheEndFollowsAtOnce() {
    Experiment twin = slow();
    twin.model.n_heads = 8;
    for (const bool restarted : {false, true}) {
        Session session;
        Story story;
        const RunId run = session.restart(slow(), twin);
        follow(session, run, story, [](const Story& s) { return !s.points.empty(); });
        session.requestCheckpoint();
        if (restarted) session.restart(tiny(10));
        session.end();
        std::shared_ptr<const Checkpoint> checkpoint;
        RunId last = run;
        for (int drained = 0; drained < 3; ++drained) {
            const Update update = session.drain();
            if (update.checkpoint) checkpoint = update.checkpoint;
            last = update.run;
        }
        CHECK(checkpoint && checkpoint->first.experiment == slow());
        CHECK(last == (restarted ? run + 1 : run));
    }
}

void anEndedSessionTellsTheRestWithACheckpoint() {
    Experiment twin = lesson(1'000'000);
    twin.model.n_heads = 8;
    int with = 0;
    for (int i = 0; i < 50; ++i) {
        Session session;
        Story story;
        const bool twins = i % 2;
        const RunId run =
            twins ? session.restart(lesson(1'000'000), twin) : session.restart(lesson(1'000'000));
        follow(session, run, story, [&](const Story& s) { return s.points.size() > std::size_t(i); });
        if (i % 3 == 0) session.requestCheckpoint();
        session.end();
        for (int drained = 0; drained < 3; ++drained)
            follow(session, run, story, [&, once = false](const Story&) mutable {
                return std::exchange(once, true) || story.last.checkpoint != nullptr;
            });
        const auto checkpoint = story.last.checkpoint;
        CHECK(checkpoint || twins);  // a twin may have been left behind
        if (checkpoint) CHECK(stepsDone(*checkpoint) == std::int64_t(story.points.size()));
        with += checkpoint != nullptr;
        session.end();  // again: nothing more
    }
    CHECK(with >= 25);
}

void whatCannotBeResumedIsRefused() {
    Session session;
    bool refused = false;
    try {
        session.requestCheckpoint();
    } catch (const Refusal&) {
        refused = true;
    }
    CHECK(refused);
    Story story;
    const RunId run = session.restart(tiny(100), true);
    auto checkpoint = *checkpointOf(session, run, story);
    checkpoint.first.modes.pop_back();
    refused = false;
    try {
        session.resume(std::make_shared<const Checkpoint>(checkpoint));
    } catch (const Refusal&) {
        refused = true;
    }
    CHECK(refused && session.drain().run == run);
}

}  // namespace

int main() {
    runTests({
        {"a checkpoint carries on with the same bits", aCheckpointCarriesOnWithTheSameBits},
        {"a finished run is finished again", aFinishedRunIsFinishedAgain},
        {"a diverged twin is diverged again", aDivergedTwinIsDivergedAgain},
        {"a checkpoint has what was commanded before it", aCheckpointHasWhatWasCommandedBeforeIt},
        {"a checkpoint comes though a restart follows at once", aCheckpointComesThoughARestartFollowsAtOnce},
        {"every run that a checkpoint was asked of gives it", everyRunThatACheckpointWasAskedOfGivesIt},
        {"a checkpoint comes though the end follows at once", aCheckpointComesThoughTheEndFollowsAtOnce},
        {"an ended session tells the rest with a checkpoint", anEndedSessionTellsTheRestWithACheckpoint},
        {"what cannot be resumed is refused", whatCannotBeResumedIsRefused},
    });
}
