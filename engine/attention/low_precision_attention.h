#pragma once

#include <vector>

#include "engine/attention/attention_mask.h"
#include "engine/attention/multi_head_attention.h"

namespace headscope {

/// Multi-head attention as MultiHeadAttention computes it, without dropout, with every tensor stored in 16
/// bits, Eigen::half or Eigen::bfloat16, and every sum made in float: to see what that costs.
///
/// Each of these is rounded when it is stored: Q, K and V; the scores, already scaled; the weights; the
/// context; the output; and the gradients of all of them. A half holds no score above 65504: from 65520 on it
/// is infinite, and the row becomes NaN. Allocates.
template <typename Storage>
class LowPrecisionAttention {
public:
    struct Tensors {
        Matrix<Storage> qkv_proj_weight;  ///< (3D, D)
        Matrix<Storage> qkv_proj_bias;    ///< (1, 3D)
        Matrix<Storage> out_proj_weight;  ///< (D, D)
        Matrix<Storage> out_proj_bias;    ///< (1, D)
    };

    /// Takes the sizes, and refuses, as MultiHeadAttention does. There is only the plain path.
    LowPrecisionAttention(const AttentionShape& shape, const AttentionOptions& options);

    /// x (B·Lq, D), memory (B·Lk, D): the same in self-attention. Returns attn_out (B·Lq, D), which stays
    /// until the next forward().
    const Matrix<Storage>& forward(const Tensors& parameters, const Matrix<Storage>& x,
                                   const Matrix<Storage>& memory);

    struct Gradients {
        Tensors parameters;
        Matrix<Storage> x, memory;  ///< in self-attention the gradient of x is their sum
    };
    /// Of the last forward(), whose inputs and parameters are given again.
    Gradients backward(const Tensors& parameters, const Matrix<Storage>& x, const Matrix<Storage>& memory,
                       const Matrix<Storage>& grad_attn_out) const;

    // Of the last forward():
    const Matrix<Storage>& scores() const { return m_scores; }    ///< (B·H·Lq, Lk); −∞ where hidden
    const Matrix<Storage>& weights() const { return m_weights; }  ///< (B·H·Lq, Lk)

private:
    AttentionShape m_shape;
    AttentionMask m_mask;
    float m_scale;
    std::optional<Rotary<float>> m_rotary;
    Matrix<Storage> m_q;         // (B·Lq, D)
    Matrix<Storage> m_kv;        // (B·Lk, 2D)
    Matrix<Storage> m_scores;    // (B·H·Lq, Lk)
    Matrix<Storage> m_weights;   // (B·H·Lq, Lk)
    Matrix<Storage> m_context;   // (B·Lq, D)
    Matrix<Storage> m_attn_out;  // (B·Lq, D)
};

extern template class LowPrecisionAttention<Eigen::half>;
extern template class LowPrecisionAttention<Eigen::bfloat16>;

}  // namespace headscope
