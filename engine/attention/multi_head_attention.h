#pragma once

#include <optional>
#include <variant>

#include "engine/attention/attention_tensors.h"
#include "engine/attention/blockwise_attention.h"
#include "engine/attention/dot_product_attention.h"
#include "engine/attention/head_mode.h"
#include "engine/attention/rotary.h"

namespace headscope {

/// How the block goes through its scores. Plain keeps the weights, so it is what to ask for who wants to see
/// them; Blockwise never holds an Lq×Lk matrix. Both give the same within rounding.
enum class AttentionPath { Plain, Blockwise };

/// The faster path for training, when nobody asks for weights. Measured: see the definition.
AttentionPath fasterPath(Index queries, Index keys);

/// What decides the arithmetic of an attention block, besides its sizes.
struct AttentionOptions {
    bool scale_scores = true;  ///< divide the scores by √d_head
    bool rotary = false;       ///< rotary positions; d_head must be even
    AttentionMask mask = AttentionMask::causal();
    AttentionPath path = AttentionPath::Plain;
};

/// Probabilities of dropping a weight and an element of the output, each 0 … 1 with 1 excluded.
struct AttentionDropout {
    double attention = 0;
    double output = 0;
    std::uint64_t seed = 0;
};

/// Multi-head attention ("Attention Is All You Need", section 3.2) with one fused projection:
/// Q|K|V = x · qkv_projᵀ + bias, each split into H heads of d_head = D/H consecutive features;
/// scores = Q·Kᵀ / √d_head (or undivided); weights = softmax(scores) over the visible keys;
/// context = weights · V, heads merged; attn_out = context · out_projᵀ + bias.
///
/// Self-attention by default. Where shape.memory_length says so it is cross-attention: Q comes from x, K and
/// V from a memory. A query that sees no key has weights 0 and context 0, so its attn_out is out_proj's bias.
///
/// Sequences are stacked: row b·L + t of a (B·L, ·) matrix is token t of sequence b. The block owns what it
/// computes, so that a step allocates nothing; x, memory and the parameters stay the caller's. What is not
/// finite in them makes what comes of it NaN or infinite, and never a plausible number.
template <typename Scalar>
class MultiHeadAttention {
public:
    using Shape = AttentionShape;
    using Parameters = AttentionTensors<ConstView<Scalar>>;
    using Gradients = AttentionTensors<View<Scalar>>;

    /// B, Lq, D, H at least 1, H divides D: the caller has checked (assert). Throws Refusal for a mask that
    /// does not broadcast to (B, H, Lq, Lk), and for rotary positions with an odd d_head.
    MultiHeadAttention(const Shape& shape, const AttentionOptions& options);

    /// Re-splits the same features into n_heads heads, which divide D (assert), all of them Trained. Throws
    /// as the constructor, changing nothing. Allocates.
    void setHeads(Index n_heads, bool scale_scores);

    /// For the forward passes to come. Throws Refusal, changing nothing, for one that does not broadcast.
    void setMask(const AttentionMask& mask);

    /// For the forward passes to come. The same seed drops the same elements: give every training step one of
    /// its own, and nothing, the default, in evaluation.
    void setDropout(const AttentionDropout& dropout = {});

    /// For the forward passes to come; Frozen is Trained here. Throws Refusal, changing nothing, unless there
    /// are H of them.
    void setHeadModes(const std::vector<HeadMode>& modes);

    /// x (B·Lq, D), in cross-attention memory (B·Lk, D). Returns attn_out (B·Lq, D), which stays until the
    /// next forward().
    const Matrix<Scalar>& forward(const Parameters& parameters, In<Scalar> x);
    const Matrix<Scalar>& forward(const Parameters& parameters, In<Scalar> x, In<Scalar> memory);

    /// Of the last forward(), whose inputs and parameters are given again: overwrites the parameters'
    /// gradients, grad_x (B·Lq, D) and grad_memory (B·Lk, D) from grad_attn_out (B·Lq, D).
    void backward(const Parameters& parameters, In<Scalar> x, In<Scalar> grad_attn_out,
                  const Gradients& gradients, Out<Scalar> grad_x);
    void backward(const Parameters& parameters, In<Scalar> x, In<Scalar> memory, In<Scalar> grad_attn_out,
                  const Gradients& gradients, Out<Scalar> grad_x, Out<Scalar> grad_memory);

    // For a caller of self-attention that projects in a way of its own: fill qkv(), then forwardProjected();
    // backwardProjected() returns the gradient of what was filled in.
    Matrix<Scalar>& qkv() { return m_qkv; }  ///< (B·T, 3D), Q|K|V; its values last until the heads attend
    const Matrix<Scalar>& forwardProjected(const Parameters& parameters);
    /// Overwrites the gradients of out_proj only. Returns grad_qkv (B·T, 3D), which stays until the next one.
    const Matrix<Scalar>& backwardProjected(const Parameters& parameters, In<Scalar> grad_attn_out,
                                            const Gradients& gradients);

    // For one that goes on from the context in a way of its own too, with neither out_proj nor its dropout:
    // fill qkv(), then attend(); fill gradContext(), then attendBackward().
    const Matrix<Scalar>& attend();                           ///< returns context()
    Matrix<Scalar>& gradContext() { return m_grad_context; }  ///< (B·T, D); lasts until attendBackward()
    const Matrix<Scalar>& attendBackward();                   ///< returns grad_qkv as backwardProjected()
    bool dropsOutput() const { return bool(m_output_dropout); }

    // Of the last forward():
    /// (B·H·Lq, Lk), before dropout, 0 where hidden. On the plain path only (assert).
    const Matrix<Scalar>& weights() const;
    const Matrix<Scalar>& context() const { return m_context; }    ///< (B·Lq, D)
    const Matrix<Scalar>& attn_out() const { return m_attn_out; }  ///< (B·Lq, D); not of attend()
    Matrix<Scalar> scores() const;  ///< (B·H·Lq, Lk), 0 where hidden. Computed anew; allocates.

private:
    QueriesKeysValues<ConstView<Scalar>> projected() const;
    QueriesKeysValues<View<Scalar>> gradProjected();
    template <typename M>
    void clear(HeadMode mode, M&& merged) const;

    Shape m_shape;
    AttentionOptions m_options;
    ScoreRules<Scalar> m_rules;
    std::vector<HeadMode> m_modes;  // (H)
    Dropout m_output_dropout;
    std::optional<Rotary<Scalar>> m_rotary;
    std::variant<DotProductAttention<Scalar>, BlockwiseAttention<Scalar>> m_heads;
    Matrix<Scalar> m_qkv;           // (B·Lq, 3D): Q|K|V; in cross-attention (B·Lq, D): Q
    Matrix<Scalar> m_memory_kv;     // (B·Lk, 2D) in cross-attention: K|V
    Matrix<Scalar> m_context;       // (B·Lq, D)
    Matrix<Scalar> m_attn_out;      // (B·Lq, D)
    Matrix<Scalar> m_grad_dropped;  // (B·Lq, D) with output dropout
    Matrix<Scalar> m_grad_context;  // (B·Lq, D)
    Matrix<Scalar> m_grad_qkv;      // as m_qkv
    Matrix<Scalar> m_grad_memory_kv;
};

extern template class MultiHeadAttention<float>;
extern template class MultiHeadAttention<double>;
extern template class MultiHeadAttention<std::complex<double>>;

}  // namespace headscope
