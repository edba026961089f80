#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/attention/head_mode.h"
#include "engine/model/parameters.h"
#include "engine/numeric/random.h"
#include "engine/training/experiment.h"
#include "engine/training/update.h"

namespace headscope {

/// Where training stands between two steps: all that decides the steps to come. A value, which shares nothing
/// with the trainer that gave it.
///
/// What heads that are held still keep is in the parameters: every step leaves it there as it was.
struct TrainerState {
    Experiment experiment;
    std::int64_t steps_done = 0;     ///< updates made, by Adam too
    Random::State batches, dropout;  ///< of the generators
    std::vector<HeadMode> modes;     ///< (H)
    Parameters<float> parameters;
    Parameters<float> mean, variance;  ///< Adam's m and v
};

/// Where a run stands, and its twin in lockstep beside it.
struct Checkpoint {
    TrainerState first;
    std::optional<TrainerState> twin;
    std::optional<TwinSide> diverged = {};  ///< whose next loss was not finite: the run is at its end
};

/// The steps that count, of both. A twin that diverged alone is one behind.
std::int64_t stepsDone(const Checkpoint& checkpoint);

/// Throws Refusal unless the experiments are valid and can be twins, both have made equally many steps (one
/// may be a step ahead where the other diverged) and no more than planned, there are H modes, and the
/// generators' states are none that they never have.
void requireValid(const Checkpoint& checkpoint);

}  // namespace headscope
