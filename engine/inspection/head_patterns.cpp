#include "engine/inspection/head_patterns.h"

#include <cassert>
#include <cstddef>

namespace headscope {

std::vector<double> lagScores(std::span<const float> weights, int n_heads, int context_length, int lag,
                              int first) {
    assert(0 <= lag && lag <= first && first < context_length);
    const auto H = static_cast<std::size_t>(n_heads), T = static_cast<std::size_t>(context_length);
    const auto back = static_cast<std::size_t>(lag), from = static_cast<std::size_t>(first);
    assert(weights.size() == H * T * T);
    std::vector<double> scores(H);
    for (std::size_t h = 0; h < H; ++h) {
        for (std::size_t t = from; t < T; ++t) scores[h] += double{weights[(h * T + t) * T + t - back]};
        scores[h] /= static_cast<double>(T - from);
    }
    return scores;
}

}  // namespace headscope
