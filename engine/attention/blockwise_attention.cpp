#include "engine/attention/blockwise_attention.h"

#include <algorithm>

#include "engine/numeric/matmul.h"

namespace headscope {
namespace {

template <typename T>
std::span<T> firstOf(std::vector<T>& values, Index count) {
    return std::span(values).first(static_cast<std::size_t>(count));
}

template <typename T>
std::span<T> someOf(std::vector<T>& values, Index first, Index count) {
    return std::span(values).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
}

}  // namespace

template <typename Scalar>
BlockwiseAttention<Scalar>::BlockwiseAttention(const AttentionShape& shape)
    : m_shape(shape),
      m_rows(static_cast<std::size_t>(shape.rows() * shape.n_heads)),
      m_keys_transposed(shape.d_head(), shape.keys()),
      m_values_transposed(shape.d_head(), shape.keys()),
      m_grad_keys(shape.keys(), shape.d_head()),
      m_grad_values(shape.keys(), shape.d_head()),
      m_mean(kBlockQueries),
      m_shrink(kBlockQueries),
      m_seen(kBlockQueries),
      m_scores(kBlockQueries, shape.keys()),
      m_grad_scores(kBlockQueries, shape.keys()),
      m_visible(kBlockQueries * kBlockKeys) {
    if (std::is_same_v<Scalar, float> && FusedAttention::fits(shape)) m_fused.emplace(shape);
    m_blocks.reserve(static_cast<std::size_t>((shape.keys() + kBlockKeys - 1) / kBlockKeys));
}

/// Calls body(block) for every block of keys of which the queries from `first_query` on see something.
template <typename Scalar>
template <typename Body>
void BlockwiseAttention<Scalar>::forEachBlock(const Head& head, Index first_query, const AttentionMask& mask,
                                              Body&& body) {
    using Visible = AttentionMask::Visible;
    const Index queries = std::min(kBlockQueries, m_shape.queries() - first_query);
    const Index end = mask.causalPrefix(first_query + queries - 1, m_shape.keys());
    for (Index first_key = 0; first_key < end; first_key += kBlockKeys) {
        Block block{first_query, queries, first_key, std::min(kBlockKeys, end - first_key), false};
        if (mask.hasBooleans()) {
            const Visible seen = mask.write({head.b, head.h, first_query, queries, first_key, block.keys},
                                            firstOf(m_visible, queries * block.keys));
            if (seen == Visible::None) continue;
            block.masked = seen == Visible::Some;
        }
        body(block);
    }
}

/// Fills m_seen and the scores that count, with −∞ where a boolean mask hides one among them.
template <typename Scalar>
void BlockwiseAttention<Scalar>::scores(const Head& head, const Block& block,
                                        const QueriesKeysValues<ConstView<Scalar>>& in,
                                        const AttentionMask& mask, View<Scalar> scores) {
    const auto q = head.ofQueries(in.q);
    multiply<Scalar>(block.queriesOf(q), m_keys_transposed.middleCols(block.first_key, block.keys), scores);
    for (Index r = 0; r < block.queries; ++r) {
        const Index prefix = mask.causalPrefix(block.first_query + r, block.first_key + block.keys);
        Index& seen = m_seen[static_cast<std::size_t>(r)];
        seen = std::max(prefix - block.first_key, Index{0});
        if (block.masked) seen = hideScores(scores, r, seen, m_visible.data() + r * block.keys);
    }
}

template <typename Scalar>
void BlockwiseAttention<Scalar>::dropRows(View<Scalar> rows, const Head& head, const Block& block,
                                          const Dropout& dropout) const {
    for (Index r = 0; r < block.queries; ++r) {
        const Index row = head.firstRow() + block.first_query + r;
        dropout.apply(rowOf(rows, r, block.keys),
                      static_cast<std::uint64_t>(row * m_shape.keys() + block.first_key));
    }
}

template <typename Scalar>
void BlockwiseAttention<Scalar>::forwardQueries(const Head& head, Index first,
                                                const QueriesKeysValues<ConstView<Scalar>>& in,
                                                const ScoreRules<Scalar>& rules, Out<Scalar> context) {
    const Index n = std::min(kBlockQueries, m_shape.queries() - first);
    const auto v = head.ofKeys(in.v);
    auto own = head.ofQueries(context).middleRows(first, n);
    const auto rows = someOf(m_rows, head.firstRow() + first, n);
    own.setZero();
    std::fill(rows.begin(), rows.end(), OnlineSoftmax<Scalar>{});
    forEachBlock(head, first, rules.mask, [&](const Block& block) {
        const View<Scalar> weights = block.in(m_scores);
        scores(head, block, in, rules.mask, weights);
        takeIn<Scalar>(weights, firstOf(m_seen, n), rules.scale, rows, firstOf(m_shrink, n));
        for (Index r = 0; r < n; ++r)
            if (const auto shrink = m_shrink[static_cast<std::size_t>(r)]; shrink != 1) own.row(r) *= shrink;
        if (rules.dropout) dropRows(weights, head, block, rules.dropout);
        multiplyAdd<Scalar>(weights, block.keysOf(v), own);
    });
    for (Index r = 0; r < n; ++r)
        if (const Scalar sum = rows[static_cast<std::size_t>(r)].sum; sum != Scalar(0))
            own.row(r) *= Scalar(1) / sum;
}

template <typename Scalar>
void BlockwiseAttention<Scalar>::backwardQueries(const Head& head, Index first,
                                                 const QueriesKeysValues<ConstView<Scalar>>& in,
                                                 const ScoreRules<Scalar>& rules, In<Scalar> grad_context,
                                                 View<Scalar> grad_queries) {
    const Index n = std::min(kBlockQueries, m_shape.queries() - first);
    const auto own = head.ofQueries(grad_context).middleRows(first, n);
    const auto mean = firstOf(m_mean, n);
    std::fill(mean.begin(), mean.end(), Scalar(0));
    m_blocks.clear();
    forEachBlock(head, first, rules.mask, [&](const Block& block) {
        const View<Scalar> weights = block.in(m_scores), grad_weights = block.in(m_grad_scores);
        m_blocks.push_back(block);
        scores(head, block, in, rules.mask, weights);
        multiply<Scalar>(own, m_values_transposed.middleCols(block.first_key, block.keys), grad_weights);
        if (rules.dropout) dropRows(grad_weights, head, block, rules.dropout);
        recall<Scalar>(weights, firstOf(m_seen, n), rules.scale, someOf(m_rows, head.firstRow() + first, n),
                       grad_weights, mean);
    });
    const auto q = head.ofQueries(in.q).middleRows(first, n);
    const auto k = head.ofKeys(in.k);
    auto grad_q = head.ofQueries(grad_queries).middleRows(first, n);
    grad_q.setZero();
    for (const Block& block : m_blocks) {
        const View<Scalar> weights = block.in(m_scores), grad_scores = block.in(m_grad_scores);
        gradWeightsToScores<Scalar>(weights, rules.scale, mean, grad_scores);
        multiplyAdd<Scalar>(grad_scores, block.keysOf(k), grad_q);
        multiplyAtBAdd<Scalar>(grad_scores, q, block.keysOf(m_grad_keys));
        if (rules.dropout) dropRows(weights, head, block, rules.dropout);
        multiplyAtBAdd<Scalar>(weights, own, block.keysOf(m_grad_values));
    }
}

template <typename Scalar>
bool BlockwiseAttention<Scalar>::fuses(const ScoreRules<Scalar>& rules) const {
    if constexpr (std::is_same_v<Scalar, float>) return m_fused && FusedAttention::knows(rules);
    return false;
}

template <typename Scalar>
void BlockwiseAttention<Scalar>::forward(const QueriesKeysValues<ConstView<Scalar>>& in,
                                         const ScoreRules<Scalar>& rules, Out<Scalar> context) {
    const bool fuses_some = fuses(rules);
    forEachHead(m_shape, [&](const Head& head) {
        if constexpr (std::is_same_v<Scalar, float>)
            if (fuses_some) m_fused->begin(head, in);
        bool transposed = false;
        for (Index first = 0; first < m_shape.queries(); first += kBlockQueries) {
            bool fused = false;
            if constexpr (std::is_same_v<Scalar, float>)
                fused = fuses_some && m_fused->forward(head, first, in, rules);
            if (!fused) {
                if (!transposed) transposeInto<Scalar>(head.ofKeys(in.k), m_keys_transposed);
                transposed = true;
                forwardQueries(head, first, in, rules, context);
            }
            if constexpr (std::is_same_v<Scalar, float>)
                if (fuses_some) m_fused->write(head, first, context);
        }
    });
}

template <typename Scalar>
void BlockwiseAttention<Scalar>::backward(const QueriesKeysValues<ConstView<Scalar>>& in,
                                          const ScoreRules<Scalar>& rules, In<Scalar> grad_context,
                                          QueriesKeysValues<View<Scalar>> grad) {
    const bool fuses_some = fuses(rules);
    forEachHead(m_shape, [&](const Head& head) {
        m_grad_keys.setZero();
        m_grad_values.setZero();
        bool transposed = false;
        for (Index first = 0; first < m_shape.queries(); first += kBlockQueries) {
            if constexpr (std::is_same_v<Scalar, float>)
                if (fuses_some && m_fused->took(head, first)) {
                    m_fused->backward(head, first, in, rules, grad_context, grad.q, m_grad_keys,
                                      m_grad_values);
                    continue;
                }
            if (!transposed) {
                transposeInto<Scalar>(head.ofKeys(in.k), m_keys_transposed);
                transposeInto<Scalar>(head.ofKeys(in.v), m_values_transposed);
                transposed = true;
            }
            backwardQueries(head, first, in, rules, grad_context, grad.q);
        }
        head.ofKeys(grad.k) = m_grad_keys;
        head.ofKeys(grad.v) = m_grad_values;
    });
}

template class BlockwiseAttention<float>;
template class BlockwiseAttention<double>;
template class BlockwiseAttention<std::complex<double>>;

}  // namespace headscope
