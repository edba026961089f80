#pragma once

namespace headscope {

/// Why a head learns or does not, in numbers; each a mean over the queries of the rows looked at. The first
/// query, which sees one key only, counts in all of them.
///
/// A head cannot learn where to look when its softmax is saturated: what reaches the scores is the softmax's
/// Jacobian diag(a) − a·aᵀ times the gradient, and the Jacobian goes to 0 as a row's weight gathers on one
/// key. The gradient norms alone do not tell: unscaled scores begin with larger ones.
struct HeadDiagnostics {
    float score_std = 0;        ///< standard deviation of what enters the softmax, over all visible scores
    float row_entropy = 0;      ///< mean of −Σ a·ln a in nats: 0 … uniform_entropy
    float uniform_entropy = 0;  ///< what row_entropy would be, were every row uniform: the mean of ln(t + 1)
    float jacobian_trace = 0;  ///< mean of 1 − Σ a²: 0 where one key has all, 1 − 1/(t + 1) where uniform
    float uniformity = 0;      ///< PatternScores::uniform of every row for itself: 1 where all are uniform
    float grad_norm_q = 0;     ///< norm of the loss's gradient in the head's rows of qkv_proj's weight: Q's
    float grad_norm_k = 0;     ///< the same, K's
    bool operator==(const HeadDiagnostics&) const = default;
};

/// A head in one word. None: nothing to remark.
enum class HeadBadge { None, Saturated, Uniform, Sharp };

/// Scores so far apart, and so little entropy left, that the softmax passes next to no gradient. On
/// prefix-copy (D = 128) a single head that learns stays below such a spread for 600 steps, while unscaled
/// one is beyond it within 20 and stalls.
inline constexpr float kSaturatedScoreStd = 25;        ///< at least
inline constexpr float kSaturatedEntropyShare = 0.2f;  ///< of the uniform row's entropy, at most
/// Every query attends to everything alike: the head has not chosen.
inline constexpr float kUniformEntropyShare = 0.95f;  ///< of the uniform row's entropy, at least
/// Queries have chosen few keys.
inline constexpr float kSharpEntropyShare = 0.5f;  ///< of the uniform row's entropy, at most

/// By the thresholds above, in the order Saturated, Uniform, Sharp. None where there is nothing to choose
/// from (a context of one token).
HeadBadge badgeOf(const HeadDiagnostics& diagnostics);

}  // namespace headscope
