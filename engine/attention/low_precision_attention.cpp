#include "engine/attention/low_precision_attention.h"

#include <cassert>
#include <cmath>

#include "engine/numeric/linear.h"
#include "engine/numeric/matmul.h"
#include "engine/numeric/softmax.h"

namespace headscope {
namespace {

template <typename Stored>
Matrix<float> widen(const Stored& stored) {
    return stored.template cast<float>();
}

template <typename Storage>
Matrix<Storage> project(const Matrix<float>& x, const Matrix<float>& weight, const Matrix<float>& bias,
                        const std::optional<Rotary<float>>& rotary, Index L, Index turned) {
    Matrix<float> y(x.rows(), weight.rows());
    linear<float>(x, weight, bias, y);
    if (rotary) rotary->rotate(y.leftCols(turned), L);
    return y.cast<Storage>();
}

/// Of y = x · weightᵀ + bias, each gradient stored where it belongs.
template <typename Storage, typename GradWeight, typename GradBias>
Matrix<Storage> projectBackward(const Matrix<float>& x, const Matrix<float>& weight,
                                const Matrix<float>& grad_y, GradWeight&& grad_weight, GradBias&& grad_bias) {
    Matrix<float> of_weight(weight.rows(), weight.cols()), of_bias(1, weight.rows()),
        of_x(x.rows(), x.cols());
    linearBackwardParameters<float>(x, grad_y, of_weight, of_bias);
    linearBackwardInput<float>(weight, grad_y, of_x);
    grad_weight = of_weight.cast<Storage>();
    grad_bias = of_bias.cast<Storage>();
    return of_x.cast<Storage>();
}

}  // namespace

template <typename Storage>
LowPrecisionAttention<Storage>::LowPrecisionAttention(const AttentionShape& shape,
                                                      const AttentionOptions& options)
    : m_shape(shape),
      m_mask(options.mask),
      m_scale(options.scale_scores ? 1 / std::sqrt(static_cast<float>(shape.d_head())) : 1.f) {
    m_mask.requireBroadcastsTo(shape);
    if (options.rotary) m_rotary.emplace(std::max(shape.queries(), shape.keys()), shape.d_head());
    m_scores.resize(shape.batch_rows * shape.n_heads * shape.queries(), shape.keys());
    m_weights.resize(m_scores.rows(), m_scores.cols());
    m_context.resize(shape.rows(), shape.d_model);
}

template <typename Storage>
const Matrix<Storage>& LowPrecisionAttention<Storage>::forward(const Tensors& parameters,
                                                               const Matrix<Storage>& x,
                                                               const Matrix<Storage>& memory) {
    const Index D = m_shape.d_model, Lk = m_shape.keys();
    assert(x.rows() == m_shape.rows() && memory.rows() == m_shape.keyRows());
    const Matrix<float> weight = widen(parameters.qkv_proj_weight), bias = widen(parameters.qkv_proj_bias);
    m_q = project<Storage>(widen(x), weight.topRows(D), bias.leftCols(D), m_rotary, m_shape.queries(), D);
    m_kv = project<Storage>(widen(memory), weight.bottomRows(2 * D), bias.rightCols(2 * D), m_rotary, Lk, D);
    forEachHead(m_shape, [&](const Head& head) {
        const auto keys = m_kv.leftCols(D), values = m_kv.rightCols(D);
        Matrix<float> rows(m_shape.queries(), Lk), context(m_shape.queries(), m_shape.d_head());
        multiplyABt<float>(widen(head.ofQueries(m_q)), widen(head.ofKeys(keys)), rows);
        auto stored = m_scores.middleRows(head.firstRow(), m_shape.queries());
        stored = (rows * m_scale).cast<Storage>();
        rows = widen(stored);
        std::vector<unsigned char> visible(static_cast<std::size_t>(m_shape.queries() * Lk));
        m_mask.write({head.b, head.h, 0, m_shape.queries(), 0, Lk}, visible);
        for (Index q = 0; q < m_shape.queries(); ++q) {
            const Index seen = hideScores(rows, q, Lk, visible.data() + q * Lk);
            stored.row(q) = rows.row(q).cast<Storage>();
            softmax<float>(rowOf(rows, q, Lk), seen, 1.f);
        }
        auto weights = m_weights.middleRows(head.firstRow(), m_shape.queries());
        weights = rows.cast<Storage>();
        multiply<float>(widen(weights), widen(head.ofKeys(values)), context);
        head.ofQueries(m_context) = context.cast<Storage>();
    });
    m_attn_out = project<Storage>(widen(m_context), widen(parameters.out_proj_weight),
                                  widen(parameters.out_proj_bias), std::nullopt, 1, 0);
    return m_attn_out;
}

template <typename Storage>
typename LowPrecisionAttention<Storage>::Gradients LowPrecisionAttention<Storage>::backward(
    const Tensors& parameters, const Matrix<Storage>& x, const Matrix<Storage>& memory,
    const Matrix<Storage>& grad_attn_out) const {
    const Index D = m_shape.d_model, Lq = m_shape.queries(), Lk = m_shape.keys(), d_head = m_shape.d_head();
    Gradients grad{{Matrix<Storage>(3 * D, D), Matrix<Storage>(1, 3 * D), {}, {}}, {}, {}};
    const Matrix<Storage> grad_context =
        projectBackward<Storage>(widen(m_context), widen(parameters.out_proj_weight), widen(grad_attn_out),
                                 grad.parameters.out_proj_weight, grad.parameters.out_proj_bias);
    Matrix<float> grad_q(m_q.rows(), D), grad_kv(m_kv.rows(), 2 * D);
    forEachHead(m_shape, [&](const Head& head) {
        const auto keys = m_kv.leftCols(D), values = m_kv.rightCols(D);
        auto grad_keys = grad_kv.leftCols(D), grad_values = grad_kv.rightCols(D);
        const Matrix<float> weights = widen(m_weights.middleRows(head.firstRow(), Lq));
        const Matrix<float> own = widen(head.ofQueries(grad_context));
        Matrix<float> rows(Lq, Lk), of_q(Lq, d_head), of_keys(Lk, d_head);
        multiplyAtB<float>(weights, own, of_keys);
        head.ofKeys(grad_values) = of_keys;
        multiplyABt<float>(own, widen(head.ofKeys(values)), rows);
        rows = widen(rows.cast<Storage>());
        for (Index q = 0; q < Lq; ++q)
            softmaxBackward<float>(rowOf(weights, q, Lk), rowOf(rows, q, Lk), Lk, m_scale);
        rows = widen(rows.cast<Storage>());
        multiply<float>(rows, widen(head.ofKeys(keys)), of_q);
        head.ofQueries(grad_q) = of_q;
        multiplyAtB<float>(rows, widen(head.ofQueries(m_q)), of_keys);
        head.ofKeys(grad_keys) = of_keys;
    });
    if (m_rotary) {
        m_rotary->rotateBack(grad_q, Lq);
        m_rotary->rotateBack(grad_kv.leftCols(D), Lk);
    }
    const Matrix<float> weight = widen(parameters.qkv_proj_weight);
    auto& grad_weight = grad.parameters.qkv_proj_weight;
    auto& grad_bias = grad.parameters.qkv_proj_bias;
    grad.x = projectBackward<Storage>(widen(x), weight.topRows(D), widen(grad_q.cast<Storage>()),
                                      grad_weight.topRows(D), grad_bias.leftCols(D));
    grad.memory =
        projectBackward<Storage>(widen(memory), weight.bottomRows(2 * D), widen(grad_kv.cast<Storage>()),
                                 grad_weight.bottomRows(2 * D), grad_bias.rightCols(2 * D));
    return grad;
}

template class LowPrecisionAttention<Eigen::half>;
template class LowPrecisionAttention<Eigen::bfloat16>;

}  // namespace headscope
