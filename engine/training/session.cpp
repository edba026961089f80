#include "engine/training/session.h"

#include <optional>
#include <utility>

#include "engine/training/checkpoint.h"
#include "engine/training/session_thread.h"

namespace headscope {
namespace {

/// Throws Refusal where there are no weights to do anything with, and none to come.
void requireWeights(const Update& now) {
    if (now.state == RunState::Idle) throw Refusal("there is no run to carry on with");
    if (now.state == RunState::Diverged || now.state == RunState::Failed)
        throw Refusal("this run has no weights to carry on with: restart it");
}

}  // namespace

Session::Session() : m_thread(std::make_unique<SessionThread>()) {}

Session::~Session() = default;

RunId Session::restart(const Experiment& experiment, bool paused) {
    return restart(experiment, std::nullopt, paused);
}

RunId Session::restart(const Experiment& experiment, const std::optional<Experiment>& twin, bool paused) {
    requireValid(experiment);
    if (twin) requireTwins(experiment, *twin);
    Update fresh;
    fresh.experiment = experiment;
    fresh.twin = twin;
    fresh.modes.assign(static_cast<std::size_t>(experiment.model.n_heads), HeadMode::Trained);
    fresh.state = paused ? RunState::Paused : RunState::Running;
    return m_thread->begin({experiment, twin, nullptr}, std::move(fresh));
}

RunId Session::resume(std::shared_ptr<const Checkpoint> checkpoint, bool paused) {
    requireValid(*checkpoint);
    const TrainerState& first = checkpoint->first;
    Update fresh;
    fresh.experiment = first.experiment;
    if (checkpoint->twin) fresh.twin = checkpoint->twin->experiment;
    fresh.modes = first.modes;
    fresh.steps_done = stepsDone(*checkpoint);
    fresh.state = checkpoint->diverged                         ? RunState::Diverged
                  : fresh.steps_done >= first.experiment.steps ? RunState::Finished
                  : paused                                     ? RunState::Paused
                                                               : RunState::Running;
    fresh.diverged = checkpoint->diverged.value_or(TwinSide::First);
    Commands::Restart restart{fresh.experiment, fresh.twin, std::move(checkpoint)};
    return m_thread->begin(std::move(restart), std::move(fresh));
}

void Session::carryOn(const Experiment& experiment) {
    m_thread->command([&](Commands& commands, const Update& now) {
        requireWeights(now);
        requireCarryOn(now.experiment, experiment);
        if (now.twin) requireTwins(experiment, *now.twin);
        if (commands.modes && commands.modes->size() != static_cast<std::size_t>(experiment.model.n_heads))
            commands.modes.reset();  // of other heads
        commands.carry_on = experiment;
    });
}

void Session::setHeadModes(const std::vector<HeadMode>& modes) {
    m_thread->command([&](Commands& commands, const Update& now) {
        requireWeights(now);
        const Experiment& experiment = commands.carry_on ? *commands.carry_on : now.experiment;
        requireHeadModes(modes, experiment.model.n_heads);
        commands.modes = modes;
    });
}

void Session::setProbe(const Probe& probe) {
    m_thread->command([&](Commands& commands, const Update& now) {
        if (now.state == RunState::Idle) throw Refusal("there is no run to probe");
        requireValid(probe, now.experiment.model);
        commands.probe = probe;
    });
}

void Session::setPaused(bool paused) {
    m_thread->command([&](Commands& commands, const Update&) {
        commands.paused = paused;
        if (!paused) commands.steps = 0;
    });
}

void Session::step() {
    m_thread->command([](Commands& commands, const Update&) {
        if (commands.paused) ++commands.steps;
    });
}

void Session::setPace(double steps_per_second) {
    if (!(steps_per_second > 0)) throw Refusal("the pace must be more than 0 steps per second");
    m_thread->command([&](Commands& commands, const Update&) { commands.pace = steps_per_second; });
}

void Session::requestSnapshot() {
    m_thread->command([](Commands& commands, const Update&) { commands.snapshot = true; });
}

RunId Session::requestCheckpoint() {
    RunId run = 0;
    m_thread->command([&run](Commands& commands, const Update& now) {
        if (now.state == RunState::Idle || now.state == RunState::Failed)
            throw Refusal("there is no run to save");
        commands.checkpoint = true;
        run = now.run;
    });
    return run;
}

Update Session::drain() { return m_thread->drain(); }

void Session::end() { m_thread->end(); }

}  // namespace headscope
