#pragma once

#include <limits>
#include <span>

#include "engine/numeric/matrix.h"

namespace headscope {

/// Where the softmax of a row stands whose scores come in parts: m and ℓ of Milakov and Gimelshein, "Online
/// normalizer calculation for softmax", 2018, algorithm 3.
template <typename Scalar>
struct OnlineSoftmax {
    Real<Scalar> max =
        -std::numeric_limits<Real<Scalar>>::infinity();  ///< of the scores so far, by real part
    Scalar sum = Scalar(0);  ///< Σ exp(scale · (score − max)) over them; 0 as long as nothing was visible
};

// Of a part of every row: row i has visible[i] entries that count, the others become exactly 0. All spans
// have a value for each row; a visible NaN makes everything of its row NaN.

/// Scores become exp(scale · (score − max)) with the max so far. What was computed from the parts before must
/// be multiplied by shrink[i], which is 1 where the max is still the same.
template <typename Scalar>
void takeIn(Out<Scalar> scores, std::span<const Index> visible, Real<Scalar> scale,
            std::span<OnlineSoftmax<Scalar>> rows, std::span<Real<Scalar>> shrink);

/// Once the rows are complete: scores become weights, exp(scale · (score − max)) / sum, and mean[i] grows by
/// Σ weight · grad_weight.
template <typename Scalar>
void recall(Out<Scalar> scores, std::span<const Index> visible, Real<Scalar> scale,
            std::span<const OnlineSoftmax<Scalar>> rows, Out<Scalar> grad_weights, std::span<Scalar> mean);

/// Once the means are complete: grad ← scale · weight · (grad − mean[i]), from the gradient of the weights to
/// that of the unscaled scores.
template <typename Scalar>
void gradWeightsToScores(In<Scalar> weights, Real<Scalar> scale, std::span<const Scalar> mean,
                         Out<Scalar> grad);

}  // namespace headscope
