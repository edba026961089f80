#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/training/run_record.h"

namespace headscope {

/// What a session file says in its metadata: all of a StoredSession that is not a tensor.
struct SessionDescription {
    /// Frames that show one experiment with one probe.
    struct Stretch {
        Experiment experiment;
        Probe probe;
    };

    Experiment began, experiment;  ///< at step 0, and now
    std::int64_t steps_done = 0;   ///< as many as the curves have points
    std::int64_t first_steps_done = 0;
    std::vector<HeadMode> modes;
    std::optional<Experiment> twin;
    std::int64_t twin_steps_done = 0;
    std::vector<HeadMode> twin_modes;
    std::optional<TwinSide> diverged;
    std::vector<RunChange> changes;
    std::vector<Stretch> stretches;
};

/// As `__metadata__` has it, in JSON: `experiment`, `twin` where there is one, and `run`.
std::map<std::string, std::string> describe(const SessionDescription& session);

/// Throws Refusal for what is missing or cannot be: experiments that are not valid or do not go on from one
/// another, steps that do not ascend or lie beyond the last, a probe that does not fit, heads that are none.
SessionDescription readDescription(const std::map<std::string, std::string>& metadata);

}  // namespace headscope
