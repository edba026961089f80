#pragma once

#include <span>

#include "engine/model/cross_entropy.h"
#include "engine/model/parameters.h"

namespace headscope {

/// What a model loses without one of its heads, from one forward pass of the whole: the logits are a sum over
/// heads, logits = Σ_h context_h · M_hᵀ + bias with M_h = lm_head · out_proj[:, h], so what a head adds is
/// taken off again. Equal, but for rounding, to the loss with that head's context zeroed.
class HeadAblation {
public:
    /// n_heads divides D (assert).
    HeadAblation(const Parameters<float>& parameters, int n_heads);

    /// The mean loss over the targets that count of what the whole model made of a batch: context (N, D),
    /// logits (N, V), targets N as in crossEntropy. 0 ≤ head < H.
    float lossWithout(int head, In<float> context, In<float> logits, std::span<const int> targets);

private:
    Index m_d_head;
    Matrix<float> m_output;  // (V, D): lm_head · out_proj, M_h side by side
    Matrix<float> m_logits;  // (N, V)
};

}  // namespace headscope
