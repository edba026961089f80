#pragma once

#include <limits>
#include <span>

#include "engine/attention/attention_mask.h"
#include "engine/attention/attention_shape.h"
#include "engine/attention/dropout.h"
#include "engine/numeric/matrix.h"

namespace headscope {

/// Queries (B·Lq, D), keys and values (B·Lk, D) of all heads, or their gradients, where they lie.
template <typename TensorView>
struct QueriesKeysValues {
    TensorView q, k, v;
};

/// What every path through the scores must know besides its sizes.
template <typename Scalar>
struct ScoreRules {
    Real<Scalar> scale;  ///< of the scores: 1/√d_head, or 1
    AttentionMask mask;
    Dropout dropout;  ///< of the weights; element ((b·H + h)·Lq + q)·Lk + k
};

/// One head of one sequence: strided views into what all of them share; nothing is moved to split or merge.
struct Head {
    const AttentionShape& shape;
    Index b, h;

    /// (Lq, d_head) of a (B·Lq, D) matrix.
    template <typename M>
    auto ofQueries(M& merged) const {
        return merged.block(b * shape.queries(), h * shape.d_head(), shape.queries(), shape.d_head());
    }
    /// (Lk, d_head) of a (B·Lk, D) matrix.
    template <typename M>
    auto ofKeys(M& merged) const {
        return merged.block(b * shape.keys(), h * shape.d_head(), shape.keys(), shape.d_head());
    }
    /// Of the head's first query, in what has a row for every query of every head: (B·H·Lq, ·).
    Index firstRow() const { return (b * shape.n_heads + h) * shape.queries(); }
};

template <typename Body>
void forEachHead(const AttentionShape& shape, Body&& body) {
    for (Index b = 0; b < shape.batch_rows; ++b)
        for (Index h = 0; h < shape.n_heads; ++h) body(Head{shape, b, h});
}

/// Row `row` of a matrix whose rows are contiguous, as far as `size` elements.
template <typename M>
auto rowOf(M&& matrix, Index row, Index size) {
    return std::span(matrix.data() + row * matrix.outerStride(), static_cast<std::size_t>(size));
}

/// Puts −∞ where `shown` is 0 among the first `seen` scores of a row. Returns `seen`, or 0 where none is
/// shown: a row of nothing but −∞ must not go to a softmax.
template <typename M>
Index hideScores(M& scores, Index row, Index seen, const unsigned char* shown) {
    using Scalar = typename M::Scalar;
    Index left = 0;
    for (Index k = 0; k < seen; ++k) {
        if (!shown[k]) scores(row, k) = Scalar(-std::numeric_limits<Real<Scalar>>::infinity());
        left += shown[k];
    }
    return left > 0 ? seen : 0;
}

}  // namespace headscope
