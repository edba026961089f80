#pragma once

#include "engine/attention/attention_tensors.h"
#include "engine/numeric/matrix.h"

namespace headscope {

/// Causal multi-head self-attention ("Attention Is All You Need", section 3.2) with one fused projection:
/// Q|K|V = x · qkv_projᵀ + bias, each split into H heads of d_head = D/H consecutive features;
/// scores = Q·Kᵀ / √d_head (or undivided); weights = softmax(scores) over the visible keys;
/// context = weights · V, heads merged; attn_out = context · out_projᵀ + bias.
///
/// Sequences are stacked: row b·T + t of a (B·T, ·) matrix is token t of sequence b. The block owns what it
/// computes, so that a step allocates nothing; x and the parameters stay the caller's.
template <typename Scalar>
class MultiHeadAttention {
public:
    /// B, T, D, H at least 1, H divides D: the caller has checked (assert).
    struct Shape {
        Index batch_rows;
        Index length;
        Index d_model;
        Index n_heads;

        Index d_head() const { return d_model / n_heads; }
        Index rows() const { return batch_rows * length; }
    };

    MultiHeadAttention(const Shape& shape, bool scale_scores);

    /// Re-splits the same features into n_heads heads, which divide D (assert). Allocates.
    void setHeads(Index n_heads, bool scale_scores);

    /// x (B·T, D). Returns attn_out (B·T, D), which stays until the next forward().
    const Matrix<Scalar>& forward(const AttentionTensors<ConstView<Scalar>>& parameters, In<Scalar> x);

    /// Of the last forward(), whose x and parameters are given again: overwrites the parameters' gradients
    /// and grad_x (B·T, D) from grad_attn_out (B·T, D).
    void backward(const AttentionTensors<ConstView<Scalar>>& parameters, In<Scalar> x,
                  In<Scalar> grad_attn_out, const AttentionTensors<View<Scalar>>& gradients,
                  Out<Scalar> grad_x);

    // For a caller that projects in a way of its own: fill qkv(), then forwardProjected(); backwardProjected()
    // returns the gradient of what was filled in. What forward() and backward() do between the projections.
    Matrix<Scalar>& qkv() { return m_qkv; }  ///< (B·T, 3D), Q|K|V; its values last until forwardProjected()
    const Matrix<Scalar>& forwardProjected(const AttentionTensors<ConstView<Scalar>>& parameters);
    /// Overwrites the gradients of out_proj only. Returns grad_qkv (B·T, 3D), which stays until the next one.
    const Matrix<Scalar>& backwardProjected(const AttentionTensors<ConstView<Scalar>>& parameters,
                                            In<Scalar> grad_attn_out,
                                            const AttentionTensors<View<Scalar>>& gradients);

    // Of the last forward():
    const Matrix<Scalar>& weights() const { return m_weights; }  ///< (B·H·T, T), 0 where masked
    const Matrix<Scalar>& context() const { return m_context; }  ///< (B·T, D)
    const Matrix<Scalar>& attn_out() const { return m_attn_out; }
    Matrix<Scalar> scores() const;  ///< (B·H·T, T), 0 where masked. Computed anew; allocates.

private:
    struct Head;
    template <typename Body>
    void forEachHead(Body&& body) const;

    Shape m_shape;
    Real<Scalar> m_scale;
    Matrix<Scalar> m_qkv;           // (B·T, 3D)
    Matrix<Scalar> m_weights;       // (B·H·T, T)
    Matrix<Scalar> m_context;       // (B·T, D)
    Matrix<Scalar> m_attn_out;      // (B·T, D)
    Matrix<Scalar> m_grad_context;  // (B·T, D)
    Matrix<Scalar> m_grad_qkv;      // (B·T, 3D)
    Matrix<Scalar> m_grad_scores;   // (T, T), one head at a time
};

extern template class MultiHeadAttention<float>;
extern template class MultiHeadAttention<double>;
extern template class MultiHeadAttention<std::complex<double>>;

}  // namespace headscope
