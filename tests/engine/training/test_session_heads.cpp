#include "engine/training/session.h"
#include "tests/engine/training/session_story.h"

using namespace headscope;

namespace {

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

}  // namespace

int main() {
    runTests({
        {"heads are muted and unmuted in the running model", headsAreMutedAndUnmutedInTheRunningModel},
        {"head modes are those of the heads that are coming", headModesAreThoseOfTheHeadsThatAreComing},
        {"a probe shows what it asks for", aProbeShowsWhatItAsksFor},
    });
}
