#pragma once

#include <span>

#include "engine/numeric/matrix.h"

namespace headscope {

// Loops over floats in the widest vectors of the processor at hand, chosen when the program runs. Each has a
// plain twin of any scalar, which says what it computes and which the tests compare it with; results differ
// from it by rounding only. Any thread.

/// to = fromᵀ
void transposeVectorized(In<float> from, Out<float> to);

/// Adds `row` (1, n) to every row of `to`. Twin: in linear.cpp.
void addToRowsVectorized(In<float> row, Out<float> to);

/// sum (1, n) = the sum of the rows of `from`, from the first to the last. Twin: in linear.cpp.
void sumOfRowsVectorized(In<float> from, Out<float> sum);

/// Row n of `to` (B·T, ·) = row tokens[n] of the table + its row V + n mod T; the table has V + T rows,
/// `length` is T. Twin: in embedded_projection.cpp.
void addTableRowsVectorized(In<float> table, std::span<const int> tokens, Index length, Out<float> to);

/// Its transpose: row n of `from` counts in rows tokens[n] and V + n mod T of `sums`, which is overwritten.
/// Twin: in embedded_projection.cpp.
void sumByTableRowVectorized(In<float> from, std::span<const int> tokens, Index length, Out<float> sums);

/// The constants of one update of Adam, its bias corrections in `rate` and `epsilon`.
struct AdamConstants {
    float beta1, new1;  ///< β₁, 1 − β₁
    float beta2, new2;  ///< β₂, 1 − β₂
    float rate, epsilon;
};
/// Twin: in adam.cpp. All spans have the same size.
void adamVectorized(const AdamConstants& constants, std::span<const float> gradient, std::span<float> mean,
                    std::span<float> variance, std::span<float> parameters);

}  // namespace headscope
