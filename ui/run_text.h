#pragma once

#include <cstdint>
#include <optional>

#include <QString>

#include "engine/training/experiment.h"

namespace headscope {

/// "prefix-copy", "lag-copy 1, 4, 7"
QString taskText(const Experiment& experiment);

/// "4 heads"
QString headCountText(int n_heads);

/// What a reader needs to make the picture again: task, sizes, scaling, positions, seed and, where it is of
/// one, the step.
QString captionFor(const Experiment& experiment, std::optional<std::int64_t> step);

/// What sets `experiment` apart from `other`, in a few words said of `experiment`: "1 head",
/// "not scaled, seed 2". Empty when they are equal.
QString differenceText(const Experiment& experiment, const Experiment& other);

}  // namespace headscope
