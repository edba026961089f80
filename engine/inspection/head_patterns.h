#pragma once

#include <span>
#include <vector>

namespace headscope {

/// How much each head looks `lag` tokens back: the mean over t = lag … T−1 of A[t, t − lag], from 0 to 1.
/// weights (H, T, T) row-major; lag 0 … T−1. Returns H values.
std::vector<double> lagScores(std::span<const float> weights, int n_heads, int context_length, int lag);

}  // namespace headscope
