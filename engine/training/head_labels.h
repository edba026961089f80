#pragma once

#include <vector>

#include "engine/inspection/head_patterns.h"
#include "engine/training/update.h"

namespace headscope {

/// patternScores() of what a snapshot shows, by the stripes of its task: H of them. Of a mean over rows,
/// `uniform` is the mean of theirs: rows that attend to one key each, all to another, are together uniform.
std::vector<PatternScores> patternScores(const Snapshot& snapshot);

/// The label of each head of a snapshot: H of them.
std::vector<HeadLabel> headLabels(const Snapshot& snapshot);

/// headDivergences() of a snapshot: (H, H).
std::vector<double> headDivergences(const Snapshot& snapshot);

}  // namespace headscope
