#pragma once

#include <span>

#include "engine/numeric/matrix.h"
#include "engine/numeric/online_softmax.h"

namespace headscope {

// What takes exponentials of floats, in the widest vectors of the processor at hand: see vector_kernels.h.

/// Twin: causalSoftmax in softmax.h.
void causalSoftmaxVectorized(Out<float> block, Index first_visible, float scale);

/// Twin: causalSoftmaxBackward in softmax.h.
void causalSoftmaxBackwardVectorized(In<float> weights, Out<float> grad, Index first_visible, float scale);

/// Twins: takeIn, recall and gradWeightsToScores in online_softmax.h.
void takeInVectorized(Out<float> scores, std::span<const Index> visible, float scale,
                      std::span<OnlineSoftmax<float>> rows, std::span<float> shrink);
void recallVectorized(Out<float> scores, std::span<const Index> visible, float scale,
                      std::span<const OnlineSoftmax<float>> rows, Out<float> grad_weights,
                      std::span<float> mean);
void gradWeightsToScoresVectorized(In<float> weights, float scale, std::span<const float> mean,
                                   Out<float> grad);

/// What a row of logits l becomes for a loss: exponentials e[j] = exp(l[j] − l[best]), e[best] apart.
struct ShiftedExponentials {
    Index best;     ///< of the largest logit, the first of equals
    float largest;  ///< l[best]
    float rest;     ///< Σ e[j] over j ≠ best
};
/// exponentials may be the memory of logits. Twin: exponentials in cross_entropy.cpp.
ShiftedExponentials shiftedExponentialsVectorized(std::span<const float> logits,
                                                  std::span<float> exponentials);

}  // namespace headscope
