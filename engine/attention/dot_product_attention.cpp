#include "engine/attention/dot_product_attention.h"

#include <algorithm>

#include "engine/numeric/matmul.h"
#include "engine/numeric/softmax.h"

namespace headscope {
namespace {

constexpr Index kTileQueries = 16;  // of 16, 32 and 64 the fastest at 64 tokens, and as fast at 256

template <typename M>
void dropRows(M&& rows, const Dropout& dropout, Index first_row, Index keys) {
    for (Index r = 0; r < rows.rows(); ++r)
        dropout.apply(rowOf(rows, r, rows.cols()), static_cast<std::uint64_t>((first_row + r) * keys));
}

}  // namespace

/// A few queries of a head and the keys that one of them may see.
template <typename Scalar>
struct DotProductAttention<Scalar>::Tile {
    const Head& head;
    Index first, queries;
    Index keys;

    Tile(const Head& of, Index first_query, const AttentionMask& mask)
        : head(of),
          first(first_query),
          queries(std::min(kTileQueries, of.shape.queries() - first_query)),
          keys(mask.causalPrefix(first_query + queries - 1, of.shape.keys())) {}

    Index row() const { return head.firstRow() + first; }
};

template <typename Scalar>
DotProductAttention<Scalar>::DotProductAttention(const AttentionShape& shape) : m_shape(shape) {
    m_weights.setZero(shape.batch_rows * shape.n_heads * shape.queries(), shape.keys());
    m_transposed.setZero(shape.d_head(), shape.keys());
    m_grad_scores.setZero(shape.queries(), shape.keys());
}

/// Turns the scores in `rows` into weights where they lie; the softmax scales what it reads anyway.
template <typename Scalar>
void DotProductAttention<Scalar>::scoresToWeights(const Tile& tile, const ScoreRules<Scalar>& rules,
                                                  Out<Scalar> rows) {
    const Index seen = rules.mask.causalPrefix(tile.first, tile.keys);
    if (!rules.mask.hasBooleans()) return causalSoftmax<Scalar>(rows, seen, rules.scale);
    m_visible.resize(static_cast<std::size_t>(kTileQueries * m_shape.keys()));
    const auto visible = std::span(m_visible).first(static_cast<std::size_t>(tile.queries * tile.keys));
    rules.mask.write({tile.head.b, tile.head.h, tile.first, tile.queries, 0, tile.keys}, visible);
    for (Index r = 0; r < tile.queries; ++r) {
        const Index shown =
            hideScores(rows, r, std::min(seen + r, tile.keys), visible.data() + r * tile.keys);
        softmax<Scalar>(rowOf(rows, r, tile.keys), shown, rules.scale);
    }
}

template <typename Scalar>
void DotProductAttention<Scalar>::forward(const QueriesKeysValues<ConstView<Scalar>>& in,
                                          const ScoreRules<Scalar>& rules, Out<Scalar> context) {
    if (rules.dropout) m_dropped.resize(m_shape.queries(), m_shape.keys());
    forEachHead(m_shape, [&](const Head& head) {
        const auto q = head.ofQueries(in.q), v = head.ofKeys(in.v);
        auto own_context = head.ofQueries(context);
        transposeInto<Scalar>(head.ofKeys(in.k), m_transposed);
        for (Index first = 0; first < m_shape.queries(); first += kTileQueries) {
            const Tile tile(head, first, rules.mask);
            auto weights = m_weights.block(tile.row(), 0, tile.queries, tile.keys);
            const auto tile_context = own_context.middleRows(first, tile.queries);
            multiply<Scalar>(q.middleRows(first, tile.queries), m_transposed.leftCols(tile.keys), weights);
            scoresToWeights(tile, rules, weights);
            if (rules.dropout) {
                auto dropped = m_dropped.topLeftCorner(tile.queries, tile.keys);
                dropped = weights;
                dropRows(dropped, rules.dropout, tile.row(), m_shape.keys());
                multiply<Scalar>(dropped, v.topRows(tile.keys), tile_context);
            } else {
                multiply<Scalar>(weights, v.topRows(tile.keys), tile_context);
            }
        }
    });
}

template <typename Scalar>
void DotProductAttention<Scalar>::backward(const QueriesKeysValues<ConstView<Scalar>>& in,
                                           const ScoreRules<Scalar>& rules, In<Scalar> grad_context,
                                           QueriesKeysValues<View<Scalar>> grad) {
    const Index Lq = m_shape.queries(), Lk = m_shape.keys();
    forEachHead(m_shape, [&](const Head& head) {
        const auto q = head.ofQueries(in.q), k = head.ofKeys(in.k);
        const auto own_grad_context = head.ofQueries(grad_context);
        auto grad_q = head.ofQueries(grad.q), grad_k = head.ofKeys(grad.k), grad_v = head.ofKeys(grad.v);
        transposeInto<Scalar>(head.ofKeys(in.v), m_transposed);
        for (Index first = 0; first < Lq; first += kTileQueries) {
            const Tile tile(head, first, rules.mask);
            const auto weights = m_weights.block(tile.row(), 0, tile.queries, tile.keys);
            auto grad_scores = m_grad_scores.block(first, 0, tile.queries, tile.keys);
            multiply<Scalar>(own_grad_context.middleRows(first, tile.queries),
                             m_transposed.leftCols(tile.keys), grad_scores);
            if (rules.dropout) {
                auto dropped = m_dropped.block(first, 0, tile.queries, tile.keys);
                dropped = weights;
                dropRows(dropped, rules.dropout, tile.row(), Lk);
                dropRows(grad_scores, rules.dropout, tile.row(), Lk);
            }
            causalSoftmaxBackward<Scalar>(weights, grad_scores, rules.mask.causalPrefix(first, tile.keys),
                                          rules.scale);
            multiply<Scalar>(grad_scores, k.topRows(tile.keys), grad_q.middleRows(first, tile.queries));
        }
        // Keys and values sum over the queries that see them: from their own tile on, where it is causal.
        const auto used =
            rules.dropout ? m_dropped.middleRows(0, Lq) : m_weights.middleRows(head.firstRow(), Lq);
        const Index end = rules.mask.causalPrefix(Lq - 1, Lk);
        for (Index first = 0; first < end; first += kTileQueries) {
            const Index keys = std::min(kTileQueries, end - first);
            const Index queries = rules.mask.isCausal() ? Lq - first : Lq;
            multiplyAtB<Scalar>(used.block(Lq - queries, first, queries, keys),
                                own_grad_context.bottomRows(queries), grad_v.middleRows(first, keys));
            multiplyAtB<Scalar>(m_grad_scores.block(Lq - queries, first, queries, keys),
                                q.bottomRows(queries), grad_k.middleRows(first, keys));
        }
        grad_k.bottomRows(Lk - end).setZero();
        grad_v.bottomRows(Lk - end).setZero();
    });
}

template class DotProductAttention<float>;
template class DotProductAttention<double>;
template class DotProductAttention<std::complex<double>>;

}  // namespace headscope
