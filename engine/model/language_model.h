#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/attention/multi_head_attention.h"
#include "engine/model/composed_linear.h"
#include "engine/model/cross_entropy.h"
#include "engine/model/embedded_projection.h"
#include "engine/model/model_config.h"
#include "engine/model/parameters.h"

namespace headscope {

/// How Q|K|V come of the tokens: embedded, then projected, or both at once by EmbeddedProjection. Both give
/// the same within rounding.
enum class ProjectionPath { Plain, OnTables };

/// How the logits come of the heads' context: through out_proj, then lm_head, or through both at once by
/// ComposedLinear. Both give the same within rounding; output dropout, between the two, goes the plain way.
enum class OutputPath { Plain, Composed };

/// The faster paths for a batch of so many rows.
ProjectionPath fasterProjection(const ModelConfig& config, int batch_rows);
OutputPath fasterOutput(const ModelConfig& config, int batch_rows);

/// A language model of one causal multi-head attention block, for batches of B rows of T tokens:
/// x = token_emb[ids] + positions, attn_out = attention(x), logits = attn_out · lm_headᵀ + bias.
///
/// It owns what a step computes, not the parameters: a step is forward, loss, backward, in this order, and
/// allocates nothing after the first. Not thread-safe; one object per thread.
template <typename Scalar>
class LanguageModel {
public:
    /// Throws Refusal when the configuration is not valid or batch_rows is less than 1. Only on the plain
    /// path are there weights() to see.
    LanguageModel(const ModelConfig& config, int batch_rows, AttentionPath path = AttentionPath::Plain)
        : LanguageModel(config, batch_rows, path, fasterProjection(config, batch_rows),
                        fasterOutput(config, batch_rows)) {}
    LanguageModel(const ModelConfig& config, int batch_rows, AttentionPath path, ProjectionPath projection,
                  OutputPath output);

    const ModelConfig& config() const { return m_config; }
    int batchRows() const { return m_batch_rows; }

    /// Re-splits the same weights into other heads, scaled or not. Throws Refusal, changing nothing, when
    /// `config` is not valid or differs in anything but n_heads and scale_scores. All heads are Trained then.
    /// May allocate.
    void setConfig(const ModelConfig& config);

    /// Of the attention block, for the forward passes to come: see MultiHeadAttention.
    void setHeadModes(const std::vector<HeadMode>& modes) { m_attention.setHeadModes(modes); }

    /// Of the attention block, for the forward passes to come; nothing, the default, in evaluation.
    void setDropout(const AttentionDropout& dropout = {}) { m_attention.setDropout(dropout); }

    /// tokens (B, T) row-major, each in 0 … V−1: anything else throws Refusal. Returns the logits (B·T, V),
    /// which stay until the next forward().
    const Matrix<Scalar>& forward(const Parameters<Scalar>& parameters, std::span<const int> tokens);

    /// Mean cross-entropy of the last forward() over the targets that are not kIgnoredTarget, and what
    /// backward() starts from. targets (B, T) row-major; throws Refusal for a target outside −1 … V−1,
    /// another length, or no target that counts.
    BatchLoss<Scalar> loss(std::span<const int> targets);

    /// Overwrites `gradients` with those of the last loss(); `parameters` are those of the last forward().
    void backward(const Parameters<Scalar>& parameters, Parameters<Scalar>& gradients);

    // Of the last forward():
    const Matrix<Scalar>& logits() const { return m_logits; }  ///< (B·T, V)
    /// (B·H·T, T): row (b·H + h)·T + t is what token t of row b attends to in head h; exactly 0 after t.
    const Matrix<Scalar>& weights() const { return m_attention.weights(); }
    const Matrix<Scalar>& context() const { return m_attention.context(); }  ///< (B·T, D), heads merged
    /// (B·T, D). On the plain output path only (assert).
    const Matrix<Scalar>& attn_out() const;
    /// (B·H·T, T) before the softmax, scaled where the model scales; masked entries are 0. Allocates.
    Matrix<Scalar> scores() const { return m_attention.scores(); }

private:
    ConstView<Scalar> positions(const Parameters<Scalar>& parameters) const;
    void embed(const Parameters<Scalar>& parameters);
    void sumByToken(In<Scalar> rows, Out<Scalar> sums) const;
    void embedBackward(Parameters<Scalar>& gradients) const;
    bool composes() const { return m_composed && !m_attention.dropsOutput(); }
    const Matrix<Scalar>& backwardOutput(const Parameters<Scalar>& parameters, Parameters<Scalar>& gradients);

    ModelConfig m_config;
    int m_batch_rows;
    std::vector<int> m_tokens;  // (B, T), of the last forward()
    Matrix<Scalar> m_sinusoid;  // (T, D), or empty
    std::optional<EmbeddedProjection<Scalar>> m_on_tables;
    Matrix<Scalar> m_x;  // (B·T, D), unless projected on tables
    MultiHeadAttention<Scalar> m_attention;
    std::optional<ComposedLinear<Scalar>> m_composed;  // out_proj and lm_head
    Matrix<Scalar> m_logits;                           // (B·T, V)
    Matrix<Scalar> m_grad_logits;                      // (B·T, V)
    Matrix<Scalar> m_grad_attn_out;                    // (B·T, D)
    Matrix<Scalar> m_grad_x;                           // (B·T, D), where it is asked for
    /// (V, 3D), of the gradient of Q|K|V: where nobody asks for the gradient of every x, but for the sums of
    /// those that share a token, fewer rows go through the projection's product when they are summed before.
    Matrix<Scalar> m_sums_by_token;
};

extern template class LanguageModel<float>;
extern template class LanguageModel<double>;
extern template class LanguageModel<std::complex<double>>;

}  // namespace headscope
