#pragma once

#include <optional>
#include <vector>

#include "engine/attention/fused_attention.h"
#include "engine/attention/heads.h"
#include "engine/numeric/online_softmax.h"

namespace headscope {

/// What DotProductAttention computes, without ever holding an Lq×Lk matrix: block by block of queries and
/// keys, with a softmax whose row comes in parts. Memory grows with L. Of each row it keeps the largest score
/// and the sum of the exponentials; the backward pass computes each block's weights anew from them. Blocks of
/// which nothing is visible are skipped.
///
/// Dao, Fu, Ermon, Rudra and Ré, "FlashAttention", 2022, algorithms 2 (forward) and 4 (backward) of
/// appendix B, with the loop over the queries outside, and with Σ weight · grad_weight as it stands instead
/// of their equal Σ grad_context · context: in a saturated row a gradient is what is left when this sum is
/// taken from one of its own terms, and must not be left of another rounding. So the backward pass holds the
/// blocks of a few queries, kBlockQueries × Lk numbers.
///
/// This is what any scalar, mask and score can go through. Of floats, what FusedAttention takes goes through
/// it.
template <typename Scalar>
class BlockwiseAttention {
public:
    // Measured on Zen 4 (32 KB and 1 MB of cache), of 16 … 64 queries and 64 … 512 keys: the fastest, or as
    // fast and smaller.
    static constexpr Index kBlockQueries = FusedAttention::kBlockQueries;
    static constexpr Index kBlockKeys = 256;

    explicit BlockwiseAttention(const AttentionShape& shape);

    /// context (B·Lq, D) is overwritten.
    void forward(const QueriesKeysValues<ConstView<Scalar>>& in, const ScoreRules<Scalar>& rules,
                 Out<Scalar> context);

    /// Of the last forward(), whose `in` and `rules` are given again: overwrites `grad` from
    /// grad_context (B·Lq, D).
    void backward(const QueriesKeysValues<ConstView<Scalar>>& in, const ScoreRules<Scalar>& rules,
                  In<Scalar> grad_context, QueriesKeysValues<View<Scalar>> grad);

private:
    /// Some queries and some keys of a head.
    struct Block {
        Index first_query, queries;
        Index first_key, keys;
        bool masked;  // m_visible hides some of it

        template <typename M>
        auto queriesOf(M& m) const {
            return m.middleRows(first_query, queries);
        }
        template <typename M>
        auto keysOf(M& m) const {
            return m.middleRows(first_key, keys);
        }
        /// (queries, keys) without gaps, in a buffer of the blocks of these queries.
        View<Scalar> in(Matrix<Scalar>& blocks) const {
            return {blocks.data() + first_key * queries, queries, keys, Eigen::OuterStride<>(keys)};
        }
    };
    bool fuses(const ScoreRules<Scalar>& rules) const;
    template <typename Body>
    void forEachBlock(const Head& head, Index first_query, const AttentionMask& mask, Body&& body);
    void scores(const Head& head, const Block& block, const QueriesKeysValues<ConstView<Scalar>>& in,
                const AttentionMask& mask, View<Scalar> scores);
    void dropRows(View<Scalar> rows, const Head& head, const Block& block, const Dropout& dropout) const;
    void forwardQueries(const Head& head, Index first, const QueriesKeysValues<ConstView<Scalar>>& in,
                        const ScoreRules<Scalar>& rules, Out<Scalar> context);
    void backwardQueries(const Head& head, Index first, const QueriesKeysValues<ConstView<Scalar>>& in,
                         const ScoreRules<Scalar>& rules, In<Scalar> grad_context, View<Scalar> grad_queries);

    AttentionShape m_shape;
    std::optional<FusedAttention> m_fused;      // of floats, where its memory may be taken
    std::vector<OnlineSoftmax<Scalar>> m_rows;  // (B·H·Lq)
    Matrix<Scalar> m_keys_transposed;           // (d_head, Lk), of the head in hand
    Matrix<Scalar> m_values_transposed;         // (d_head, Lk)
    Matrix<Scalar> m_grad_keys;                 // (Lk, d_head): summed here, where rows are neighbors
    Matrix<Scalar> m_grad_values;               // (Lk, d_head)
    std::vector<Scalar> m_mean;                 // of the block's queries: Σ weight · grad_weight
    std::vector<Real<Scalar>> m_shrink;         // of the block's queries
    std::vector<Index> m_seen;                  // of the block's queries: how many of its keys
    std::vector<Block> m_blocks;                // those of the queries in hand
    Matrix<Scalar> m_scores;                    // (kBlockQueries, Lk): scores, then weights, block by block
    Matrix<Scalar> m_grad_scores;               // the same
    std::vector<unsigned char> m_visible;       // (kBlockQueries, kBlockKeys), with a boolean mask
};

extern template class BlockwiseAttention<float>;
extern template class BlockwiseAttention<double>;
extern template class BlockwiseAttention<std::complex<double>>;

}  // namespace headscope
