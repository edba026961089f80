#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "engine/training/checkpoint.h"
#include "engine/training/session.h"
#include "engine/training/trainer.h"
#include "tests/engine/training/session_story.h"

using namespace headscope;

namespace {

std::atomic<std::size_t> g_largest_allocation{SIZE_MAX};  // a larger one fails

}  // namespace

// Not inline, or the compiler takes the default lags for uninitialized.
[[gnu::noinline]] void* operator new(std::size_t size) {
    void* memory = size <= g_largest_allocation ? std::malloc(size) : nullptr;
    if (!memory) throw std::bad_alloc();
    return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

void aNewSessionIsIdle() {
    Session session;
    session.requestSnapshot();
    session.setPaused(true);
    session.step();
    const Update update = session.drain();
    CHECK(update.run == 0 && update.state == RunState::Idle && update.points.empty() && !update.snapshot);
}

void aRunTellsItsWholeStory() {
    Trainer trainer(lesson(100));
    const Snapshot first = *trainer.snapshot();
    std::vector<LossPoint> expected;
    for (int i = 0; i < 100; ++i) expected.push_back(trainer.step());
    const Snapshot last = *trainer.snapshot();

    Session session;
    const RunId run = session.restart(lesson(100), true);
    Story story;
    follow(session, run, story, [](const Story& s) { return !s.snapshots.empty(); });
    CHECK(story.last.state == RunState::Paused);
    CHECK(sameBits(story.snapshots[0]->weights, first.weights));  // unasked, of the untrained model
    session.setPaused(false);
    follow(session, run, story, [](const Story& s) { return isTerminal(s.last.state); });
    CHECK(story.last.state == RunState::Finished);
    CHECK(story.points == expected);
    CHECK(story.snapshots.back()->steps_done == 100);  // unasked, not later than the end
    CHECK(sameBits(story.snapshots.back()->weights, last.weights));
    CHECK(story.last.experiment == lesson(100));
    CHECK(story.last.message.empty());
}

void pausesPacesAndSnapshotsChangeNoBit() {
    Session session;
    const Story plain = followToEnd(session, session.restart(lesson(300)));
    const RunId run = session.restart(lesson(300), true);
    Story disturbed;
    session.step();
    session.requestSnapshot();
    follow(session, run, disturbed,
           [](const Story& s) { return !s.snapshots.empty() && s.snapshots.back()->steps_done == 1; });
    session.setPaused(false);
    for (std::size_t goal = 10; goal <= 300; goal += 10) {
        session.requestSnapshot();
        follow(session, run, disturbed, [&](const Story& s) { return s.points.size() >= goal; });
        session.setPace(goal % 20 == 0 ? 5000 : kUnlimitedPace);
        session.setPaused(true);
        if (goal % 30 == 0) session.step();
        session.setPaused(false);
    }
    follow(session, run, disturbed, [](const Story& s) { return isTerminal(s.last.state); });
    CHECK(disturbed.points == plain.points);
    CHECK(sameBits(disturbed.snapshots.back()->weights, plain.snapshots.back()->weights));
    CHECK(disturbed.snapshots.size() > 2);
}

void everyStepOfAPausedRunIsOne() {
    Session session;
    const RunId run = session.restart(tiny(1000), true);
    session.setPace(1e-9);  // does not matter while paused
    for (int i = 0; i < 7; ++i) session.step();
    session.setPaused(true);  // takes none of them back
    Story story;
    follow(session, run, story, [](const Story& s) { return s.points.size() == 7; });
    CHECK(story.last.state == RunState::Paused);
    session.requestSnapshot();
    follow(session, run, story, [](const Story& s) { return s.snapshots.back()->steps_done == 7; });
    CHECK(story.points.size() == 7);
    const std::size_t shown = story.snapshots.size();
    for (std::size_t goal = 8; goal < 60; ++goal) {
        session.step();
        follow(session, run, story, [&](const Story& s) { return s.points.size() == goal; });
    }
    CHECK(story.snapshots.size() == shown);  // one request, one snapshot
    session.setPace(kUnlimitedPace);
    session.setPaused(false);
    follow(session, run, story, [](const Story& s) { return s.last.state == RunState::Finished; });
    session.step();
    session.requestSnapshot();
    CHECK(session.drain().steps_done == 1000);
}

void aRestartDropsTheOldRun() {
    Session session;
    const RunId first = session.restart(tiny(1'000'000'000));
    Story story;
    follow(session, first, story, [](const Story& s) { return s.points.size() >= 50; });
    const RunId second = session.restart(tiny(20));
    CHECK(second != first);
    const Story whole = followToEnd(session, second);  // checks that it begins at step 0
    CHECK(whole.points.size() == 20);
}

void anInvalidExperimentLeavesTheRunAlone() {
    Session session;
    const RunId run = session.restart(lesson(200));
    Experiment wrong;
    wrong.model.n_heads = 5;
    bool refused = false;
    try {
        session.restart(wrong);
    } catch (const Refusal&) {
        refused = true;
    }
    CHECK(refused);
    CHECK(followToEnd(session, run).points.size() == 200);
}

void carryingOnChangesTheRunningModel() {
    Session session;
    CHECK(isRefused([&] { session.carryOn(lesson(1)); }));
    Experiment e = lesson(1'000'000);
    const RunId run = session.restart(e, true);
    e.model.n_heads = 8, e.model.scale_scores = false;
    session.carryOn(e);
    session.requestSnapshot();
    Story story;
    follow(session, run, story, [&](const Story& s) {
        return !s.snapshots.empty() && s.snapshots.back()->experiment == e && s.last.experiment == e;
    });
    CHECK(story.snapshots.back()->weights.size() == 8u * 12 * 12);
    CHECK(story.points.empty());
    Experiment longer = e;
    longer.model.context_length = 13;
    CHECK(isRefused([&] { session.carryOn(longer); }));
    longer = e, longer.learning_rate = -1;
    CHECK(isRefused([&] { session.carryOn(longer); }));

    e.steps = 10, e.model.n_heads = 4;
    const RunId finished = session.restart(e);
    Story end = followToEnd(session, finished);
    e.model.n_heads = 2;
    session.carryOn(e);
    session.requestSnapshot();
    follow(session, finished, end, [&](const Story& s) { return s.snapshots.back()->experiment == e; });
    CHECK(end.snapshots.back()->steps_done == 10);
}

void aDivergedRunEndsAndAnotherStarts() {
    Session session;
    Experiment e = lesson(100);
    e.learning_rate = 1e30;
    const Story story = followToEnd(session, session.restart(e));
    CHECK(story.last.state == RunState::Diverged);
    CHECK(story.last.steps_done == 1 && story.points.size() == 1);
    CHECK(story.last.message.empty());
    e.learning_rate = 1e-3;
    CHECK(isRefused([&] { session.carryOn(e); }));
    session.requestSnapshot();
    session.step();
    CHECK(followToEnd(session, session.restart(e)).last.state == RunState::Finished);
}

void aFailedRunSaysWhyAndAnotherStarts() {
    Session session;
    g_largest_allocation = 1 << 20;
    Experiment e = lesson(10);
    e.model.n_heads = 1, e.model.context_length = 1024;  // tokens 64 KiB, a snapshot 4 MiB
    e.batch_size = 1;
    Story story = followToEnd(session, session.restart(e));
    CHECK(story.last.state == RunState::Failed);
    CHECK(story.last.message == "there is not enough memory for this model");
    CHECK(isRefused([&] { session.carryOn(e); }));
    e.batch_size = 512;  // tokens 2 MiB: not even a trainer
    story = followToEnd(session, session.restart(e));
    CHECK(story.last.state == RunState::Failed && story.points.empty() && story.snapshots.empty());
    g_largest_allocation = SIZE_MAX;
    CHECK(followToEnd(session, session.restart(lesson(10))).last.state == RunState::Finished);
}

void pacesAreRefusedOrKept() {
    Session session;
    for (const double pace : {0.0, -1.0, std::nan(""), -kUnlimitedPace}) {
        bool refused = false;
        try {
            session.setPace(pace);
        } catch (const Refusal&) {
            refused = true;
        }
        CHECK(refused);
    }
    session.setPace(1e-300);  // the first step is due at once, the next one never
    const RunId run = session.restart(lesson(50));
    Story story;
    follow(session, run, story, [](const Story& s) { return s.points.size() == 1; });
    session.requestSnapshot();
    follow(session, run, story, [](const Story& s) { return s.snapshots.back()->steps_done == 1; });
    session.setPace(kUnlimitedPace);  // takes effect at once, or this would not end
    follow(session, run, story, [](const Story& s) { return isTerminal(s.last.state); });
    CHECK(story.points.size() == 50);
}

void theRateIsTold() {
    Session session;
    const RunId run = session.restart(lesson(1'000'000'000));
    Story story;
    follow(session, run, story, [](const Story& s) { return s.last.steps_per_second > 0; });
    session.setPaused(true);
    follow(session, run, story, [](const Story& s) { return s.last.state == RunState::Paused; });
    CHECK(story.last.steps_per_second == 0);
}

void sessionsEndAtBadMoments() {
    { Session never; }
    for (int i = 0; i < 30; ++i) {
        Session session;
        session.restart(slow());  // in the trainer's making, in a snapshot, in a step
        for (int j = 0; j < i * i; ++j) session.requestSnapshot(), session.drain();
    }
    {
        Session paused;
        const RunId run = paused.restart(lesson(10), true);
        Story story;
        follow(paused, run, story, [](const Story& s) { return !s.snapshots.empty(); });
    }
    {
        Session waiting;
        waiting.setPace(1e-3);
        const RunId run = waiting.restart(lesson(10));
        Story story;
        follow(waiting, run, story, [](const Story& s) { return s.points.size() == 1; });
    }
    {
        Session finished;
        followToEnd(finished, finished.restart(lesson(1)));
    }
}

void manyThreadsMayCommand() {
    Session session;
    std::atomic<bool> stop{false};
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&session, &stop, i] {
            for (int n = 0; !stop; ++n) {
                session.setPaused(n % 3 == i);
                session.step();
                session.setPace(n % 2 ? 1e6 : kUnlimitedPace);
                session.requestSnapshot();
                if (n % 50 == i)
                    session.restart(tiny(30), n % 100 == i ? std::optional(tiny(30)) : std::nullopt);
                try {
                    session.setHeadModes(modes(4, n % 2 ? HeadMode::Frozen : HeadMode::Muted));
                    session.setProbe({.row = n % 32});
                } catch (const Refusal&) {  // no run yet
                }
                session.drain();
            }
        });
    }
    for (int n = 0; n < 1000; ++n) session.drain();
    stop = true;
    threads.clear();
    CHECK(followToEnd(session, session.restart(tiny(30))).points.size() == 30);
}

/// Start, pause, restart, stop: a thousand times, at whatever moment it happens to be.
void aThousandCycles() {
    for (int i = 0; i < 1000; ++i) {
        Session session;
        session.restart(tiny(1'000'000));
        if (i % 2) session.requestSnapshot();
        if (i % 3) session.drain();
        session.setPaused(true);
        if (i % 5 == 0) session.step();
        if (i % 7 == 0) session.setPace(1000);
        session.setPaused(false);
        const RunId run = session.restart(tiny(3));
        session.setPace(kUnlimitedPace);
        if (i % 4) {
            const Story story = followToEnd(session, run);
            CHECK(story.last.state == RunState::Finished && story.points.size() == 3);
            CHECK(story.snapshots.back()->steps_done == 3);
        }
    }
}

}  // namespace

int main() {
    runTests({
        {"a new session is idle", aNewSessionIsIdle},
        {"a run tells its whole story", aRunTellsItsWholeStory},
        {"pauses, paces and snapshots change no bit", pausesPacesAndSnapshotsChangeNoBit},
        {"every step of a paused run is one", everyStepOfAPausedRunIsOne},
        {"a restart drops the old run", aRestartDropsTheOldRun},
        {"an invalid experiment leaves the run alone", anInvalidExperimentLeavesTheRunAlone},
        {"carrying on changes the running model", carryingOnChangesTheRunningModel},
        {"a diverged run ends and another starts", aDivergedRunEndsAndAnotherStarts},
        {"a failed run says why and another starts", aFailedRunSaysWhyAndAnotherStarts},
        {"paces are refused or kept", pacesAreRefusedOrKept},
        {"the rate is told", theRateIsTold},
        {"sessions end at bad moments", sessionsEndAtBadMoments},
        {"many threads may command", manyThreadsMayCommand},
        {"a thousand cycles", aThousandCycles},
    });
}
