#pragma once

#include <memory>

#include "engine/training/update.h"

namespace headscope {

/// A training run on a thread of its own. All methods may be called from any thread.
class Session {
public:
    Session();
    /// Blocks until the step in hand has ended and the thread is gone.
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Starts a new run from the experiment's seed, running or paused; the old one is dropped. Throws
    /// Refusal, and leaves the old run as it was, when the experiment is not valid. Must not block.
    RunId restart(const Experiment& experiment, bool paused = false);

    /// Goes on with the weights it has as `experiment`. Throws Refusal, changing nothing, when that is not
    /// possible (see canCarryOn). Must not block.
    void carryOn(const Experiment& experiment);

    /// Must not block.
    void setPaused(bool paused);

    /// Makes one step of a paused run. Must not block.
    void step();

    /// Positive, or kUnlimitedPace. Must not block.
    void setPace(double steps_per_second);

    /// Asks for a snapshot at the next step boundary; requests do not add up. Must not block.
    void requestSnapshot();

    /// Takes what has come since the last call. Must not block (a swap under a mutex).
    Update drain();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace headscope
