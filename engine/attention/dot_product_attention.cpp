#include "engine/attention/dot_product_attention.h"

#include <algorithm>

#include "engine/numeric/matmul.h"
#include "engine/numeric/softmax.h"

namespace headscope {
namespace {

constexpr Index kTileQueries = 16;

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

    bool isLast() const { return first + queries == head.shape.queries(); }
    Index row() const { return head.firstRow() + first; }
};

template <typename Scalar>
DotProductAttention<Scalar>::DotProductAttention(const AttentionShape& shape) : m_shape(shape) {
    const Index queries = std::min(kTileQueries, shape.queries());
    m_weights.setZero(shape.batch_rows * shape.n_heads * shape.queries(), shape.keys());
    m_transposed.setZero(shape.d_head(), shape.keys());
    m_grad_scores.setZero(queries, shape.keys());
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
    if (rules.dropout) m_dropped.resize(m_grad_scores.rows(), m_grad_scores.cols());
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
    forEachHead(m_shape, [&](const Head& head) {
        const auto q = head.ofQueries(in.q), k = head.ofKeys(in.k);
        const auto own_grad_context = head.ofQueries(grad_context);
        auto grad_q = head.ofQueries(grad.q), grad_k = head.ofKeys(grad.k), grad_v = head.ofKeys(grad.v);
        transposeInto<Scalar>(head.ofKeys(in.v), m_transposed);
        // From the last tile, which sees the most keys: it overwrites what the others add to.
        const auto accumulate = [](const Tile& tile, In<Scalar> a, In<Scalar> b, auto& into) {
            if (!tile.isLast()) return multiplyAtBAdd<Scalar>(a, b, into.topRows(tile.keys));
            multiplyAtB<Scalar>(a, b, into.topRows(tile.keys));
            into.bottomRows(into.rows() - tile.keys).setZero();
        };
        const Index last = (m_shape.queries() - 1) / kTileQueries * kTileQueries;
        for (Index first = last; first >= 0; first -= kTileQueries) {
            const Tile tile(head, first, rules.mask);
            const auto weights = m_weights.block(tile.row(), 0, tile.queries, tile.keys);
            const auto tile_grad_context = own_grad_context.middleRows(first, tile.queries);
            auto grad_scores = m_grad_scores.topLeftCorner(tile.queries, tile.keys);
            multiply<Scalar>(tile_grad_context, m_transposed.leftCols(tile.keys), grad_scores);
            if (rules.dropout) {
                auto dropped = m_dropped.topLeftCorner(tile.queries, tile.keys);
                dropped = weights;
                dropRows(dropped, rules.dropout, tile.row(), m_shape.keys());
                accumulate(tile, dropped, tile_grad_context, grad_v);
                dropRows(grad_scores, rules.dropout, tile.row(), m_shape.keys());
            } else {
                accumulate(tile, weights, tile_grad_context, grad_v);
            }
            causalSoftmaxBackward<Scalar>(weights, grad_scores, rules.mask.causalPrefix(first, tile.keys),
                                          rules.scale);
            multiply<Scalar>(grad_scores, k.topRows(tile.keys), grad_q.middleRows(first, tile.queries));
            accumulate(tile, grad_scores, q.middleRows(first, tile.queries), grad_k);
        }
    });
}

template class DotProductAttention<float>;
template class DotProductAttention<double>;
template class DotProductAttention<std::complex<double>>;

}  // namespace headscope
