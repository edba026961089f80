#include "engine/training/session.h"

#include <cmath>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "engine/training/checkpoint.h"
#include "engine/training/pace.h"
#include "engine/training/trainer.h"

namespace headscope {
namespace {

TimePoint now() { return std::chrono::steady_clock::now(); }

/// Lets go of a lock while something long is done.
class Unlocked {
public:
    explicit Unlocked(std::unique_lock<std::mutex>& lock) : m_lock(lock) { m_lock.unlock(); }
    ~Unlocked() { m_lock.lock(); }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

private:
    std::unique_lock<std::mutex>& m_lock;
};

/// What is wanted of the engine's thread. The latest value counts.
struct Commands {
    struct Restart {
        Experiment experiment;
        std::optional<Experiment> twin;
        std::shared_ptr<const Checkpoint> from;  // where it goes on; null where it begins
    };
    std::optional<Restart> restart;
    std::optional<Experiment> carry_on;
    std::optional<std::vector<HeadMode>> modes;
    std::optional<Probe> probe;
    bool paused = false;
    int steps = 0;  // still to be made of a paused run
    double pace = kUnlimitedPace;
    bool snapshot = false;
    bool checkpoint = false;
};

/// What the engine's thread keeps of the run it is at.
struct Run {
    explicit Run(RunId run) : id(run) {}

    RunId id;
    std::optional<Trainer> trainer;
    std::optional<Trainer> twin;  // as many steps on as the other
    Probe probe;
    Pacer pacer;
    Budget snapshots;
    RateMeter rate;
    bool shown = false;  // the last snapshot is of the model as it is
};

}  // namespace

struct Session::Impl {
    using Lock = std::unique_lock<std::mutex>;

    /// Changes the commands under the mutex and wakes the thread. What `change` throws changes nothing.
    template <typename Change>
    void command(const Change& change) {
        const std::lock_guard guard(mutex);
        change(commands);
        changed = true;
        wake.notify_one();
    }

    void work(const std::stop_token& stop);
    /// Does the next thing there is to do; false when there is nothing but to wait until `due`.
    bool advance(Lock& lock, const std::stop_token& stop, TimePoint& due);
    void start(Lock& lock, const std::stop_token& stop);
    void carryOn(Lock& lock);
    void setHeadModes(Lock& lock);
    /// A snapshot of the model as it is would show something new: not after the end of a diverged one.
    void showAgain() { run->shown = update.state == RunState::Diverged; }
    void makeStep(Lock& lock, const std::stop_token& stop, TimePoint due);
    /// False when it was broken off or is not finite.
    bool takeSnapshot(Lock& lock, const std::stop_token& stop);
    void takeCheckpoint(Lock& lock);
    Checkpoint checkpoint(std::optional<TwinSide> diverged) const;
    std::optional<TwinSide> diverged() const;
    /// The thread is gone: adds where it left the run.
    void close();
    /// A new run, to be started by the thread.
    RunId begin(Commands::Restart restart, Update fresh);
    /// What came since the last call.
    Update take();
    void wait(Lock& lock, const std::stop_token& stop, TimePoint due);
    void fail(const char* message);
    /// False once a restart has been asked for: what the thread has in hand is of a run that is dropped.
    bool isCurrent() const { return run && run->id == update.run; }
    /// Throws Refusal where there are no weights to do anything with, and none to come.
    void requireWeights() const;

    std::mutex mutex;  // guards what follows up to `update`
    std::condition_variable_any wake;
    bool changed = false;  // a command has come
    Commands commands;
    Update update;                  // what drain() takes
    std::optional<Update> checked;  // what it takes before: up to a checkpoint

    std::optional<Run> run;                                                    // the thread's own
    std::jthread thread{[this](const std::stop_token& stop) { work(stop); }};  // last: ends before the rest
};

void Session::Impl::work(const std::stop_token& stop) {
    Lock lock(mutex);
    while (!stop.stop_requested()) {
        TimePoint due;
        try {
            if (!advance(lock, stop, due)) wait(lock, stop, due);
        } catch (const std::bad_alloc&) {
            fail("there is not enough memory for this model");
        } catch (const std::exception& error) {
            fail(error.what());
        }
    }
}

bool Session::Impl::advance(Lock& lock, const std::stop_token& stop, TimePoint& due) {
    due = TimePoint::max();
    changed = false;
    if (commands.restart) {
        start(lock, stop);
        return true;
    }
    if (!run) return false;
    if (commands.carry_on) {
        carryOn(lock);
        return true;
    }
    if (commands.modes) {
        setHeadModes(lock);
        return true;
    }
    if (commands.probe) {
        run->probe = *std::exchange(commands.probe, std::nullopt);
        showAgain();
        return true;
    }

    if (commands.checkpoint && !checked) {
        commands.checkpoint = false;
        takeCheckpoint(lock);
        return true;
    }

    const bool single = commands.paused && commands.steps > 0;
    if (!isTerminal(update.state)) {
        update.state = commands.paused ? RunState::Paused : RunState::Running;
        if (single) due = now();
        if (!commands.paused) due = run->pacer.due(now(), commands.pace);
    }
    const bool atOnce = due <= now();
    if (commands.snapshot && !run->shown && (!atOnce || run->snapshots.allows(now()))) {
        commands.snapshot = false;  // one that comes meanwhile asks for the next
        if (!takeSnapshot(lock, stop)) commands.snapshot = true;
        return true;
    }
    if (!atOnce) {
        if (update.state == RunState::Paused) {
            run->rate = {};
            update.steps_per_second = 0;
        }
        return false;
    }
    if (single) --commands.steps;
    makeStep(lock, stop, due);
    return true;
}

void Session::Impl::start(Lock& lock, const std::stop_token& stop) {
    const Commands::Restart restart = *std::exchange(commands.restart, std::nullopt);
    const RunId id = update.run;
    {
        const Unlocked unlocked(lock);
        run.emplace(id);  // frees the old run's memory before the new one takes its own
        if (restart.from) {
            run->trainer.emplace(restart.from->first);
            if (restart.from->twin) run->twin.emplace(*restart.from->twin);
        } else {
            run->trainer.emplace(restart.experiment);
            if (restart.twin) run->twin.emplace(*restart.twin);
        }
    }
    if (isCurrent() && update.state == RunState::Diverged)
        showAgain();
    else
        takeSnapshot(lock, stop);
}

void Session::Impl::carryOn(Lock& lock) {
    const Experiment experiment = *std::exchange(commands.carry_on, std::nullopt);
    // Told before it is done: what is commanded meanwhile is meant for these heads.
    if (experiment.model.n_heads != update.experiment.model.n_heads)
        update.modes.assign(static_cast<std::size_t>(experiment.model.n_heads), HeadMode::Trained);
    update.experiment = experiment;
    {
        const Unlocked unlocked(lock);
        run->trainer->carryOn(experiment);
    }
    showAgain();
}

void Session::Impl::setHeadModes(Lock& lock) {
    const std::vector<HeadMode> modes = *std::exchange(commands.modes, std::nullopt);
    {
        const Unlocked unlocked(lock);
        run->trainer->setHeadModes(modes);
        if (run->twin && run->twin->headModes().size() == modes.size()) run->twin->setHeadModes(modes);
    }
    showAgain();
    if (!isCurrent()) return;
    for (std::size_t h = 0; h < modes.size(); ++h)
        if (modes[h] != update.modes[h])
            update.head_changes.push_back({update.steps_done, static_cast<int>(h), modes[h]});
    update.modes = modes;
}

void Session::Impl::makeStep(Lock& lock, const std::stop_token& stop, TimePoint due) {
    LossPoint point, twin_point;
    {
        const Unlocked unlocked(lock);
        point = run->trainer->step();
        if (run->twin) {
            if (stop.stop_requested()) return;
            twin_point = run->twin->step();
        }
    }
    run->pacer.made(due);
    run->rate.made(now());
    if (!isCurrent()) return;
    const bool finite = std::isfinite(point.loss), twin_finite = std::isfinite(twin_point.loss);
    if (!finite || !twin_finite) {
        update.state = RunState::Diverged;
        update.diverged = finite ? TwinSide::Twin : twin_finite ? TwinSide::First : TwinSide::Both;
        run->shown = true;  // as much as it ever will be: nothing comes after the end
        return;
    }
    run->shown = false;
    update.points.push_back(point);
    if (run->twin) update.twin_points.push_back(twin_point);
    update.steps_done = run->trainer->stepsDone();
    update.steps_per_second = run->rate.stepsPerSecond();
    if (update.steps_done < run->trainer->experiment().steps) return;
    takeSnapshot(lock, stop);
    if (isCurrent()) update.state = RunState::Finished;
}

bool Session::Impl::takeSnapshot(Lock& lock, const std::stop_token& stop) {
    std::shared_ptr<const Snapshot> made, twin;
    {
        const Unlocked unlocked(lock);
        const TimePoint from = now();
        const auto cancelled = [&] {
            const std::lock_guard guard(mutex);
            return commands.restart || stop.stop_requested();
        };
        const auto of = [&](const Trainer& trainer) -> std::shared_ptr<const Snapshot> {
            auto snapshot = trainer.snapshot(run->probe, cancelled);
            return snapshot ? std::make_shared<const Snapshot>(std::move(*snapshot)) : nullptr;
        };
        made = of(*run->trainer);
        if (made && run->twin) twin = of(*run->twin);
        run->snapshots.spent(from, now());
    }
    run->shown = true;
    if (!made || (run->twin && !twin)) return false;
    if (isCurrent()) {
        update.snapshot = std::move(made);
        update.twin_snapshot = std::move(twin);
    }
    return true;
}

void Session::Impl::takeCheckpoint(Lock& lock) {
    std::shared_ptr<const Checkpoint> made;
    const std::optional<TwinSide> side = diverged();
    {
        const Unlocked unlocked(lock);
        try {
            made = std::make_shared<const Checkpoint>(checkpoint(side));
        } catch (const std::bad_alloc&) {
            return;  // the run goes on without
        }
    }
    if (!isCurrent()) return;
    update.checkpoint = std::move(made);
    checked = take();
}

std::optional<TwinSide> Session::Impl::diverged() const {
    return update.state == RunState::Diverged ? std::optional(update.diverged) : std::nullopt;
}

Checkpoint Session::Impl::checkpoint(std::optional<TwinSide> side) const {
    Checkpoint made{run->trainer->state(), std::nullopt, side};
    if (run->twin) made.twin = run->twin->state();
    return made;
}

void Session::Impl::close() {
    if (!isCurrent() || !run->trainer) return;
    const auto side = diverged();
    if (run->twin && run->twin->stepsDone() != run->trainer->stepsDone() && !side) return;
    update.checkpoint = std::make_shared<const Checkpoint>(checkpoint(side));
}

void Session::Impl::wait(Lock& lock, const std::stop_token& stop, TimePoint due) {
    constexpr std::chrono::hours kLongest{1};  // a later deadline may be beyond what the clock can count
    const auto latest = std::chrono::steady_clock::now() + kLongest;
    const auto commanded = [this] { return changed; };
    if (due > latest)
        wake.wait_until(lock, stop, latest, commanded);
    else
        wake.wait_until(lock, stop, std::chrono::ceil<std::chrono::steady_clock::duration>(due), commanded);
}

void Session::Impl::fail(const char* message) {
    if (isCurrent()) {
        update.state = RunState::Failed;
        update.message = message;
    }
    run.reset();
}

void Session::Impl::requireWeights() const {
    if (update.state == RunState::Idle) throw Refusal("there is no run to carry on with");
    if (update.state == RunState::Diverged || update.state == RunState::Failed)
        throw Refusal("this run has no weights to carry on with: restart it");
}

Session::Session() : m_impl(std::make_unique<Impl>()) {}

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
    return m_impl->begin({experiment, twin, nullptr}, std::move(fresh));
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
    return m_impl->begin(std::move(restart), std::move(fresh));
}

RunId Session::Impl::begin(Commands::Restart restart, Update fresh) {
    RunId id = 0;
    command([&](Commands&) {
        Commands next;
        next.restart = std::move(restart);
        next.paused = fresh.state == RunState::Paused;
        next.pace = commands.pace;
        next.snapshot = commands.snapshot;
        commands = std::move(next);
        id = fresh.run = update.run + 1;
        update = std::move(fresh);
        checked.reset();
    });
    return id;
}

void Session::carryOn(const Experiment& experiment) {
    m_impl->command([&](Commands& commands) {
        m_impl->requireWeights();
        requireCarryOn(m_impl->update.experiment, experiment);
        if (m_impl->update.twin) requireTwins(experiment, *m_impl->update.twin);
        if (commands.modes && commands.modes->size() != static_cast<std::size_t>(experiment.model.n_heads))
            commands.modes.reset();  // of other heads
        commands.carry_on = experiment;
    });
}

void Session::setHeadModes(const std::vector<HeadMode>& modes) {
    m_impl->command([&](Commands& commands) {
        m_impl->requireWeights();
        const Experiment& experiment = commands.carry_on ? *commands.carry_on : m_impl->update.experiment;
        requireHeadModes(modes, experiment.model.n_heads);
        commands.modes = modes;
    });
}

void Session::setProbe(const Probe& probe) {
    m_impl->command([&](Commands& commands) {
        if (m_impl->update.state == RunState::Idle) throw Refusal("there is no run to probe");
        requireValid(probe, m_impl->update.experiment.model);
        commands.probe = probe;
    });
}

void Session::setPaused(bool paused) {
    m_impl->command([&](Commands& commands) {
        commands.paused = paused;
        if (!paused) commands.steps = 0;
    });
}

void Session::step() {
    m_impl->command([](Commands& commands) {
        if (commands.paused) ++commands.steps;
    });
}

void Session::setPace(double steps_per_second) {
    if (!(steps_per_second > 0)) throw Refusal("the pace must be more than 0 steps per second");
    m_impl->command([&](Commands& commands) { commands.pace = steps_per_second; });
}

void Session::requestSnapshot() {
    m_impl->command([](Commands& commands) { commands.snapshot = true; });
}

void Session::requestCheckpoint() {
    m_impl->command([&](Commands& commands) {
        const RunState state = m_impl->update.state;
        if (state == RunState::Idle || state == RunState::Failed) throw Refusal("there is no run to save");
        commands.checkpoint = true;
    });
}

Update Session::drain() {
    const std::lock_guard guard(m_impl->mutex);
    if (!m_impl->checked) return m_impl->take();
    Update checked = *std::exchange(m_impl->checked, std::nullopt);
    m_impl->changed = true;  // another checkpoint may be wanted by now
    m_impl->wake.notify_one();
    return checked;
}

void Session::end() {
    m_impl->thread.request_stop();
    if (m_impl->thread.joinable()) m_impl->thread.join();
    const std::lock_guard guard(m_impl->mutex);
    m_impl->close();
}

Update Session::Impl::take() {
    auto points = std::exchange(update.points, {});
    auto twin_points = std::exchange(update.twin_points, {});
    auto head_changes = std::exchange(update.head_changes, {});
    auto snapshot = std::exchange(update.snapshot, nullptr);
    auto twin_snapshot = std::exchange(update.twin_snapshot, nullptr);
    auto asked = std::exchange(update.checkpoint, nullptr);
    Update taken = update;
    taken.points = std::move(points);
    taken.twin_points = std::move(twin_points);
    taken.head_changes = std::move(head_changes);
    taken.snapshot = std::move(snapshot);
    taken.twin_snapshot = std::move(twin_snapshot);
    taken.checkpoint = std::move(asked);
    return taken;
}

}  // namespace headscope
