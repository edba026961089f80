#include "engine/model/language_model.h"

#include <cassert>
#include <string>

#include "engine/model/positions.h"
#include "engine/numeric/linear.h"

namespace headscope {
namespace {

constexpr int kMaxRows = 4096;

template <typename Scalar>
MultiHeadAttention<Scalar> makeAttention(const ModelConfig& config, int batch_rows, AttentionPath path) {
    requireValid(config);
    if (auto refusal = outOfRange("batch_rows", batch_rows, 1, kMaxRows)) throw *refusal;
    return {{batch_rows, config.context_length, config.d_model, config.n_heads},
            {.scale_scores = config.scale_scores,
             .rotary = config.positions == Positions::Rotary,
             .mask = AttentionMask::causal(),
             .path = path}};
}

template <typename TensorView, typename SomeParameters>
TwoLayers<TensorView> outputLayers(SomeParameters& parameters) {
    const auto attn = parameters.attn();
    return {attn.out_proj_weight, attn.out_proj_bias, parameters.lm_head_weight(), parameters.lm_head_bias()};
}

}  // namespace

ProjectionPath fasterProjection(const ModelConfig& config, int batch_rows) {
    const bool pays = EmbeddedProjection<float>::pays(config.vocab_size, config.context_length, batch_rows);
    return pays ? ProjectionPath::OnTables : ProjectionPath::Plain;
}

OutputPath fasterOutput(const ModelConfig& config, int batch_rows) {
    const Index rows = Index{batch_rows} * config.context_length;
    return ComposedLinear<float>::pays(rows, config.vocab_size) ? OutputPath::Composed : OutputPath::Plain;
}

template <typename Scalar>
LanguageModel<Scalar>::LanguageModel(const ModelConfig& config, int batch_rows, AttentionPath path,
                                     ProjectionPath projection, OutputPath output)
    : m_config(config),
      m_batch_rows(batch_rows),
      m_attention(makeAttention<Scalar>(config, batch_rows, path)) {
    const Index rows = Index{batch_rows} * config.context_length;
    m_tokens.resize(static_cast<std::size_t>(rows));
    if (config.positions == Positions::Sinusoidal)
        m_sinusoid = sinusoidalPositions<Scalar>(config.context_length, config.d_model);
    if (projection == ProjectionPath::OnTables) {
        m_on_tables.emplace(config.vocab_size, config.context_length, config.d_model, 3 * config.d_model);
    } else {
        m_x.setZero(rows, config.d_model);
        if (config.positions != Positions::Learned && config.vocab_size < rows)
            m_sums_by_token.setZero(config.vocab_size, 3 * config.d_model);
        else
            m_grad_x.setZero(rows, config.d_model);
    }
    if (output == OutputPath::Composed) m_composed.emplace(config.d_model, config.vocab_size);
    m_logits.setZero(rows, config.vocab_size);
    m_grad_logits.setZero(rows, config.vocab_size);
    m_grad_attn_out.setZero(rows, config.d_model);
}

template <typename Scalar>
void LanguageModel<Scalar>::setConfig(const ModelConfig& config) {
    requireValid(config);
    ModelConfig same = config;
    same.n_heads = m_config.n_heads;
    same.scale_scores = m_config.scale_scores;
    if (same != m_config)
        throw Refusal("only the head count and the scaling of a model can change, not its other sizes");
    m_attention.setHeads(config.n_heads, config.scale_scores);
    m_config = config;
}

template <typename Scalar>
const Matrix<Scalar>& LanguageModel<Scalar>::forward(const Parameters<Scalar>& parameters,
                                                     std::span<const int> tokens) {
    if (tokens.size() != m_tokens.size())
        throw Refusal("%1 tokens for a batch of %2",
                      {std::to_string(tokens.size()), std::to_string(m_tokens.size())});
    for (const int token : tokens)
        if (token < 0 || token >= m_config.vocab_size)
            throw Refusal("token %1 is outside the vocabulary: it must be from 0 to %2",
                          {std::to_string(token), std::to_string(m_config.vocab_size - 1)});
    std::copy(tokens.begin(), tokens.end(), m_tokens.begin());
    const auto attn = parameters.attn();
    if (m_on_tables) {
        m_on_tables->forward(m_tokens, parameters.token_emb(), positions(parameters), attn.qkv_proj_weight,
                             attn.qkv_proj_bias, m_attention.qkv());
    } else {
        embed(parameters);
        linear<Scalar>(m_x, attn.qkv_proj_weight, attn.qkv_proj_bias, m_attention.qkv());
    }
    if (composes())
        m_composed->forward(outputLayers<ConstView<Scalar>>(parameters), m_attention.attend(), m_logits);
    else
        linear<Scalar>(m_attention.forwardProjected(attn), parameters.lm_head_weight(),
                       parameters.lm_head_bias(), m_logits);
    return m_logits;
}

template <typename Scalar>
BatchLoss<Scalar> LanguageModel<Scalar>::loss(std::span<const int> targets) {
    return crossEntropy<Scalar>(m_logits, targets, m_grad_logits);
}

template <typename Scalar>
void LanguageModel<Scalar>::backward(const Parameters<Scalar>& parameters, Parameters<Scalar>& gradients) {
    const auto attn = parameters.attn();
    const auto grad_attn = gradients.attn();
    const Matrix<Scalar>& grad_qkv = backwardOutput(parameters, gradients);
    if (m_on_tables) {
        m_on_tables->backward(m_tokens, attn.qkv_proj_weight, grad_qkv, grad_attn.qkv_proj_weight,
                              grad_attn.qkv_proj_bias, gradients.token_emb(), gradients.pos_emb());
        return;
    }
    linearBackwardParameters<Scalar>(m_x, grad_qkv, grad_attn.qkv_proj_weight, grad_attn.qkv_proj_bias);
    if (m_sums_by_token.size() > 0) {
        sumByToken(grad_qkv, m_sums_by_token);
        linearBackwardInput<Scalar>(attn.qkv_proj_weight, m_sums_by_token, gradients.token_emb());
    } else {
        linearBackwardInput<Scalar>(attn.qkv_proj_weight, grad_qkv, m_grad_x);
        embedBackward(gradients);
    }
}

/// From the logits back to Q|K|V, whose gradient it returns.
template <typename Scalar>
const Matrix<Scalar>& LanguageModel<Scalar>::backwardOutput(const Parameters<Scalar>& parameters,
                                                            Parameters<Scalar>& gradients) {
    if (composes()) {
        m_composed->backward(outputLayers<ConstView<Scalar>>(parameters), context(), m_grad_logits,
                             outputLayers<View<Scalar>>(gradients), m_attention.gradContext());
        return m_attention.attendBackward();
    }
    linearBackwardParameters<Scalar>(attn_out(), m_grad_logits, gradients.lm_head_weight(),
                                     gradients.lm_head_bias());
    linearBackwardInput<Scalar>(parameters.lm_head_weight(), m_grad_logits, m_grad_attn_out);
    return m_attention.backwardProjected(parameters.attn(), m_grad_attn_out, gradients.attn());
}

template <typename Scalar>
const Matrix<Scalar>& LanguageModel<Scalar>::attn_out() const {
    assert(!composes());
    return m_attention.attn_out();
}

/// What is added to the tokens of a sequence (T, D), or (0, D) for nothing.
template <typename Scalar>
ConstView<Scalar> LanguageModel<Scalar>::positions(const Parameters<Scalar>& parameters) const {
    if (m_config.positions != Positions::Sinusoidal) return parameters.pos_emb();
    return {m_sinusoid.data(), m_sinusoid.rows(), m_sinusoid.cols(), Eigen::OuterStride<>(m_sinusoid.cols())};
}

template <typename Scalar>
void LanguageModel<Scalar>::embed(const Parameters<Scalar>& parameters) {
    const auto table = parameters.token_emb();
    const auto added = positions(parameters);
    const Index T = m_config.context_length;
    for (Index i = 0; i < m_x.rows(); ++i) {
        const auto token = table.row(m_tokens[static_cast<std::size_t>(i)]);
        if (added.rows() > 0)
            m_x.row(i) = token + added.row(i % T);
        else
            m_x.row(i) = token;
    }
}

/// sums (V, ·): of the rows (B·T, ·) of each token.
template <typename Scalar>
void LanguageModel<Scalar>::sumByToken(In<Scalar> rows, Out<Scalar> sums) const {
    sums.setZero();
    for (Index i = 0; i < rows.rows(); ++i) sums.row(m_tokens[static_cast<std::size_t>(i)]) += rows.row(i);
}

template <typename Scalar>
void LanguageModel<Scalar>::embedBackward(Parameters<Scalar>& gradients) const {
    sumByToken(m_grad_x, gradients.token_emb());
    if (m_config.positions == Positions::Learned) {
        auto positions = gradients.pos_emb();
        const Index T = m_config.context_length;
        positions.setZero();
        for (Index b = 0; b < m_batch_rows; ++b) positions += m_grad_x.middleRows(b * T, T);
    }
}

template class LanguageModel<float>;
template class LanguageModel<double>;
template class LanguageModel<std::complex<double>>;

}  // namespace headscope
