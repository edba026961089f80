// A plain program: Qt Test's watchdog and the thread sanitizer do not go together.

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <thread>

#include "engine/training/checkpoint.h"
#include "engine/training/session.h"
#include "engine/training/trainer.h"

using namespace headscope;

namespace {

std::atomic<std::size_t> g_largest_allocation{SIZE_MAX};  // a larger one fails

#define CHECK(condition)                                                                 \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            std::exit(1);                                                                \
        }                                                                                \
    } while (false)

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

Experiment lesson(int steps) {
    Experiment e;
    e.steps = steps;
    return e;
}

/// So small that the thread is all that takes time.
Experiment tiny(int steps) {
    Experiment e;
    e.model.vocab_size = e.model.d_model = e.model.n_heads = e.model.context_length = 4;
    e.batch_size = 1;
    e.steps = steps;
    return e;
}

/// So large a step that a test can act while it is made.
Experiment slow() {
    Experiment e;
    e.model.d_model = 256, e.model.context_length = 128;
    return e;
}

/// All that a run has told.
struct Story {
    std::vector<LossPoint> points;
    std::vector<std::shared_ptr<const Snapshot>> snapshots;
    std::vector<LossPoint> twin_points;
    std::vector<std::shared_ptr<const Snapshot>> twin_snapshots;
    std::vector<HeadChange> head_changes;
    Update last;
};

/// Drains until `enough`, checking what holds of every stream of updates.
void follow(Session& session, RunId run, Story& story, const std::function<bool(const Story&)>& enough) {
    while (!enough(story)) {
        Update update = session.drain();
        CHECK(update.run == run);
        // Nothing comes after the end.
        CHECK(!isTerminal(story.last.state) || (update.points.empty() && update.state == story.last.state));
        CHECK(update.steps_done >= story.last.steps_done);
        for (const LossPoint& point : update.points) {
            CHECK(point.step == std::int64_t(story.points.size()));  // every one, once, in order
            CHECK(std::isfinite(point.loss));
            story.points.push_back(point);
        }
        CHECK(update.steps_done == std::int64_t(story.points.size()));
        CHECK(update.twin_points.size() == (update.twin ? update.points.size() : 0));
        for (std::size_t i = 0; i < update.twin_points.size(); ++i) {
            CHECK(update.twin_points[i].step == update.points[i].step);  // in lockstep
            story.twin_points.push_back(update.twin_points[i]);
        }
        CHECK(!update.twin_snapshot == !(update.twin && update.snapshot));
        if (update.twin_snapshot) {
            CHECK(update.twin_snapshot->steps_done == update.snapshot->steps_done);
            story.twin_snapshots.push_back(update.twin_snapshot);
        }
        story.head_changes.insert(story.head_changes.end(), update.head_changes.begin(),
                                  update.head_changes.end());
        if (update.snapshot) story.snapshots.push_back(update.snapshot);
        story.last = std::move(update);
        std::this_thread::yield();
    }
}

Story followToEnd(Session& session, RunId run) {
    Story story;
    follow(session, run, story, [](const Story& s) { return isTerminal(s.last.state); });
    return story;
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

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
    const RunId run = session.restart(lesson(300));
    Story disturbed;
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

bool carryOnIsRefused(Session& session, const Experiment& experiment) {
    try {
        session.carryOn(experiment);
    } catch (const Refusal&) {
        return true;
    }
    return false;
}

void carryingOnChangesTheRunningModel() {
    Session session;
    CHECK(carryOnIsRefused(session, lesson(1)));
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
    CHECK(carryOnIsRefused(session, longer));
    longer = e, longer.learning_rate = -1;
    CHECK(carryOnIsRefused(session, longer));

    e.steps = 10, e.model.n_heads = 4;
    const RunId finished = session.restart(e);
    Story end = followToEnd(session, finished);
    e.model.n_heads = 2;
    session.carryOn(e);
    session.requestSnapshot();
    follow(session, finished, end, [&](const Story& s) { return s.snapshots.back()->experiment == e; });
    CHECK(end.snapshots.back()->steps_done == 10);
}

bool isRefused(const std::function<void()>& command) {
    try {
        command();
    } catch (const Refusal&) {
        return true;
    }
    return false;
}

std::vector<HeadMode> modes(std::size_t heads, HeadMode mode) { return std::vector<HeadMode>(heads, mode); }

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

void headsAreMutedAndUnmutedInTheRunningModel() {
    Session session;
    CHECK(isRefused([&] { session.setHeadModes(modes(4, HeadMode::Muted)); }));
    const RunId run = session.restart(lesson(1'000'000), lesson(1'000'000), true);
    for (int i = 0; i < 5; ++i) session.step();
    Story story;
    follow(session, run, story, [](const Story& s) { return s.points.size() == 5; });
    CHECK(story.last.modes == modes(4, HeadMode::Trained));
    CHECK(isRefused([&] { session.setHeadModes(modes(3, HeadMode::Muted)); }));
    session.requestSnapshot();
    follow(session, run, story, [](const Story& s) { return s.snapshots.back()->steps_done == 5; });
    const Snapshot before = *story.snapshots.back();

    auto two = modes(4, HeadMode::Trained);
    two[1] = HeadMode::Muted, two[3] = HeadMode::Frozen;
    session.setHeadModes(two);
    session.requestSnapshot();  // the model is another now: it is shown without a step
    follow(session, run, story, [&](const Story& s) { return s.snapshots.back()->modes == two; });
    CHECK(story.last.modes == two);
    CHECK(story.twin_snapshots.back()->modes == two);
    CHECK((story.head_changes == std::vector<HeadChange>{{5, 1, HeadMode::Muted}, {5, 3, HeadMode::Frozen}}));
    CHECK(story.snapshots.back()->probe_loss != before.probe_loss);

    session.setHeadModes(modes(4, HeadMode::Trained));
    session.requestSnapshot();
    follow(session, run, story,
           [](const Story& s) { return s.snapshots.back()->modes == modes(4, HeadMode::Trained); });
    CHECK(story.snapshots.back()->probe_loss == before.probe_loss);
    CHECK(sameBits(story.snapshots.back()->weights, before.weights));
    CHECK(story.head_changes.size() == 4);

    session.restart(lesson(10), true);
    CHECK(session.drain().modes == modes(4, HeadMode::Trained));
}

void headModesAreThoseOfTheHeadsThatAreComing() {
    Session session;
    Experiment e = slow();
    const RunId run = session.restart(e, true);
    Story story;
    follow(session, run, story, [](const Story& s) { return !s.snapshots.empty(); });
    for (const int n_heads : {8, 4, 16, 2}) {
        e.model.n_heads = n_heads;
        session.carryOn(e);
        Update update;
        do {  // however far the re-splitting is
            session.setHeadModes(modes(std::size_t(n_heads), HeadMode::Muted));
            update = session.drain();
            CHECK(update.state == RunState::Paused);
            CHECK(update.modes.size() == std::size_t(update.experiment.model.n_heads));
        } while (update.modes != modes(std::size_t(n_heads), HeadMode::Muted));
    }
}

void aProbeShowsWhatItAsksFor() {
    Session session;
    CHECK(isRefused([&] { session.setProbe({}); }));
    const RunId run = session.restart(lesson(10), lesson(10), true);
    const Probe probe{.row = 2, .tokens = {}, .ripple = Ripple{4, 9}};
    session.setProbe(probe);
    CHECK(isRefused([&] { session.setProbe({.row = 99}); }));
    session.requestSnapshot();
    Story story;
    follow(session, run, story,
           [&](const Story& s) { return !s.snapshots.empty() && s.snapshots.back()->probe == probe; });
    CHECK(story.snapshots.back()->ripple.size() == 12);
    CHECK(story.twin_snapshots.back()->probe == probe);
    session.setPaused(false);
    follow(session, run, story, [](const Story& s) { return isTerminal(s.last.state); });
    CHECK(story.snapshots.back()->probe == probe);
    session.setProbe({});  // a finished run can still be looked at
    session.requestSnapshot();
    follow(session, run, story, [](const Story& s) { return s.snapshots.back()->probe == Probe{}; });
    CHECK(story.snapshots.back()->steps_done == 10);
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
    CHECK(carryOnIsRefused(session, e));
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
    CHECK(carryOnIsRefused(session, e));
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
    const std::pair<const char*, void (*)()> tests[] = {
        {"a new session is idle", aNewSessionIsIdle},
        {"a run tells its whole story", aRunTellsItsWholeStory},
        {"pauses, paces and snapshots change no bit", pausesPacesAndSnapshotsChangeNoBit},
        {"every step of a paused run is one", everyStepOfAPausedRunIsOne},
        {"a checkpoint carries on with the same bits", aCheckpointCarriesOnWithTheSameBits},
        {"a finished run is finished again", aFinishedRunIsFinishedAgain},
        {"a diverged twin is diverged again", aDivergedTwinIsDivergedAgain},
        {"a checkpoint has what was commanded before it", aCheckpointHasWhatWasCommandedBeforeIt},
        {"an ended session tells the rest with a checkpoint", anEndedSessionTellsTheRestWithACheckpoint},
        {"what cannot be resumed is refused", whatCannotBeResumedIsRefused},
        {"a restart drops the old run", aRestartDropsTheOldRun},
        {"an invalid experiment leaves the run alone", anInvalidExperimentLeavesTheRunAlone},
        {"carrying on changes the running model", carryingOnChangesTheRunningModel},
        {"equal twins are the same bit for bit", equalTwinsAreTheSameBitForBit},
        {"twins that differ each do what they would alone", twinsThatDifferEachDoWhatTheyWouldAlone},
        {"twins of other batches are refused", twinsOfOtherBatchesAreRefused},
        {"a twin that diverges ends the run", aTwinThatDivergesEndsTheRun},
        {"carrying on leaves the twin as it is", carryingOnLeavesTheTwinAsItIs},
        {"heads are muted and unmuted in the running model", headsAreMutedAndUnmutedInTheRunningModel},
        {"head modes are those of the heads that are coming", headModesAreThoseOfTheHeadsThatAreComing},
        {"a probe shows what it asks for", aProbeShowsWhatItAsksFor},
        {"a diverged run ends and another starts", aDivergedRunEndsAndAnotherStarts},
        {"a failed run says why and another starts", aFailedRunSaysWhyAndAnotherStarts},
        {"paces are refused or kept", pacesAreRefusedOrKept},
        {"the rate is told", theRateIsTold},
        {"sessions end at bad moments", sessionsEndAtBadMoments},
        {"many threads may command", manyThreadsMayCommand},
        {"a thousand cycles", aThousandCycles},
    };
    for (const auto& [name, test] : tests) {
        std::printf("%s\n", name);
        std::fflush(stdout);
        test();
    }
}
