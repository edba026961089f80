#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/training/update.h"

namespace headscope {

class SessionThread;

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
    /// it is drained after this call, unless a checkpoint of it was asked for: then, up to that. All heads
    /// are trained, and the probe is Probe{}. Throws Refusal, and leaves the old run as it was, when the
    /// experiment is not valid. Must not block.
    ///
    /// With a twin, two models learn in lockstep: the twin makes every step that the first makes, on the same
    /// batch. What the first does is what it would do alone, bit for bit. When the loss of either is not
    /// finite, that step is a point of neither curve and the run ends. Throws Refusal where requireTwins
    /// does.
    RunId restart(const Experiment& experiment, bool paused = false);
    RunId restart(const Experiment& experiment, const std::optional<Experiment>& twin, bool paused = false);

    /// A new run that goes on from where another stood, with the same bits; its first point is that of the
    /// next step. The run that stood there may have come to its end. Throws Refusal as restart() does. Must
    /// not block.
    RunId resume(std::shared_ptr<const Checkpoint> checkpoint, bool paused = false);

    /// Goes on with the weights it has as `experiment`; a finished run makes no further step, but shows its
    /// weights so. With another head count, every head is trained again: they are other heads. A twin goes on
    /// as it is. Throws Refusal, changing nothing, when that is not possible: see canCarryOn and
    /// requireTwins, and a run that diverged or failed has no such weights. Must not block.
    void carryOn(const Experiment& experiment);

    /// What each head does from the next step on, in a finished run what it shows; a twin's heads too where
    /// there are as many. Throws Refusal, changing nothing, unless there are H modes and a run that has
    /// weights. Must not block.
    void setHeadModes(const std::vector<HeadMode>& modes);

    /// What the snapshots to come show, of a twin too. Throws Refusal, changing nothing, when it does not fit
    /// the run's model (see problems(Probe)) or there is no run. Must not block.
    void setProbe(const Probe& probe);

    /// Must not block.
    void setPaused(bool paused);

    /// Makes one step of a paused run, whatever the pace; n calls make n steps. Must not block.
    void step();

    /// Positive, or kUnlimitedPace, which a session begins with; counts from the last step on, and for later
    /// runs too. Throws Refusal for anything else. Must not block.
    void setPace(double steps_per_second);

    /// Asks for a snapshot of the next model that has not been shown; requests do not add up. Where it would
    /// hold training up, it waits until snapshots take no more than a thirtieth of the time. Must not block.
    void requestSnapshot();

    /// Asks for a checkpoint of the run as it stands after the step in hand and the commands given before;
    /// requests do not add up. It comes even where a restart follows at once, but not from a run that fails.
    /// Returns which run it will be of. Throws Refusal when there is none, or one that failed. Must not
    /// block.
    RunId requestCheckpoint();

    /// Takes what has come since the last call; up to a checkpoint, and at the next call what came after it.
    /// Must not block (a swap under a mutex).
    Update drain();

    /// Ends the thread. What has come until then can still be drained, the last of it with a checkpoint,
    /// unless there is no run, one that failed, or one whose twin the end has left a step behind. No command
    /// is obeyed any more. Blocks until the step in hand has ended.
    void end();

private:
    std::unique_ptr<SessionThread> m_thread;
};

}  // namespace headscope
