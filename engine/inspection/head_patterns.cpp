#include "engine/inspection/head_patterns.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace headscope {
namespace {

using Row = std::span<const float>;

/// The row of a query of one head, as far as it sees.
class Rows {
public:
    Rows(std::span<const float> weights, int n_heads, int context_length, bool causal)
        : m_weights(weights),
          m_heads(static_cast<std::size_t>(n_heads)),
          m_length(static_cast<std::size_t>(context_length)),
          m_causal(causal) {
        assert(weights.size() == m_heads * m_length * m_length);
    }
    std::size_t heads() const { return m_heads; }
    std::size_t length() const { return m_length; }
    /// How many keys a query sees.
    std::size_t seen(std::size_t t) const { return m_causal ? t + 1 : m_length; }
    Row operator()(std::size_t head, std::size_t t) const {
        return m_weights.subspan((head * m_length + t) * m_length, seen(t));
    }

private:
    std::span<const float> m_weights;
    std::size_t m_heads, m_length;
    bool m_causal;
};

/// The mean of `of` over t = first … last−1, corrected for what uniform rows score.
template <typename Of>
double corrected(const Rows& rows, std::size_t first, std::size_t last, const Of& of) {
    double scored = 0, uniform = 0;
    for (std::size_t t = first; t < last; ++t) {
        scored += of(t);
        uniform += 1.0 / static_cast<double>(rows.seen(t));
    }
    const double most = static_cast<double>(last) - static_cast<double>(first);
    return uniform < most ? (scored - uniform) / (most - uniform) : 0;
}

double uniformScore(const Rows& rows, std::size_t head, std::size_t first) {
    double distance = 0, farthest = 0;
    for (std::size_t t = first; t < rows.length(); ++t) {
        const double uniform = 1.0 / static_cast<double>(rows.seen(t));
        for (const float weight : rows(head, t)) distance += std::abs(double{weight} - uniform) / 2;
        farthest += 1 - uniform;
    }
    return farthest > 0 ? 1 - distance / farthest : 0;
}

/// The part of one key in the entropy of a row, in bits.
double surprise(double weight) { return weight == 0 ? 0 : -weight * std::log2(weight); }

double entropy(Row row) {
    double sum = 0;
    for (const float weight : row) sum += surprise(double{weight});
    return sum;
}

double entropyOfMean(Row a, Row b) {
    double sum = 0;
    for (std::size_t key = 0; key < a.size(); ++key) sum += surprise((double{a[key]} + double{b[key]}) / 2);
    return sum;
}

}  // namespace

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

std::vector<PatternScores> patternScores(std::span<const float> weights, int n_heads, int context_length,
                                         std::span<const int> copy_lags, int first, bool causal) {
    assert(0 <= first && first < context_length);
    const Rows rows(weights, n_heads, context_length, causal);
    const std::size_t T = rows.length(), from = static_cast<std::size_t>(first);
    std::vector<PatternScores> scores(rows.heads());
    for (std::size_t h = 0; h < rows.heads(); ++h) {
        const auto back = [&](std::size_t lag) {
            return corrected(rows, std::max(from, lag), T,
                             [&](std::size_t t) { return double{rows(h, t)[t - lag]}; });
        };
        for (const int lag : copy_lags) {
            assert(0 <= lag && lag <= first);
            scores[h].copy.push_back({lag, back(static_cast<std::size_t>(lag))});
        }
        if (T > 1) scores[h].previous_token = back(1);
        scores[h].same_token = back(0);
        if (T > 1 && !causal)
            scores[h].next_token =
                corrected(rows, from, T - 1, [&](std::size_t t) { return double{rows(h, t)[t + 1]}; });
        scores[h].first_token =
            corrected(rows, from, T, [&](std::size_t t) { return double{rows(h, t)[0]}; });
        scores[h].uniform = uniformScore(rows, h, from);
    }
    return scores;
}

HeadLabel labelOf(const PatternScores& scores) {
    std::vector<HeadLabel> candidates;
    for (const auto& copy : scores.copy) candidates.push_back({Pattern::Copy, copy.lag, copy.score});
    candidates.push_back({Pattern::PreviousToken, 0, scores.previous_token});
    candidates.push_back({Pattern::NextToken, 0, scores.next_token});
    candidates.push_back({Pattern::SameToken, 0, scores.same_token});
    candidates.push_back({Pattern::FirstToken, 0, scores.first_token});
    candidates.push_back({Pattern::Uniform, 0, scores.uniform});
    const HeadLabel best = *std::ranges::max_element(candidates, {}, &HeadLabel::score);
    return best.score >= kLabelScore ? best : HeadLabel{Pattern::Mixed, 0, best.score};
}

std::vector<double> headDivergences(std::span<const float> weights, int n_heads, int context_length,
                                    int first, bool causal) {
    assert(0 <= first && first < context_length);
    const Rows rows(weights, n_heads, context_length, causal);
    const std::size_t H = rows.heads(), from = static_cast<std::size_t>(first);
    std::vector<double> divergences(H * H), entropies(H);
    for (std::size_t t = from; t < rows.length(); ++t) {
        for (std::size_t a = 0; a < H; ++a) {
            entropies[a] = entropy(rows(a, t));
            for (std::size_t b = 0; b < a; ++b)
                divergences[a * H + b] +=
                    entropyOfMean(rows(a, t), rows(b, t)) - (entropies[a] + entropies[b]) / 2;
        }
    }
    const double queries = static_cast<double>(rows.length() - from);
    for (std::size_t a = 0; a < H; ++a)
        for (std::size_t b = 0; b < a; ++b)
            divergences[b * H + a] = divergences[a * H + b] =
                std::clamp(divergences[a * H + b] / queries, 0.0, 1.0);  // beyond by rounding alone
    return divergences;
}

}  // namespace headscope
