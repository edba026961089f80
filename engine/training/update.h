#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "engine/training/experiment.h"

namespace headscope {

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

/// What the heads attend to on the probe batch (kProbeRows rows drawn from the seed, fixed for the run).
/// Immutable once made; never refers to live weights.
struct Snapshot {
    std::int64_t steps_done = 0;  ///< updates made before it: 0 is the untrained model
    Experiment experiment;        ///< as it stood at that step
    std::vector<float> weights;   ///< (H, T, T) row-major, mean over the probe rows; 0 above the diagonal
    std::vector<int> tokens;      ///< (T) the first row of the probe batch
    float probe_loss = 0;
    float probe_accuracy = 0;
};

inline constexpr int kProbeRows = 32;

enum class RunState { Idle, Running, Paused, Finished, Diverged, Failed };

/// No further step will be made without a restart.
constexpr bool isTerminal(RunState s) {
    return s == RunState::Finished || s == RunState::Diverged || s == RunState::Failed;
}

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
};

}  // namespace headscope
