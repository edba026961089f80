#pragma once

#include "engine/numeric/matrix.h"

namespace headscope {

/// y (N, out) = x (N, in) · weightᵀ + bias: PyTorch's Linear; weight (out, in), bias (1, out).
template <typename Scalar>
void linear(In<Scalar> x, In<Scalar> weight, In<Scalar> bias, Out<Scalar> y);

/// Gradients of the parameters from grad_y: grad_weight = grad_yᵀ · x, grad_bias = column sums of grad_y.
template <typename Scalar>
void linearBackwardParameters(In<Scalar> x, In<Scalar> grad_y, Out<Scalar> grad_weight,
                              Out<Scalar> grad_bias);

/// Gradient of the input: grad_x = grad_y · weight.
template <typename Scalar>
void linearBackwardInput(In<Scalar> weight, In<Scalar> grad_y, Out<Scalar> grad_x);

}  // namespace headscope
