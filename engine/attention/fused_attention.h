#pragma once

#include <vector>

#include "engine/attention/heads.h"
#include "engine/numeric/attention_kernels.h"
#include "engine/numeric/matmul.h"

namespace headscope {

/// What BlockwiseAttention computes, of floats and faster, where no score is so large that care must be taken
/// of it, and where the weights may be kept: no score, and no gradient of a weight, ever waits in memory.
///
/// |q · k| ≤ |q| · |k|. Where that bound is small no exponential can overflow, so that no largest score need
/// be found first. And where no weight is nearly 1, the gradients of the scores are not what is left of
/// rounding when Σ weight · grad_weight is taken as the equal grad_context · context, as in algorithm 4 of
/// "FlashAttention" (see blockwise_attention.h). Queries of which either is not so are not taken. Nothing but
/// a query itself and what it sees decides that: what comes later changes no bit of its context.
///
/// Weights lie transposed, (keys, queries), so that they multiply the gradient of the context as they are,
/// and sums over keys need no sum across a vector.
class FusedAttention {
public:
    static constexpr Index kBlockQueries = kBlockColumns;

    /// Of the powers of 2 that a query's exponentials may be: sums and products of them stay far from a
    /// float's limits, 2^−126 and 2^127.
    static constexpr float kMaxPower = 40;

    /// The largest weight that a query may give one of several keys.
    static constexpr float kMaxWeight = 63.f / 64;

    /// Weights of all heads, hidden ones and blocks' unused rows included, that may be kept: 16 MB.
    static constexpr Index kMaxWeights = Index{1} << 22;
    static bool fits(const AttentionShape& shape) { return weightRows(shape) <= kMaxWeights / kBlockQueries; }

    /// fits(shape) (assert).
    explicit FusedAttention(const AttentionShape& shape);

    /// Whether it knows the rules: no boolean mask and no dropout.
    static bool knows(const ScoreRules<float>& rules) { return !rules.mask.hasBooleans() && !rules.dropout; }

    // The queries from `first` on, kBlockQueries of them or those that are left, under rules that it knows.
    // `in` and `rules` are the same from begin() on to the head's last backward().

    /// Before the first queries of a head go forward.
    void begin(const Head& head, const QueriesKeysValues<ConstView<float>>& in);

    /// Returns whether all of them are taken.
    bool forward(const Head& head, Index first, const QueriesKeysValues<ConstView<float>>& in,
                 const ScoreRules<float>& rules);
    bool took(const Head& head, Index first) const;

    /// Overwrites the rows of the context (B·Lq, D) of the queries that are taken.
    void write(const Head& head, Index first, Out<float> context) const;

    /// Where all are taken: overwrites their grad_queries (B·Lq, D), and adds to the head's grad_keys and
    /// grad_values (Lk, d_head), from grad_context (B·Lq, D).
    void backward(const Head& head, Index first, const QueriesKeysValues<ConstView<float>>& in,
                  const ScoreRules<float>& rules, In<float> grad_context, View<float> grad_queries,
                  Out<float> grad_keys, Out<float> grad_values);

private:
    using Columns = Eigen::Array<float, kBlockColumns, 1>;
    struct Block;

    static Index blocksOf(const AttentionShape& shape) {
        return (shape.queries() + kBlockQueries - 1) / kBlockQueries;
    }
    static Index weightRows(const AttentionShape& shape) {
        return shape.batch_rows * shape.n_heads * blocksOf(shape) * shape.keys();
    }
    Block blockOf(const Head& head, Index first, const AttentionMask& mask);
    void decide(const Block& block, const ScoreRules<float>& rules);

    AttentionShape m_shape;
    Matrix<float> m_weights;  // (·, kBlockColumns): of each block (Lk, its queries), not yet divided by sums
    Matrix<float> m_sums_of_values;      // (B·H·Lq, d_head): Σ weight · value, as little divided
    Eigen::ArrayXf m_shares;             // (B·H·Lq): 1 / sum of a query's weights
    std::vector<unsigned char> m_taken;  // (B·H·Lq)
    std::vector<float> m_key_squares;    // (Lk): the largest |k|² so far, of the head in hand
    Columns m_sums, m_maxima;            // of the block's queries
    Matrix<float> m_rows;                // (kBlockColumns, d_head): of the block's queries
    Matrix<float> m_transposed;          // (d_head, kBlockColumns)
    Matrix<float> m_grad_scores;         // (some keys, kBlockColumns)
    SumOfProducts m_context_sum, m_grad_queries_sum, m_grad_keys_sum, m_grad_values_sum;
};

}  // namespace headscope
