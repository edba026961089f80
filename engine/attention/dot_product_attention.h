#pragma once

#include <vector>

#include "engine/attention/heads.h"

namespace headscope {

/// weights = softmax(scale · Q·Kᵀ) over the visible keys, context = weights · V, head by head: "Attention Is
/// All You Need", section 3.2.1, equation 1. The plain path, which keeps all weights: B·H·Lq·Lk numbers.
/// A query that sees no key has weights 0 and context 0.
///
/// Queries are taken a few at a time, so that with a causal mask the keys after the last of them are left out
/// of every product.
template <typename Scalar>
class DotProductAttention {
public:
    explicit DotProductAttention(const AttentionShape& shape);

    /// context (B·Lq, D) is overwritten.
    void forward(const QueriesKeysValues<ConstView<Scalar>>& in, const ScoreRules<Scalar>& rules,
                 Out<Scalar> context);

    /// Of the last forward(), whose `in` and `rules` are given again: overwrites `grad` from
    /// grad_context (B·Lq, D).
    void backward(const QueriesKeysValues<ConstView<Scalar>>& in, const ScoreRules<Scalar>& rules,
                  In<Scalar> grad_context, QueriesKeysValues<View<Scalar>> grad);

    /// (B·H·Lq, Lk): the softmax's, before any dropout; exactly 0 where hidden.
    const Matrix<Scalar>& weights() const { return m_weights; }

    /// To be called when another mask comes: what it hides must not show older weights.
    void clear() { m_weights.setZero(); }

private:
    struct Tile;
    void scoresToWeights(const Tile& tile, const ScoreRules<Scalar>& rules, Out<Scalar> rows);

    AttentionShape m_shape;
    Matrix<Scalar> m_weights;              // (B·H·Lq, Lk)
    Matrix<Scalar> m_transposed;           // (d_head, Lk): a head's keys, or its values
    Matrix<Scalar> m_grad_scores;          // (Lq, Lk), of the head in hand
    Matrix<Scalar> m_dropped;              // (Lq, Lk) with dropout
    std::vector<unsigned char> m_visible;  // (kTileQueries, Lk) with a boolean mask
};

extern template class DotProductAttention<float>;
extern template class DotProductAttention<double>;
extern template class DotProductAttention<std::complex<double>>;

}  // namespace headscope
