#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/attention/head_mode.h"
#include "engine/inspection/head_diagnostics.h"
#include "engine/training/experiment.h"
#include "engine/training/probe.h"

namespace headscope {

struct Checkpoint;

/// Names one run of a session; grows with every restart, so that what belongs to an earlier run can be told
/// and dropped. 0 is no run.
using RunId = std::uint64_t;

/// A pace, in steps per second: as fast as the engine goes.
inline constexpr double kUnlimitedPace = std::numeric_limits<double>::infinity();

/// The batch of step `step` (from 0), measured before that step's update.
struct LossPoint {
    std::int64_t step = 0;
    float loss = 0;      ///< mean cross-entropy in nats over the targets that count
    float accuracy = 0;  ///< 0 … 1
    bool operator==(const LossPoint&) const = default;
};

/// What the heads do on the probe batch. Immutable once made; never refers to live weights. What is shown is
/// what `probe` says: the mean over the batch's rows, or one row.
struct Snapshot {
    std::int64_t steps_done = 0;  ///< updates made before it: 0 is the untrained model
    Experiment experiment;        ///< as it stood at that step
    std::vector<float> weights;   ///< (H, T, T) row-major, of what is shown; 0 above the diagonal
    std::vector<int> tokens;      ///< (T) of the row shown; of the mean, of row 0
    float probe_loss = 0;         ///< of the whole batch, in nats
    float probe_accuracy = 0;

    Probe probe = {};
    std::vector<HeadMode> modes = {};               ///< (H)
    std::vector<HeadDiagnostics> diagnostics = {};  ///< (H) of the whole batch; gradients of part of it
    std::vector<float> loss_without = {};           ///< (H) probe_loss, were that head muted as well
    /// (H, T, T) what enters the softmax (scaled where the model scales), of what is shown; 0 above the
    /// diagonal.
    std::vector<float> scores = {};
    /// (T) the likeliest answer at each position for `tokens`, with the probe's ripple in its place where
    /// there is one, and its probability.
    std::vector<int> predicted = {};
    std::vector<float> predicted_probability = {};
    /// (T) by how much the probe's ripple changes any logit at each position, at most; empty without a
    /// ripple.
    std::vector<float> ripple = {};

    // Of attention that came in a file; a run's is causal and has none of these:
    bool causal = true;                    ///< false: every query sees all T keys
    std::string origin = {};               ///< where it comes from, in a few words
    std::vector<std::string> labels = {};  ///< (T) the texts of its tokens, or none
};

enum class RunState { Idle, Running, Paused, Finished, Diverged, Failed };

/// No further step will be made without a restart.
constexpr bool isTerminal(RunState s) {
    return s == RunState::Finished || s == RunState::Diverged || s == RunState::Failed;
}

/// Training went on from `step` (updates made) with a head in another mode.
struct HeadChange {
    std::int64_t step = 0;
    int head = 0;  ///< 0 … H−1
    HeadMode mode = HeadMode::Trained;
    bool operator==(const HeadChange&) const = default;
};

/// Which of a run and its twin.
enum class TwinSide { First, Twin, Both };

/// What a session has to tell since it was last asked.
struct Update {
    RunId run = 0;
    Experiment experiment;  ///< as it is now: carrying on changes it
    RunState state = RunState::Idle;
    std::string message;                       ///< why it failed; else empty
    std::int64_t steps_done = 0;               ///< when diverged: the step at which the loss was not finite
    double steps_per_second = 0;               ///< as measured lately; 0 while paused
    std::vector<LossPoint> points;             ///< every one since the last update of this run, in order
    std::shared_ptr<const Snapshot> snapshot;  ///< the latest; null when none is newer than the last update's

    std::vector<HeadMode> modes;  ///< (H) as they are now; carrying on with other heads trains them all
    std::vector<HeadChange> head_changes;  ///< every one since the last update of this run, in order

    // Of a run with a twin, which makes every step the first makes:
    std::optional<Experiment> twin;
    std::vector<LossPoint> twin_points;             ///< as many as `points`, of the same steps
    std::shared_ptr<const Snapshot> twin_snapshot;  ///< of the same step as `snapshot`; null where that is
    TwinSide diverged = TwinSide::First;            ///< when diverged: whose loss was not finite

    /// Where the run stands, when that was asked for: all else in this update is of before then.
    std::shared_ptr<const Checkpoint> checkpoint;
    bool checkpoint_failed = false;  ///< it was asked for, but takes more memory than there is
};

}  // namespace headscope
