#include "engine/attention/multi_head_attention.h"

#include <cassert>
#include <cmath>

#include "engine/numeric/linear.h"
#include "engine/numeric/matmul.h"
#include "engine/numeric/softmax.h"

namespace headscope {
namespace {

template <typename Scalar>
std::span<Scalar> rowOf(Matrix<Scalar>& matrix, Index row) {
    return {matrix.data() + row * matrix.cols(), static_cast<std::size_t>(matrix.cols())};
}

}  // namespace

template <typename Scalar>
MultiHeadAttention<Scalar>::MultiHeadAttention(const Shape& shape, bool scale_scores) : m_shape(shape) {
    assert(shape.batch_rows > 0 && shape.length > 0 && shape.d_model > 0);
    const Index rows = shape.rows(), D = shape.d_model;
    m_qkv.setZero(rows, 3 * D);
    m_context.setZero(rows, D);
    m_attn_out.setZero(rows, D);
    m_grad_context.setZero(rows, D);
    m_grad_qkv.setZero(rows, 3 * D);
    m_grad_scores.setZero(shape.length, shape.length);
    setHeads(shape.n_heads, scale_scores);
}

template <typename Scalar>
void MultiHeadAttention<Scalar>::setHeads(Index n_heads, bool scale_scores) {
    assert(n_heads > 0 && m_shape.d_model % n_heads == 0);
    m_shape.n_heads = n_heads;
    m_scale = scale_scores ? 1 / std::sqrt(static_cast<Real<Scalar>>(m_shape.d_head())) : Real<Scalar>(1);
    m_weights.setZero(m_shape.batch_rows * n_heads * m_shape.length, m_shape.length);
}

/// Where the queries, keys and values of one head of one sequence lie in a (B·T, 3D) matrix, its context in a
/// (B·T, D) matrix and its weights in a (B·H·T, T) matrix: strided views, nothing is moved to split or merge.
template <typename Scalar>
struct MultiHeadAttention<Scalar>::Head {
    Index T, D, d_head;
    Index row;          // of the sequence's first token
    Index column;       // of the head's first feature
    Index weights_row;  // of the head's first query

    template <typename M>
    auto q(M& qkv) const {
        return qkv.block(row, column, T, d_head);
    }
    template <typename M>
    auto k(M& qkv) const {
        return qkv.block(row, D + column, T, d_head);
    }
    template <typename M>
    auto v(M& qkv) const {
        return qkv.block(row, 2 * D + column, T, d_head);
    }
    template <typename M>
    auto context(M& merged) const {
        return merged.block(row, column, T, d_head);
    }
    template <typename M>
    auto weights(M& stacked) const {
        return stacked.middleRows(weights_row, T);
    }
};

template <typename Scalar>
template <typename Body>
void MultiHeadAttention<Scalar>::forEachHead(Body&& body) const {
    const Index T = m_shape.length, H = m_shape.n_heads, d_head = m_shape.d_head();
    for (Index b = 0; b < m_shape.batch_rows; ++b)
        for (Index h = 0; h < H; ++h)
            body(Head{T, m_shape.d_model, d_head, b * T, h * d_head, (b * H + h) * T});
}

template <typename Scalar>
const Matrix<Scalar>& MultiHeadAttention<Scalar>::forward(
    const AttentionTensors<ConstView<Scalar>>& parameters, In<Scalar> x) {
    assert(x.rows() == m_shape.rows() && x.cols() == m_shape.d_model);
    linear<Scalar>(x, parameters.qkv_proj_weight, parameters.qkv_proj_bias, m_qkv);
    return forwardProjected(parameters);
}

template <typename Scalar>
const Matrix<Scalar>& MultiHeadAttention<Scalar>::forwardProjected(
    const AttentionTensors<ConstView<Scalar>>& parameters) {
    forEachHead([this](const Head& head) {
        auto weights = head.weights(m_weights);
        multiplyABt<Scalar>(head.q(m_qkv), head.k(m_qkv), weights);
        // The scores become the weights where they lie, and the softmax scales what it reads anyway.
        for (Index t = 0; t < head.T; ++t)
            softmax<Scalar>(rowOf(m_weights, head.weights_row + t), t + 1, m_scale);
        multiply<Scalar>(weights, head.v(m_qkv), head.context(m_context));
    });
    linear<Scalar>(m_context, parameters.out_proj_weight, parameters.out_proj_bias, m_attn_out);
    return m_attn_out;
}

template <typename Scalar>
void MultiHeadAttention<Scalar>::backward(const AttentionTensors<ConstView<Scalar>>& parameters, In<Scalar> x,
                                          In<Scalar> grad_attn_out,
                                          const AttentionTensors<View<Scalar>>& gradients,
                                          Out<Scalar> grad_x) {
    backwardProjected(parameters, grad_attn_out, gradients);
    linearBackwardParameters<Scalar>(x, m_grad_qkv, gradients.qkv_proj_weight, gradients.qkv_proj_bias);
    linearBackwardInput<Scalar>(parameters.qkv_proj_weight, m_grad_qkv, grad_x);
}

template <typename Scalar>
const Matrix<Scalar>& MultiHeadAttention<Scalar>::backwardProjected(
    const AttentionTensors<ConstView<Scalar>>& parameters, In<Scalar> grad_attn_out,
    const AttentionTensors<View<Scalar>>& gradients) {
    assert(grad_attn_out.rows() == m_shape.rows() && grad_attn_out.cols() == m_shape.d_model);
    linearBackwardParameters<Scalar>(m_context, grad_attn_out, gradients.out_proj_weight,
                                     gradients.out_proj_bias);
    linearBackwardInput<Scalar>(parameters.out_proj_weight, grad_attn_out, m_grad_context);
    forEachHead([this](const Head& head) {
        const auto weights = head.weights(m_weights);
        const auto grad_context = head.context(m_grad_context);
        multiplyAtB<Scalar>(weights, grad_context, head.v(m_grad_qkv));
        multiplyABt<Scalar>(grad_context, head.v(m_qkv), m_grad_scores);
        for (Index t = 0; t < head.T; ++t)
            softmaxBackward<Scalar>(rowOf(m_weights, head.weights_row + t), rowOf(m_grad_scores, t), t + 1,
                                    m_scale);
        multiply<Scalar>(m_grad_scores, head.k(m_qkv), head.q(m_grad_qkv));
        multiplyAtB<Scalar>(m_grad_scores, head.q(m_qkv), head.k(m_grad_qkv));
    });
    return m_grad_qkv;
}

template <typename Scalar>
Matrix<Scalar> MultiHeadAttention<Scalar>::scores() const {
    Matrix<Scalar> scores(m_weights.rows(), m_weights.cols());
    forEachHead([&](const Head& head) {
        auto own = head.weights(scores);
        multiplyABt<Scalar>(head.q(m_qkv), head.k(m_qkv), own);
        own *= Scalar(m_scale);
        own.template triangularView<Eigen::StrictlyUpper>().setZero();
    });
    return scores;
}

template class MultiHeadAttention<float>;
template class MultiHeadAttention<double>;
template class MultiHeadAttention<std::complex<double>>;

}  // namespace headscope
