#include "engine/inspection/head_patterns.h"

#include <cassert>
#include <cstddef>

namespace headscope {

std::vector<double> lagScores(std::span<const float> weights, int n_heads, int context_length, int lag) {
    const auto H = static_cast<std::size_t>(n_heads), T = static_cast<std::size_t>(context_length),
               back = static_cast<std::size_t>(lag);
    assert(weights.size() == H * T * T && lag >= 0 && back < T);
    std::vector<double> scores(H);
    for (std::size_t h = 0; h < H; ++h) {
        for (std::size_t t = back; t < T; ++t) scores[h] += weights[(h * T + t) * T + t - back];
        scores[h] /= static_cast<double>(T - back);
    }
    return scores;
}

}  // namespace headscope
