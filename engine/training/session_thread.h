#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "engine/training/checkpoint.h"
#include "engine/training/pace.h"
#include "engine/training/trainer_pair.h"
#include "engine/training/update.h"

namespace headscope {

/// What is wanted of the engine's thread. The latest value counts.
struct Commands {
    struct Restart {
        Experiment experiment;
        std::optional<Experiment> twin;
        std::shared_ptr<const Checkpoint> from;  ///< where it goes on; null where it begins
    };
    std::optional<Restart> restart;
    std::optional<Experiment> carry_on;
    std::optional<std::vector<HeadMode>> modes;
    std::optional<Probe> probe;
    bool paused = false;
    int steps = 0;  ///< still to be made of a paused run
    double pace = kUnlimitedPace;
    bool snapshot = false;
    bool checkpoint = false;
};

/// The engine's thread of a Session: it obeys commands between two steps, trains, and tells. Which commands
/// there are to give, and what is refused, is the session's. Public methods may be called from any thread.
class SessionThread {
public:
    /// Changes the commands to the run that was begun last, with a look at how it stands, and wakes the
    /// thread. What `change` throws changes nothing. Must not block.
    template <typename Change>
    void command(const Change& change) {
        const std::lock_guard guard(m_mutex);
        if (m_next.empty())
            change(m_commands, std::as_const(m_update));
        else
            change(m_next.back().commands, std::as_const(m_next.back().update));
        wake();
    }

    /// A new run, of which `fresh` is all there is to tell; where a checkpoint of the run there is has still
    /// to be taken, once that has been. Must not block.
    RunId begin(Commands::Restart restart, Update fresh);

    /// See Session::drain. Must not block.
    Update drain();

    /// See Session::end. Blocks until the step in hand has ended.
    void end();

private:
    using Lock = std::unique_lock<std::mutex>;

    /// A run that waits until the one before has given its checkpoint.
    struct NextRun {
        Commands commands;
        Update update;
    };

    /// What the thread keeps of the run it is at.
    struct Run {
        explicit Run(RunId run) : id(run) {}

        RunId id;
        std::optional<TrainerPair> trainers;
        Probe probe;
        Pacer pacer;
        Budget snapshots;
        RateMeter rate;
        bool shown = false;  // the last snapshot is of the model as it is
    };

    void work(const std::stop_token& stop);
    /// Does the next thing there is to do; false when there is nothing but to wait until `due`.
    bool advance(Lock& lock, const std::stop_token& stop, TimePoint& due);
    /// Obeys the next command that changes the run; false when there is none.
    bool obey(Lock& lock, const std::stop_token& stop);
    void start(Lock& lock, const std::stop_token& stop);
    void carryOn(Lock& lock);
    void setHeadModes(Lock& lock);
    /// A snapshot of the model as it is would show something new: not after the end of a diverged one.
    void showAgain() { m_run->shown = m_update.state == RunState::Diverged; }
    void makeStep(Lock& lock, const std::stop_token& stop, TimePoint due);
    /// False when it was broken off or is not finite.
    bool takeSnapshot(Lock& lock, const std::stop_token& stop);
    void takeCheckpoint(Lock& lock);
    /// Drops the run for the one that waits.
    void goToNext();
    bool isCheckpointWanted();
    std::optional<TwinSide> diverged() const;
    /// What came since the last call.
    Update take();
    void wake();
    void wait(Lock& lock, const std::stop_token& stop, TimePoint due);
    void fail(const char* message);
    /// False once a restart has been asked for: what the thread has in hand is of a run that is dropped.
    bool isCurrent() const { return m_run && m_run->id == m_update.run; }

    std::mutex m_mutex;  // guards what follows up to `m_taking`
    std::condition_variable_any m_wake;
    bool m_changed = false;  // a command has come
    Commands m_commands;
    Update m_update;                  // what drain() takes
    std::optional<Update> m_checked;  // what it takes before: up to a checkpoint
    std::deque<NextRun> m_next;       // what it takes after
    bool m_taking = false;            // a checkpoint, at this moment

    std::optional<Run> m_run;                                                    // the thread's own
    std::jthread m_thread{[this](const std::stop_token& stop) { work(stop); }};  // last: ends before the rest
};

}  // namespace headscope
