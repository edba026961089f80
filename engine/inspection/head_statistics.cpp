#include "engine/inspection/head_statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace headscope {

HeadStatistics::HeadStatistics(int n_heads, int context_length)
    : m_heads(static_cast<std::size_t>(n_heads)), m_length(context_length) {}

void HeadStatistics::add(In<float> weights, In<float> scores) {
    const auto H = static_cast<Index>(m_heads.size()), T = m_length;
    assert(weights.cols() == T && weights.rows() % (H * T) == 0);
    assert(scores.cols() == T && scores.rows() == weights.rows());
    for (Index i = 0; i < weights.rows(); ++i) {
        Sums& sums = m_heads[static_cast<std::size_t>(i / T % H)];
        const Index visible = i % T + 1;
        const auto a = weights.row(i).head(visible).array(), s = scores.row(i).head(visible).array();
        const float top = s.maxCoeff();
        // Relative to the largest, so that float is enough within a row; rows are summed up in double.
        const auto below = top - s;
        const auto n = static_cast<double>(visible), sum_below = static_cast<double>(below.sum());
        const double mean = static_cast<double>(top) - sum_below / n;
        sums.scores += n * mean;
        sums.squared_scores +=
            n * mean * mean + static_cast<double>(below.square().sum()) - sum_below * sum_below / n;
        sums.distance += static_cast<double>((a - 1 / static_cast<float>(visible)).abs().sum()) / 2;
        sums.squared_weights += static_cast<double>(a.square().sum());
        // −Σ a·ln a with ln a = (s − top) + ln a_top: no logarithm for each key, and no term below 0.
        sums.entropy += static_cast<double>((a * below).sum() - std::log(a.maxCoeff()));
    }
    m_rows += weights.rows() / H;
}

std::vector<HeadDiagnostics> HeadStatistics::diagnostics() const {
    assert(m_rows > 0);
    const auto rows = static_cast<double>(m_rows), T = static_cast<double>(m_length);
    const double visible = rows * (T + 1) / 2;
    double uniform = 0, farthest = 0;
    for (Index t = 0; t < m_length; ++t) {
        uniform += std::log(static_cast<double>(t + 1)) / T;
        farthest += rows / T * (1 - 1 / static_cast<double>(t + 1));
    }
    std::vector<HeadDiagnostics> heads;
    for (const Sums& sums : m_heads) {
        // std::max gives its first argument where that is NaN.
        const double mean = sums.scores / visible;
        const double variance = std::max(sums.squared_scores / visible - mean * mean, 0.0);
        HeadDiagnostics head;
        head.score_std = static_cast<float>(std::sqrt(variance));
        head.row_entropy = static_cast<float>(std::max(sums.entropy / rows, 0.0));
        head.uniform_entropy = static_cast<float>(uniform);
        head.jacobian_trace = static_cast<float>(std::max(1 - sums.squared_weights / rows, 0.0));
        if (farthest > 0) head.uniformity = static_cast<float>(1 - sums.distance / farthest);
        heads.push_back(head);
    }
    return heads;
}

void addGradientNorms(In<float> grad_qkv_weight, std::vector<HeadDiagnostics>& heads) {
    const Index D = grad_qkv_weight.cols(), d_head = D / static_cast<Index>(heads.size());
    assert(grad_qkv_weight.rows() == 3 * D);
    for (std::size_t h = 0; h < heads.size(); ++h) {
        const Index first = static_cast<Index>(h) * d_head;
        heads[h].grad_norm_q = grad_qkv_weight.middleRows(first, d_head).norm();
        heads[h].grad_norm_k = grad_qkv_weight.middleRows(D + first, d_head).norm();
    }
}

}  // namespace headscope
