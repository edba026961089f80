#include "engine/training/checkpoint.h"

#include <algorithm>
#include <string>

namespace headscope {
namespace {

void requireValid(const TrainerState& state) {
    requireValid(state.experiment);
    requireHeadModes(state.modes, state.experiment.model.n_heads);
    if (state.steps_done < 0 || state.steps_done > state.experiment.steps)
        throw Refusal("a run of %1 steps cannot have made %2",
                      {std::to_string(state.experiment.steps), std::to_string(state.steps_done)});
    if (state.batches == Random::State{} || state.dropout == Random::State{})
        throw Refusal("a random generator's state cannot be all zeros");
}

}  // namespace

std::int64_t stepsDone(const Checkpoint& c) {
    return c.twin ? std::min(c.first.steps_done, c.twin->steps_done) : c.first.steps_done;
}

void requireValid(const Checkpoint& c) {
    requireValid(c.first);
    if (!c.twin) return;
    requireValid(*c.twin);
    requireTwins(c.first.experiment, c.twin->experiment);
    const std::int64_t ahead = std::abs(c.first.steps_done - c.twin->steps_done);
    if (ahead > (c.diverged ? 1 : 0)) throw Refusal("twins must have made equally many steps");
}

}  // namespace headscope
