#include "engine/attention/multi_head_attention.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "engine/numeric/linear.h"
#include "engine/numeric/matmul.h"

namespace headscope {
namespace {

using Path = AttentionPath;

/// The features of a matrix of Q|K|V or K|V, from `first` on.
template <typename Scalar>
View<Scalar> columns(Matrix<Scalar>& m, Index first, Index count) {
    return {m.data() + first, m.rows(), count, Eigen::OuterStride<>(m.cols())};
}
template <typename Scalar>
ConstView<Scalar> columns(const Matrix<Scalar>& m, Index first, Index count) {
    return {m.data() + first, m.rows(), count, Eigen::OuterStride<>(m.cols())};
}

template <typename Scalar>
void dropRows(Matrix<Scalar>& m, const Dropout& dropout) {
    dropout.apply(std::span(m.data(), static_cast<std::size_t>(m.size())), 0);
}

template <typename Scalar>
std::variant<DotProductAttention<Scalar>, BlockwiseAttention<Scalar>> makeHeads(const AttentionShape& shape,
                                                                                Path path) {
    if (path == Path::Plain) return DotProductAttention<Scalar>(shape);
    return BlockwiseAttention<Scalar>(shape);
}

template <typename Scalar>
std::optional<Rotary<Scalar>> makeRotary(const AttentionShape& shape, const AttentionOptions& options) {
    if (!options.rotary) return std::nullopt;
    return Rotary<Scalar>(std::max(shape.queries(), shape.keys()), shape.d_head());
}

template <typename Scalar>
Real<Scalar> scoreScale(const AttentionShape& shape, bool scale_scores) {
    return scale_scores ? 1 / std::sqrt(static_cast<Real<Scalar>>(shape.d_head())) : Real<Scalar>(1);
}

const AttentionOptions& valid(const AttentionShape& shape, const AttentionOptions& options) {
    assert(shape.batch_rows > 0 && shape.length > 0 && shape.memory_length >= 0);
    assert(shape.d_model > 0 && shape.n_heads > 0 && shape.d_model % shape.n_heads == 0);
    options.mask.requireBroadcastsTo(shape);
    return options;
}

}  // namespace

// Forward and backward of causal self-attention, 16 features a head, on one Zen 4 core. Where the blockwise
// path must compute the weights twice, the plain one takes three quarters of its time at 256 tokens; at 512
// four fifths; at 768 a fifteenth more, as the weights leave the caches; at 1024 and 2048 half as much again.
// Where FusedAttention may keep them, as long at 256; a tenth more at 512, and twice as long at 1024.
AttentionPath fasterPath(Index queries, Index keys) {
    return queries * keys < std::ptrdiff_t{720} * 720 ? Path::Plain : Path::Blockwise;
}

template <typename Scalar>
MultiHeadAttention<Scalar>::MultiHeadAttention(const Shape& shape, const AttentionOptions& options)
    : m_shape(shape),
      m_options(valid(shape, options)),
      m_rules{scoreScale<Scalar>(shape, options.scale_scores), options.mask, {}},
      m_modes(static_cast<std::size_t>(shape.n_heads), HeadMode::Trained),
      m_rotary(makeRotary<Scalar>(shape, options)),
      m_heads(makeHeads<Scalar>(shape, options.path)) {
    const Index rows = shape.rows(), D = shape.d_model;
    m_qkv.setZero(rows, shape.isCross() ? D : 3 * D);
    m_grad_qkv.setZero(rows, m_qkv.cols());
    if (shape.isCross()) {
        m_memory_kv.setZero(shape.keyRows(), 2 * D);
        m_grad_memory_kv.setZero(shape.keyRows(), 2 * D);
    }
    m_context.setZero(rows, D);
    m_attn_out.setZero(rows, D);
    m_grad_context.setZero(rows, D);
}

template <typename Scalar>
void MultiHeadAttention<Scalar>::setHeads(Index n_heads, bool scale_scores) {
    Shape shape = m_shape;
    shape.n_heads = n_heads;
    valid(shape, m_options);
    m_rotary = makeRotary<Scalar>(shape, m_options);
    m_rules.scale = scoreScale<Scalar>(shape, scale_scores);
    m_heads = makeHeads<Scalar>(shape, m_options.path);
    m_modes.assign(static_cast<std::size_t>(n_heads), HeadMode::Trained);
    m_shape = shape;
}

template <typename Scalar>
void MultiHeadAttention<Scalar>::setHeadModes(const std::vector<HeadMode>& modes) {
    requireHeadModes(modes, static_cast<int>(m_shape.n_heads));
    m_modes = modes;
}

/// Zeroes the features, of a (rows, D) matrix, of the heads that are in this mode.
template <typename Scalar>
template <typename M>
void MultiHeadAttention<Scalar>::clear(HeadMode mode, M&& merged) const {
    for (Index h = 0; h < m_shape.n_heads; ++h)
        if (m_modes[static_cast<std::size_t>(h)] == mode)
            merged.middleCols(h * m_shape.d_head(), m_shape.d_head()).setZero();
}

template <typename Scalar>
void MultiHeadAttention<Scalar>::setMask(const AttentionMask& mask) {
    mask.requireBroadcastsTo(m_shape);
    m_options.mask = m_rules.mask = mask;
    if (auto* plain = std::get_if<DotProductAttention<Scalar>>(&m_heads)) plain->clear();
}

template <typename Scalar>
void MultiHeadAttention<Scalar>::setDropout(const AttentionDropout& dropout) {
    m_rules.dropout = Dropout(dropout.attention, dropout.seed);
    m_output_dropout = Dropout(dropout.output, ~dropout.seed);
}

template <typename Scalar>
QueriesKeysValues<ConstView<Scalar>> MultiHeadAttention<Scalar>::projected() const {
    const Index D = m_shape.d_model;
    if (m_shape.isCross())
        return {columns(m_qkv, 0, D), columns(m_memory_kv, 0, D), columns(m_memory_kv, D, D)};
    return {columns(m_qkv, 0, D), columns(m_qkv, D, D), columns(m_qkv, 2 * D, D)};
}

template <typename Scalar>
QueriesKeysValues<View<Scalar>> MultiHeadAttention<Scalar>::gradProjected() {
    const Index D = m_shape.d_model;
    if (m_shape.isCross())
        return {columns(m_grad_qkv, 0, D), columns(m_grad_memory_kv, 0, D), columns(m_grad_memory_kv, D, D)};
    return {columns(m_grad_qkv, 0, D), columns(m_grad_qkv, D, D), columns(m_grad_qkv, 2 * D, D)};
}

template <typename Scalar>
const Matrix<Scalar>& MultiHeadAttention<Scalar>::forward(const Parameters& parameters, In<Scalar> x) {
    assert(!m_shape.isCross() && x.rows() == m_shape.rows() && x.cols() == m_shape.d_model);
    linear<Scalar>(x, parameters.qkv_proj_weight, parameters.qkv_proj_bias, m_qkv);
    return forwardProjected(parameters);
}

template <typename Scalar>
const Matrix<Scalar>& MultiHeadAttention<Scalar>::forward(const Parameters& parameters, In<Scalar> x,
                                                          In<Scalar> memory) {
    const Index D = m_shape.d_model;
    assert(m_shape.isCross() && x.rows() == m_shape.rows() && x.cols() == D);
    assert(memory.rows() == m_shape.keyRows() && memory.cols() == D);
    const auto& weight = parameters.qkv_proj_weight;
    const auto& bias = parameters.qkv_proj_bias;
    linear<Scalar>(x, weight.topRows(D), bias.leftCols(D), m_qkv);
    linear<Scalar>(memory, weight.bottomRows(2 * D), bias.rightCols(2 * D), m_memory_kv);
    return forwardProjected(parameters);
}

template <typename Scalar>
const Matrix<Scalar>& MultiHeadAttention<Scalar>::attend() {
    if (m_rotary) {
        Matrix<Scalar>& kv = m_shape.isCross() ? m_memory_kv : m_qkv;
        const Index D = m_shape.d_model;
        m_rotary->rotate(columns(m_qkv, 0, D), m_shape.queries());
        m_rotary->rotate(columns(kv, m_shape.isCross() ? 0 : D, D), m_shape.keys());
    }
    clear(HeadMode::Uniform, columns(m_qkv, 0, m_shape.d_model));  // equal scores: uniform weights
    std::visit([this](auto& heads) { heads.forward(projected(), m_rules, m_context); }, m_heads);
    clear(HeadMode::Muted, m_context);
    return m_context;
}

template <typename Scalar>
const Matrix<Scalar>& MultiHeadAttention<Scalar>::forwardProjected(const Parameters& parameters) {
    attend();
    linear<Scalar>(m_context, parameters.out_proj_weight, parameters.out_proj_bias, m_attn_out);
    if (m_output_dropout) dropRows(m_attn_out, m_output_dropout);
    return m_attn_out;
}

template <typename Scalar>
void MultiHeadAttention<Scalar>::backward(const Parameters& parameters, In<Scalar> x,
                                          In<Scalar> grad_attn_out, const Gradients& gradients,
                                          Out<Scalar> grad_x) {
    backwardProjected(parameters, grad_attn_out, gradients);
    linearBackwardParameters<Scalar>(x, m_grad_qkv, gradients.qkv_proj_weight, gradients.qkv_proj_bias);
    linearBackwardInput<Scalar>(parameters.qkv_proj_weight, m_grad_qkv, grad_x);
}

template <typename Scalar>
void MultiHeadAttention<Scalar>::backward(const Parameters& parameters, In<Scalar> x, In<Scalar> memory,
                                          In<Scalar> grad_attn_out, const Gradients& gradients,
                                          Out<Scalar> grad_x, Out<Scalar> grad_memory) {
    const Index D = m_shape.d_model;
    backwardProjected(parameters, grad_attn_out, gradients);
    auto grad_weight = gradients.qkv_proj_weight;
    auto grad_bias = gradients.qkv_proj_bias;
    linearBackwardParameters<Scalar>(x, m_grad_qkv, grad_weight.topRows(D), grad_bias.leftCols(D));
    linearBackwardParameters<Scalar>(memory, m_grad_memory_kv, grad_weight.bottomRows(2 * D),
                                     grad_bias.rightCols(2 * D));
    linearBackwardInput<Scalar>(parameters.qkv_proj_weight.topRows(D), m_grad_qkv, grad_x);
    linearBackwardInput<Scalar>(parameters.qkv_proj_weight.bottomRows(2 * D), m_grad_memory_kv, grad_memory);
}

template <typename Scalar>
const Matrix<Scalar>& MultiHeadAttention<Scalar>::backwardProjected(const Parameters& parameters,
                                                                    In<Scalar> grad_attn_out,
                                                                    const Gradients& gradients) {
    assert(grad_attn_out.rows() == m_shape.rows() && grad_attn_out.cols() == m_shape.d_model);
    const auto throughOutput = [&](In<Scalar> grad) {
        linearBackwardParameters<Scalar>(m_context, grad, gradients.out_proj_weight, gradients.out_proj_bias);
        linearBackwardInput<Scalar>(parameters.out_proj_weight, grad, m_grad_context);
    };
    if (m_output_dropout) {
        m_grad_dropped = grad_attn_out;
        dropRows(m_grad_dropped, m_output_dropout);
        throughOutput(m_grad_dropped);
    } else {
        throughOutput(grad_attn_out);
    }
    return attendBackward();
}

template <typename Scalar>
const Matrix<Scalar>& MultiHeadAttention<Scalar>::attendBackward() {
    clear(HeadMode::Muted, m_grad_context);
    const auto grad = gradProjected();
    std::visit([&](auto& heads) { heads.backward(projected(), m_rules, m_grad_context, grad); }, m_heads);
    clear(HeadMode::Uniform, columns(m_grad_qkv, 0, m_shape.d_model));
    if (m_rotary) {
        m_rotary->rotateBack(grad.q, m_shape.queries());
        m_rotary->rotateBack(grad.k, m_shape.keys());
    }
    return m_grad_qkv;
}

template <typename Scalar>
const Matrix<Scalar>& MultiHeadAttention<Scalar>::weights() const {
    assert(m_options.path == Path::Plain);
    return std::get<DotProductAttention<Scalar>>(m_heads).weights();
}

template <typename Scalar>
Matrix<Scalar> MultiHeadAttention<Scalar>::scores() const {
    const Index rows = m_shape.batch_rows * m_shape.n_heads * m_shape.queries();
    Matrix<Scalar> scores(rows, m_shape.keys());
    const auto in = projected();
    forEachHead(m_shape, [&](const Head& head) {
        auto own = scores.middleRows(head.firstRow(), m_shape.queries());
        multiplyABt<Scalar>(head.ofQueries(in.q), head.ofKeys(in.k), own);
        own *= Scalar(m_rules.scale);
        for (Index q = 0; q < own.rows(); ++q) {
            const Index prefix = m_rules.mask.causalPrefix(q, own.cols());
            own.row(q).tail(own.cols() - prefix).setZero();
            for (Index k = 0; m_rules.mask.hasBooleans() && k < prefix; ++k)
                if (!m_rules.mask.visible(head.b, head.h, q, k)) own(q, k) = Scalar(0);
        }
    });
    return scores;
}

template class MultiHeadAttention<float>;
template class MultiHeadAttention<double>;
template class MultiHeadAttention<std::complex<double>>;

}  // namespace headscope
