#include "engine/training/session.h"

#include <cmath>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

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
    std::optional<Experiment> restart;
    std::optional<Experiment> carry_on;
    bool paused = false;
    int steps = 0;  // still to be made of a paused run
    double pace = kUnlimitedPace;
    bool snapshot = false;
};

/// What the engine's thread keeps of the run it is at.
struct Run {
    explicit Run(RunId run) : id(run) {}

    RunId id;
    std::optional<Trainer> trainer;
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
    void makeStep(Lock& lock, const std::stop_token& stop, TimePoint due);
    /// False when it was broken off or is not finite.
    bool takeSnapshot(Lock& lock, const std::stop_token& stop);
    void wait(Lock& lock, const std::stop_token& stop, TimePoint due);
    void fail(const char* message);
    /// False once a restart has been asked for: what the thread has in hand is of a run that is dropped.
    bool isCurrent() const { return run && run->id == update.run; }

    std::mutex mutex;  // guards what follows up to `update`
    std::condition_variable_any wake;
    bool changed = false;  // a command has come
    Commands commands;
    Update update;  // what drain() takes

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
    const Experiment experiment = std::move(*commands.restart);
    commands.restart.reset();
    const RunId id = update.run;
    {
        const Unlocked unlocked(lock);
        run.emplace(id);  // frees the old run's memory before the new one takes its own
        run->trainer.emplace(experiment);
    }
    takeSnapshot(lock, stop);
}

void Session::Impl::carryOn(Lock& lock) {
    const Experiment experiment = std::move(*commands.carry_on);
    commands.carry_on.reset();
    {
        const Unlocked unlocked(lock);
        run->trainer->carryOn(experiment);
    }
    run->shown = false;
    if (isCurrent()) update.experiment = experiment;
}

void Session::Impl::makeStep(Lock& lock, const std::stop_token& stop, TimePoint due) {
    LossPoint point;
    {
        const Unlocked unlocked(lock);
        point = run->trainer->step();
    }
    run->pacer.made(due);
    run->rate.made(now());
    if (!isCurrent()) return;
    if (!std::isfinite(point.loss)) {
        update.state = RunState::Diverged;
        run->shown = true;  // as much as it ever will be: nothing comes after the end
        return;
    }
    run->shown = false;
    update.points.push_back(point);
    update.steps_done = run->trainer->stepsDone();
    update.steps_per_second = run->rate.stepsPerSecond();
    if (update.steps_done < run->trainer->experiment().steps) return;
    takeSnapshot(lock, stop);
    if (isCurrent()) update.state = RunState::Finished;
}

bool Session::Impl::takeSnapshot(Lock& lock, const std::stop_token& stop) {
    std::shared_ptr<const Snapshot> made;
    {
        const Unlocked unlocked(lock);
        const TimePoint from = now();
        auto snapshot = run->trainer->snapshot([&] {
            const std::lock_guard guard(mutex);
            return commands.restart || stop.stop_requested();
        });
        if (snapshot) made = std::make_shared<const Snapshot>(std::move(*snapshot));
        run->snapshots.spent(from, now());
    }
    run->shown = true;
    if (!made) return false;
    if (isCurrent()) update.snapshot = std::move(made);
    return true;
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

Session::Session() : m_impl(std::make_unique<Impl>()) {}

Session::~Session() = default;

RunId Session::restart(const Experiment& experiment, bool paused) {
    requireValid(experiment);
    RunId id = 0;
    m_impl->command([&](Commands& commands) {
        Update fresh;
        id = fresh.run = m_impl->update.run + 1;
        fresh.experiment = experiment;
        fresh.state = paused ? RunState::Paused : RunState::Running;
        commands.restart = experiment;
        commands.carry_on.reset();
        commands.paused = paused;
        commands.steps = 0;
        m_impl->update = std::move(fresh);
    });
    return id;
}

void Session::carryOn(const Experiment& experiment) {
    m_impl->command([&](Commands& commands) {
        const Update& update = m_impl->update;
        if (update.state == RunState::Idle) throw Refusal("there is no run to carry on with");
        if (update.state == RunState::Diverged || update.state == RunState::Failed)
            throw Refusal("this run has no weights to carry on with: restart it");
        requireCarryOn(update.experiment, experiment);
        commands.carry_on = experiment;
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

Update Session::drain() {
    const std::lock_guard guard(m_impl->mutex);
    Update& update = m_impl->update;
    auto points = std::exchange(update.points, {});
    auto snapshot = std::exchange(update.snapshot, nullptr);
    Update taken = update;
    taken.points = std::move(points);
    taken.snapshot = std::move(snapshot);
    return taken;
}

}  // namespace headscope
