#pragma once

#include <optional>
#include <vector>

#include "engine/training/experiment.h"

namespace headscope {

/// Rows of the probe batch, drawn from the seed and fixed for the run.
inline constexpr int kProbeRows = 32;

/// A token put in the place of another, to see which outputs change.
struct Ripple {
    int position = 0;  ///< 0 … T−1
    int token = 0;     ///< 0 … V−1
    bool operator==(const Ripple&) const = default;
};

/// What snapshots show.
struct Probe {
    static constexpr int kMeanOfRows = -1;

    /// Whose attention is shown: the mean over the probe batch, or one row, 0 … kProbeRows−1.
    int row = kMeanOfRows;
    /// Shown in place of row 0 when not empty: T of them, each 0 … V−1. Losses and diagnostics are those of
    /// the batch as it was drawn, so that editing changes none.
    std::vector<int> tokens = {};
    std::optional<Ripple> ripple = {};
    bool operator==(const Probe&) const = default;
};

/// All that is wrong with it for such a model (`field`: "row", "tokens" or "ripple"); empty when nothing is.
std::vector<Problem> problems(const Probe& probe, const ModelConfig& model);

/// Throws the first of problems(), if any.
void requireValid(const Probe& probe, const ModelConfig& model);

}  // namespace headscope
