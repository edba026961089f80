#include "engine/training/session_thread.h"

#include <chrono>
#include <exception>
#include <new>
#include <utility>

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

}  // namespace

RunId SessionThread::begin(Commands::Restart restart, Update fresh) {
    const std::lock_guard guard(m_mutex);
    Commands& commands = m_next.empty() ? m_commands : m_next.back().commands;
    Update& update = m_next.empty() ? m_update : m_next.back().update;
    Commands next;
    next.restart = std::move(restart);
    next.paused = fresh.state == RunState::Paused;
    next.pace = commands.pace;
    next.snapshot = commands.snapshot;
    const RunId run = fresh.run = update.run + 1;
    if (commands.checkpoint || (m_next.empty() && m_taking)) {
        m_next.push_back({std::move(next), std::move(fresh)});
    } else {
        commands = std::move(next);
        update = std::move(fresh);
    }
    wake();
    return run;
}

void SessionThread::goToNext() {
    m_commands = std::move(m_next.front().commands);
    m_update = std::move(m_next.front().update);
    m_next.pop_front();
}

Update SessionThread::drain() {
    const std::lock_guard guard(m_mutex);
    if (!m_checked) {
        Update taken = take();
        const bool has_ended = !m_thread.joinable();
        if (has_ended && !m_next.empty()) goToNext();
        return taken;
    }
    Update checked = *std::exchange(m_checked, std::nullopt);
    wake();  // another checkpoint may be wanted by now
    return checked;
}

void SessionThread::end() {
    m_thread.request_stop();
    if (m_thread.joinable()) m_thread.join();
    const std::lock_guard guard(m_mutex);
    if (!isCurrent() || !m_run->trainers) return;
    if (!m_run->trainers->inLockstep() && !diverged()) return;
    try {
        m_update.checkpoint = std::make_shared<const Checkpoint>(m_run->trainers->checkpoint(diverged()));
    } catch (const std::bad_alloc&) {
        m_update.checkpoint_failed = true;
    }
}

Update SessionThread::take() {
    auto points = std::exchange(m_update.points, {});
    auto twin_points = std::exchange(m_update.twin_points, {});
    auto head_changes = std::exchange(m_update.head_changes, {});
    auto snapshot = std::exchange(m_update.snapshot, nullptr);
    auto twin_snapshot = std::exchange(m_update.twin_snapshot, nullptr);
    auto asked = std::exchange(m_update.checkpoint, nullptr);
    const bool failed = std::exchange(m_update.checkpoint_failed, false);
    Update taken = m_update;
    taken.points = std::move(points);
    taken.twin_points = std::move(twin_points);
    taken.head_changes = std::move(head_changes);
    taken.snapshot = std::move(snapshot);
    taken.twin_snapshot = std::move(twin_snapshot);
    taken.checkpoint = std::move(asked);
    taken.checkpoint_failed = failed;
    return taken;
}

void SessionThread::wake() {
    m_changed = true;
    m_wake.notify_one();
}

void SessionThread::work(const std::stop_token& stop) {
    Lock lock(m_mutex);
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

void SessionThread::wait(Lock& lock, const std::stop_token& stop, TimePoint due) {
    constexpr std::chrono::hours kLongest{1};  // a later deadline may be beyond what the clock can count
    const auto latest = std::chrono::steady_clock::now() + kLongest;
    const auto commanded = [this] { return m_changed; };
    if (due > latest)
        m_wake.wait_until(lock, stop, latest, commanded);
    else
        m_wake.wait_until(lock, stop, std::chrono::ceil<std::chrono::steady_clock::duration>(due), commanded);
}

void SessionThread::fail(const char* message) {
    if (isCurrent()) {
        m_update.state = RunState::Failed;
        m_update.message = message;
        m_commands.checkpoint = false;
    }
    m_run.reset();
}

bool SessionThread::advance(Lock& lock, const std::stop_token& stop, TimePoint& due) {
    due = TimePoint::max();
    m_changed = false;
    if (obey(lock, stop)) return true;
    if (!m_run) return false;
    if (m_commands.checkpoint && !m_checked) {
        m_commands.checkpoint = false;
        takeCheckpoint(lock);
        return true;
    }
    if (!m_next.empty()) return false;  // until the checkpoint before this one has been drained

    const bool single = m_commands.paused && m_commands.steps > 0;
    if (!isTerminal(m_update.state)) {
        m_update.state = m_commands.paused ? RunState::Paused : RunState::Running;
        if (single) due = now();
        if (!m_commands.paused) due = m_run->pacer.due(now(), m_commands.pace);
    }
    const bool at_once = due <= now();
    if (m_commands.snapshot && !m_run->shown && (!at_once || m_run->snapshots.allows(now()))) {
        m_commands.snapshot = false;  // one that comes meanwhile asks for the next
        if (!takeSnapshot(lock, stop)) m_commands.snapshot = true;
        return true;
    }
    if (!at_once) {
        if (m_update.state == RunState::Paused) {
            m_run->rate = {};
            m_update.steps_per_second = 0;
        }
        return false;
    }
    if (single) --m_commands.steps;
    makeStep(lock, stop, due);
    return true;
}

bool SessionThread::obey(Lock& lock, const std::stop_token& stop) {
    if (m_commands.restart) {
        start(lock, stop);
        return true;
    }
    if (!m_next.empty() && !(m_run && m_commands.checkpoint)) {
        goToNext();
        return true;
    }
    if (!m_run) return false;
    if (m_commands.carry_on) {
        carryOn(lock);
        return true;
    }
    if (m_commands.modes) {
        setHeadModes(lock);
        return true;
    }
    if (m_commands.probe) {
        m_run->probe = *std::exchange(m_commands.probe, std::nullopt);
        showAgain();
        return true;
    }
    return false;
}

void SessionThread::start(Lock& lock, const std::stop_token& stop) {
    const Commands::Restart restart = *std::exchange(m_commands.restart, std::nullopt);
    const RunId id = m_update.run;
    {
        const Unlocked unlocked(lock);
        m_run.emplace(id);  // frees the old run's memory before the new one takes its own
        if (restart.from)
            m_run->trainers.emplace(*restart.from);
        else
            m_run->trainers.emplace(restart.experiment, restart.twin);
    }
    if (isCurrent() && m_update.state == RunState::Diverged)
        showAgain();
    else
        takeSnapshot(lock, stop);
}

void SessionThread::carryOn(Lock& lock) {
    const Experiment experiment = *std::exchange(m_commands.carry_on, std::nullopt);
    // Told before it is done: what is commanded meanwhile is meant for these heads.
    if (experiment.model.n_heads != m_update.experiment.model.n_heads)
        m_update.modes.assign(static_cast<std::size_t>(experiment.model.n_heads), HeadMode::Trained);
    m_update.experiment = experiment;
    {
        const Unlocked unlocked(lock);
        m_run->trainers->carryOn(experiment);
    }
    showAgain();
}

void SessionThread::setHeadModes(Lock& lock) {
    const std::vector<HeadMode> modes = *std::exchange(m_commands.modes, std::nullopt);
    {
        const Unlocked unlocked(lock);
        m_run->trainers->setHeadModes(modes);
    }
    showAgain();
    if (!isCurrent()) return;
    for (std::size_t h = 0; h < modes.size(); ++h)
        if (modes[h] != m_update.modes[h])
            m_update.head_changes.push_back({m_update.steps_done, static_cast<int>(h), modes[h]});
    m_update.modes = modes;
}

void SessionThread::makeStep(Lock& lock, const std::stop_token& stop, TimePoint due) {
    std::optional<TrainerPair::Points> made;
    {
        const Unlocked unlocked(lock);
        made = m_run->trainers->step([&] { return stop.stop_requested() && !isCheckpointWanted(); });
    }
    if (!made) return;
    m_run->pacer.made(due);
    m_run->rate.made(now());
    if (!isCurrent()) return;
    if (const auto side = made->diverged()) {
        m_update.state = RunState::Diverged;
        m_update.diverged = *side;
        m_run->shown = true;  // as much as it ever will be: nothing comes after the end
        return;
    }
    m_run->shown = false;
    m_update.points.push_back(made->first);
    if (made->twin) m_update.twin_points.push_back(*made->twin);
    const Trainer& trainer = m_run->trainers->first();
    m_update.steps_done = trainer.stepsDone();
    m_update.steps_per_second = m_run->rate.stepsPerSecond();
    if (m_update.steps_done < trainer.experiment().steps) return;
    takeSnapshot(lock, stop);
    if (isCurrent()) m_update.state = RunState::Finished;
}

bool SessionThread::takeSnapshot(Lock& lock, const std::stop_token& stop) {
    std::optional<TrainerPair::Snapshots> made;
    {
        const Unlocked unlocked(lock);
        const TimePoint from = now();
        made = m_run->trainers->snapshots(m_run->probe, [&] {
            const std::lock_guard guard(m_mutex);
            return m_commands.restart || stop.stop_requested();
        });
        m_run->snapshots.spent(from, now());
    }
    m_run->shown = true;
    if (!made) return false;
    if (isCurrent()) {
        m_update.snapshot = std::move(made->first);
        m_update.twin_snapshot = std::move(made->twin);
    }
    return true;
}

void SessionThread::takeCheckpoint(Lock& lock) {
    std::shared_ptr<const Checkpoint> made;
    const std::optional<TwinSide> side = diverged();
    m_taking = true;
    {
        const Unlocked unlocked(lock);
        try {
            made = std::make_shared<const Checkpoint>(m_run->trainers->checkpoint(side));
        } catch (const std::bad_alloc&) {
            // The run goes on without.
        }
    }
    m_taking = false;
    m_update.checkpoint_failed = !made;
    if (!made) return;
    m_update.checkpoint = std::move(made);
    m_checked = take();
}

bool SessionThread::isCheckpointWanted() {
    const std::lock_guard guard(m_mutex);
    return m_commands.checkpoint;
}

std::optional<TwinSide> SessionThread::diverged() const {
    return m_update.state == RunState::Diverged ? std::optional(m_update.diverged) : std::nullopt;
}

}  // namespace headscope
