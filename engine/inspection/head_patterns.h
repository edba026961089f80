#pragma once

#include <span>
#include <vector>

namespace headscope {

/// How much each head looks `lag` tokens back: the mean over t = first … T−1 of A[t, t − lag], from 0 to 1.
/// weights (H, T, T) row-major; 0 ≤ lag ≤ first < T. `first` is the first query that training asked anything
/// of: what the earlier ones attend to is chance. Returns H values.
std::vector<double> lagScores(std::span<const float> weights, int n_heads, int context_length, int lag,
                              int first);

}  // namespace headscope
