#include "engine/attention/fused_attention.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "engine/numeric/attention_kernels.h"
#include "engine/numeric/large_pages.h"
#include "engine/numeric/matmul.h"

namespace headscope {
namespace {

constexpr Index kQueries = FusedAttention::kBlockQueries;

/// Keys whose weights and gradients stay in the nearest cache from one product to the next.
constexpr Index kKeys = 64;
static_assert(kKeys % kQueries == 0);

template <typename A>
std::span<float> spanOf(A&& array, Index size = kQueries) {
    return {array.data(), static_cast<std::size_t>(size)};
}

}  // namespace

/// Some queries of a head and all keys that they see.
struct FusedAttention::Block {
    Index row;  // of the first of them, in what has a row for every query of every head
    Index first, queries;
    Index keys;
    Index seen;      // by the first of the queries; with a causal mask each sees one more than the one before
    float* weights;  // (keys, kQueries)

    View<float> weightsOf(Index key, Index count) const {
        return {weights + key * kQueries, count, kQueries, Eigen::OuterStride<>(kQueries)};
    }
    bool firstSeesOneOfMore() const { return seen == 1 && keys > 1; }

    /// Calls body(key, keys) for a few of the keys at a time.
    template <typename Body>
    void forFewKeys(Body&& body) const {
        for (Index at = 0; at < keys; at += kKeys) body(at, std::min(kKeys, keys - at));
    }
};

FusedAttention::FusedAttention(const AttentionShape& shape)
    : m_shape(shape),
      m_weights(weightRows(shape), kQueries),
      m_sums_of_values(shape.rows() * shape.n_heads, shape.d_head()),
      m_shares(shape.rows() * shape.n_heads),
      m_taken(static_cast<std::size_t>(shape.rows() * shape.n_heads)),
      m_key_squares(static_cast<std::size_t>(shape.keys())),
      m_rows(Matrix<float>::Zero(kQueries, shape.d_head())),
      m_transposed(Matrix<float>::Zero(shape.d_head(), kQueries)),
      m_grad_scores(kKeys, kQueries) {
    assert(fits(shape));
    preferLargePages(m_weights);
}

FusedAttention::Block FusedAttention::blockOf(const Head& head, Index first, const AttentionMask& mask) {
    const Index queries = std::min(kQueries, m_shape.queries() - first);
    const Index keys = mask.causalPrefix(first + queries - 1, m_shape.keys());
    const Index block = (head.b * m_shape.n_heads + head.h) * blocksOf(m_shape) + first / kQueries;
    return {head.firstRow() + first,
            first,
            queries,
            keys,
            mask.causalPrefix(first, m_shape.keys()),
            m_weights.data() + block * m_shape.keys() * kQueries};
}

void FusedAttention::begin(const Head& head, const QueriesKeysValues<ConstView<float>>& in) {
    const auto k = head.ofKeys(in.k);
    rowProducts(k, k, m_key_squares);
    float largest = 0;
    for (float& square : m_key_squares) {
        if (!(square <= largest) && !std::isnan(largest)) largest = square;
        square = largest;
    }
}

bool FusedAttention::forward(const Head& head, Index first, const QueriesKeysValues<ConstView<float>>& in,
                             const ScoreRules<float>& rules) {
    const Block block = blockOf(head, first, rules.mask);
    const auto q = head.ofQueries(in.q).middleRows(first, block.queries);
    const auto k = head.ofKeys(in.k), v = head.ofKeys(in.v);
    View<float> queries(m_transposed.data(), q.cols(), block.queries, Eigen::OuterStride<>(kQueries));
    transposeInto<float>(q, queries);
    queries *= rules.scale * std::numbers::log2e_v<float>;
    m_sums.setZero();
    m_maxima.setZero();
    auto own = m_sums_of_values.middleRows(block.row, block.queries);
    own.setZero();
    block.forFewKeys([&](Index key, Index keys) {
        View<float> weights = block.weightsOf(key, keys);
        powersOfScores(k.middleRows(key, keys), m_transposed, block.seen - key, weights, spanOf(m_sums),
                       spanOf(m_maxima));
        m_context_sum.addAtB(weights.leftCols(block.queries), v.middleRows(key, keys), own);
    });
    m_shares.segment(block.row, block.queries) = m_sums.head(block.queries).inverse();
    decide(block, rules);
    return took(head, first);
}

/// Which of the queries that went forward are taken. What overflowed has only spoiled its own column.
void FusedAttention::decide(const Block& block, const ScoreRules<float>& rules) {
    Columns squares = Columns::Zero();  // of the scaled queries: |q|²
    for (Index d = 0; d < m_transposed.rows(); ++d)
        squares += m_transposed.row(d).transpose().array().square();
    for (Index i = 0; i < block.queries; ++i) {
        const Index seen = rules.mask.causalPrefix(block.first + i, block.keys);
        const float square = squares[i] * m_key_squares[static_cast<std::size_t>(seen - 1)];
        const bool peaked = m_maxima[i] * m_shares[block.row + i] > kMaxWeight;
        const bool takes = square <= kMaxPower * kMaxPower && (!peaked || (seen == 1 && block.keys > 1));
        m_taken[static_cast<std::size_t>(block.row + i)] = takes;
    }
}

bool FusedAttention::took(const Head& head, Index first) const {
    const auto* taken = m_taken.data() + head.firstRow() + first;
    const Index queries = std::min(kQueries, m_shape.queries() - first);
    return std::all_of(taken, taken + queries, [](unsigned char one) { return one != 0; });
}

void FusedAttention::write(const Head& head, Index first, Out<float> context) const {
    auto own = head.ofQueries(context);
    const Index row = head.firstRow(), end = std::min(first + kQueries, m_shape.queries());
    for (Index q = first; q < end; ++q)
        if (m_taken[static_cast<std::size_t>(row + q)])
            own.row(q) = m_shares[row + q] * m_sums_of_values.row(row + q);
}

void FusedAttention::backward(const Head& head, Index first, const QueriesKeysValues<ConstView<float>>& in,
                              const ScoreRules<float>& rules, In<float> grad_context,
                              View<float> grad_queries, Out<float> grad_keys, Out<float> grad_values) {
    const Block block = blockOf(head, first, rules.mask);
    const auto q = head.ofQueries(in.q).middleRows(first, block.queries);
    const auto k = head.ofKeys(in.k), v = head.ofKeys(in.v);
    auto shared = m_rows.topRows(block.queries);
    const auto shares = m_shares.segment(block.row, block.queries);
    const auto grad = head.ofQueries(grad_context).middleRows(first, block.queries);
    for (Index i = 0; i < block.queries; ++i) shared.row(i) = shares[i] * grad.row(i);
    transposeInto<float>(m_rows, m_transposed);
    m_transposed *= rules.scale;
    rowProducts(shared, m_sums_of_values.middleRows(block.row, block.queries), spanOf(m_sums, block.queries));
    m_sums.head(block.queries) *= rules.scale * shares;
    auto grad_q = head.ofQueries(grad_queries).middleRows(first, block.queries);
    grad_q.setZero();
    block.forFewKeys([&](Index key, Index keys) {
        const View<float> weights = block.weightsOf(key, keys);
        auto grad_scores = m_grad_scores.topRows(keys);
        gradientsOfScores(v.middleRows(key, keys), m_transposed, spanOf(m_sums), weights, grad_scores);
        if (block.firstSeesOneOfMore() && key == 0) grad_scores(0, 0) = 0;  // exactly
        m_grad_queries_sum.addAtB(grad_scores.leftCols(block.queries), k.middleRows(key, keys), grad_q);
        m_grad_keys_sum.add(grad_scores.leftCols(block.queries), q, grad_keys.middleRows(key, keys));
        m_grad_values_sum.add(weights.leftCols(block.queries), shared, grad_values.middleRows(key, keys));
    });
}

}  // namespace headscope
