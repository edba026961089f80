#pragma once

#include <span>
#include <vector>

namespace headscope {

/// How much each head looks `lag` tokens back: the mean over t = first … T−1 of A[t, t − lag], from 0 to 1.
/// weights (H, T, T) row-major; 0 ≤ lag ≤ first < T. `first` is the first query that training asked anything
/// of: what the earlier ones attend to is chance. Returns H values.
std::vector<double> lagScores(std::span<const float> weights, int n_heads, int context_length, int lag,
                              int first);

/// What a head may be found to do. Copy: it looks where the task's answer stands. Mixed: nothing of these.
enum class Pattern { Mixed, Copy, PreviousToken, NextToken, SameToken, FirstToken, Uniform };

/// How far a head follows each pattern: 1 where it does nothing else, 0 where it follows it no more than a
/// head that attends uniformly, below 0 where less than that (down to −b/(1 − b), see below).
///
/// For a pattern that says where to look, with s the mean weight there over the queries t = first … T−1 that
/// have such a key, and b the same of uniform rows, the mean of 1/n_t: score = (s − b)/(1 − b). (A
/// uniform head at T = 16 has s = 0.21 on the first token, which is no preference.) Queries that see one key
/// only change no score. Where every query sees one key only, the score is 0.
///   copy            A[t, t − lag], for each lag that the task answers from
///   previous_token  A[t, t − 1]
///   next_token      A[t, t + 1]: 0 where attention is causal
///   same_token      A[t, t]: the query's own token
///   first_token     A[t, 0]
/// These are the means by which heads are told apart in Clark et al., "What Does BERT Look At?", 2019,
/// section 3.1, and Olsson et al., "In-context Learning and Induction Heads", 2022 (on a repeated random
/// sequence, copy is their prefix matching).
///
/// uniform: 1 − Σ_t d_t / Σ_t (1 − 1/n_t) over t = first … T−1, with d_t = ½ Σ_j |A[t, j] − 1/n_t|
/// the total variation distance from the uniform row, and the divisor that of rows with all weight on one
/// key. So a head that looks somewhere with weight λ and everywhere with the rest scores λ there and 1 − λ
/// for uniform: at most one of two patterns can score more than a half.
struct PatternScores {
    struct Copy {
        int lag;
        double score;
        bool operator==(const Copy&) const = default;
    };
    std::vector<Copy> copy;  ///< one for each lag, in their order
    double previous_token = 0;
    double next_token = 0;
    double same_token = 0;
    double first_token = 0;
    double uniform = 0;
    bool operator==(const PatternScores&) const = default;
};

/// Of each head: H of them. weights (H, T, T) row-major, rows that sum to 1 and, where `causal`, are 0 after
/// the diagonal; 0 ≤ lag ≤ first < T for each of copy_lags; `first` as in lagScores.
std::vector<PatternScores> patternScores(std::span<const float> weights, int n_heads, int context_length,
                                         std::span<const int> copy_lags, int first, bool causal = true);

/// A head has a name when its best score is at least this: then it does that more than all else together.
inline constexpr double kLabelScore = 0.5;

/// The pattern a head follows best and how far; Mixed with the best score where none reaches kLabelScore.
struct HeadLabel {
    Pattern pattern = Pattern::Mixed;
    int lag = 0;  ///< of Copy: how many tokens back; else 0
    double score = 0;
    bool operator==(const HeadLabel&) const = default;
};

/// Of equal scores the first in the order of Pattern counts: a copy one token back is a copy.
HeadLabel labelOf(const PatternScores& scores);

/// How differently each two heads attend: the Jensen–Shannon divergence of their rows (Lin, "Divergence
/// measures based on the Shannon entropy", 1991), mean over the queries t = first … T−1, in bits:
/// 0 for the same rows, 1 where no key is attended to by both. Returns (H, H) row-major, symmetric, with a
/// diagonal of 0. weights as in patternScores; used between heads as by Clark et al., 2019, section 6.
std::vector<double> headDivergences(std::span<const float> weights, int n_heads, int context_length,
                                    int first, bool causal = true);

}  // namespace headscope
