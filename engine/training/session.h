#pragma once

#include <memory>

#include "engine/training/update.h"

namespace headscope {

/// A training run on a thread of its own. All methods may be called from any thread.
///
/// Commands are obeyed between two steps. A run begins with a snapshot of the untrained model and, when it
/// finishes, ends with one of the trained model; both come unasked. A loss that is not finite is no point of
/// the curve: it ends the run as diverged.
class Session {
public:
    Session();
    /// Blocks until the step in hand has ended and the thread is gone.
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Starts a new run from the experiment's seed, running or paused; the old one is dropped, and nothing of
    /// it is drained after this call. Throws
    /// Refusal, and leaves the old run as it was, when the experiment is not valid. Must not block.
    RunId restart(const Experiment& experiment, bool paused = false);

    /// Goes on with the weights it has as `experiment`; a finished run makes no further step, but shows its
    /// weights so. Throws Refusal, changing nothing, when that is not possible: see canCarryOn, and a run
    /// that diverged or failed has no such weights. Must not block.
    void carryOn(const Experiment& experiment);

    /// Must not block.
    void setPaused(bool paused);

    /// Makes one step of a paused run, whatever the pace; n calls make n steps. Must not block.
    void step();

    /// Positive, or kUnlimitedPace, which a session begins with; counts from the last step on, and for later
    /// runs too. Throws Refusal for anything else. Must not block.
    void setPace(double steps_per_second);

    /// Asks for a snapshot of the next model that has not been shown; requests do not add up. Where it would
    /// hold training up, it waits until snapshots take no more than a twentieth of the time. Must not block.
    void requestSnapshot();

    /// Takes what has come since the last call. Must not block (a swap under a mutex).
    Update drain();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace headscope
