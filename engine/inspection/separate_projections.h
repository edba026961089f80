#pragma once

#include "engine/attention/attention_tensors.h"
#include "engine/numeric/linear.h"

namespace headscope {

// Q, K and V each by a layer of its own, whose weights (D, D) and gradients are matrices of their own: what
// the fused projection is to be the same as.

/// From `x` (rows, D) to `qkv` (rows, 3D).
template <typename Scalar>
void projectSeparately(const AttentionTensors<ConstView<Scalar>>& tensors, const Matrix<Scalar>& x,
                       Matrix<Scalar>& qkv) {
    const Index D = x.cols();
    Matrix<Scalar> part(x.rows(), D);
    for (Index i = 0; i < 3; ++i) {
        const Matrix<Scalar> weight = tensors.qkv_proj_weight.middleRows(i * D, D);
        const Matrix<Scalar> bias = tensors.qkv_proj_bias.middleCols(i * D, D);
        linear<Scalar>(x, weight, bias, part);
        qkv.middleCols(i * D, D) = part;
    }
}

/// Sets the gradients of qkv_proj and of `x`, from that of qkv.
template <typename Scalar>
void projectSeparatelyBackward(const AttentionTensors<ConstView<Scalar>>& tensors, const Matrix<Scalar>& x,
                               const Matrix<Scalar>& grad_qkv, AttentionTensors<View<Scalar>> gradients,
                               Matrix<Scalar>& grad_x) {
    const Index D = x.cols();
    Matrix<Scalar> grad_weight(D, D), grad_bias(1, D), part_of_grad_x(x.rows(), D);
    grad_x.setZero();
    for (Index i = 0; i < 3; ++i) {
        const Matrix<Scalar> weight = tensors.qkv_proj_weight.middleRows(i * D, D);
        const Matrix<Scalar> grad = grad_qkv.middleCols(i * D, D);
        linearBackwardParameters<Scalar>(x, grad, grad_weight, grad_bias);
        linearBackwardInput<Scalar>(weight, grad, part_of_grad_x);
        gradients.qkv_proj_weight.middleRows(i * D, D) = grad_weight;
        gradients.qkv_proj_bias.middleCols(i * D, D) = grad_bias;
        grad_x += part_of_grad_x;
    }
}

}  // namespace headscope
