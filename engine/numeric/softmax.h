#pragma once

#include <span>

#include "engine/numeric/matrix.h"

namespace headscope {

/// In place: row[j] ← exp(scale · row[j]) / Σ exp(scale · row[k]) over the first `visible` entries; the
/// others become exactly 0, whatever they held. Nothing visible gives a row of zeros; a visible NaN or
/// infinity gives NaN. scale is positive; the largest entry (by real part) is subtracted first, so that
/// nothing overflows.
template <typename Scalar>
void softmax(std::span<Scalar> row, Index visible, Real<Scalar> scale);

/// In place, from the softmax's result: grad[j] ← scale · weights[j] · (grad[j] − Σ grad[k] · weights[k])
/// over the first `visible` entries, exactly 0 in the others: the gradient with respect to the unscaled row.
template <typename Scalar>
void softmaxBackward(std::span<const Scalar> weights, std::span<Scalar> grad, Index visible,
                     Real<Scalar> scale);

/// softmax() of every row of a causal block: row i sees its first min(first_visible + i, cols) entries.
/// Floats take the processor's widest vectors, a call for many rows.
template <typename Scalar>
void causalSoftmax(Out<Scalar> block, Index first_visible, Real<Scalar> scale);

/// softmaxBackward() of every row of a causal block.
template <typename Scalar>
void causalSoftmaxBackward(In<Scalar> weights, Out<Scalar> grad, Index first_visible, Real<Scalar> scale);

}  // namespace headscope
