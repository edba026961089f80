#pragma once

#include <span>

#include "engine/numeric/matrix.h"

namespace headscope {

// The products of attention whose result is at once made into something else, so that it never waits in
// memory in between. Of floats, in the widest vectors of the processor at hand: see vector_kernels.h. The
// second operand and the result have rows of kBlockColumns elements without gaps, one column for each query.
// The test compares them with the plain products.

constexpr Index kBlockColumns = 32;

/// weights (n, 32) = 2^(keys (n, k) · queries (k, 32)) where query i sees key j < `seen` + i, and 0
/// elsewhere. sum[i] grows by the sum of column i, max[i] to its largest element. Of powers between −126 and
/// 126 only: the caller knows that they are.
void powersOfScores(In<float> keys, In<float> queries, Index seen, Out<float> weights, std::span<float> sum,
                    std::span<float> max);

/// grad (n, 32) = weights · (values (n, k) · grad_context (k, 32) − mean), element by element; mean[i] is
/// that of column i.
void gradientsOfScores(In<float> values, In<float> grad_context, std::span<const float> mean,
                       In<float> weights, Out<float> grad);

/// products[i] = row i of a times row i of b.
void rowProducts(In<float> a, In<float> b, std::span<float> products);

}  // namespace headscope
