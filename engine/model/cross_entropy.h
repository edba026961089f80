#pragma once

#include <span>

#include "engine/numeric/matrix.h"

namespace headscope {

/// A target that does not count.
inline constexpr int kIgnoredTarget = -1;

template <typename Scalar>
struct BatchLoss {
    Scalar loss;      ///< mean over the targets that count, in nats
    double accuracy;  ///< 0 … 1: the share of them whose logit is the largest (the first of equals)
};

/// Mean of −log softmax(logits)[target] over the targets that count, and its gradient with respect to the
/// logits: (softmax(logits) − onehot(target)) / count, rows of ignored targets 0.
///
/// logits, grad_logits (N, V), grad_logits may be the same memory; targets N of −1 … V−1. Throws Refusal for
/// another length, a target outside, or no target that counts.
template <typename Scalar>
BatchLoss<Scalar> crossEntropy(In<Scalar> logits, std::span<const int> targets, Out<Scalar> grad_logits);

}  // namespace headscope
