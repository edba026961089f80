#include "engine/numeric/attention_kernels.h"

#include <algorithm>
#include <cassert>
#include <type_traits>

// Highway compiles what follows, up to HWY_ONCE, once for every kind of processor. Its order is not ours.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/numeric/attention_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/cache_control.h>
#include <hwy/highway.h>
#include "engine/numeric/vector_loops-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace headscope {
namespace HWY_NAMESPACE {
namespace {

constexpr std::size_t kColumns = kBlockColumns;

/// Two vectors of it are as wide as a block, or a part of it.
using BlockTag = hn::CappedTag<float, kColumns / 2>;
using BlockVector = hn::Vec<BlockTag>;
constexpr BlockTag kBlockTag;

/// Rows of a tile whose sums stay in registers: two vectors each. Four are enough to keep the multipliers
/// busy. More, for which wide vectors have the registers, are slower (measured on Zen 4): a processor that
/// looks only so far ahead no longer overlaps what is made of one tile with the product of the next.
constexpr std::size_t kTileRows = 4;

/// Elements of the weights that are fetched ahead: they have left the near caches since the step before.
constexpr std::size_t kAhead = 16 * kColumns;

/// tile[r] += row r of a (rows, k) · the columns of two vectors of b (k, kColumns).
template <std::size_t rows>
HWY_INLINE void addProduct(const float* a, std::size_t a_stride, const float* b, std::size_t k,
                           BlockVector (&tile)[rows][2]) {
    const std::size_t N = hn::Lanes(kBlockTag);
    for (std::size_t p = 0; p < k; ++p, b += kColumns) {
        const BlockVector left = hn::LoadU(kBlockTag, b), right = hn::LoadU(kBlockTag, b + N);
        for (std::size_t r = 0; r < rows; ++r) {
            const BlockVector x = hn::Set(kBlockTag, a[r * a_stride + p]);
            tile[r][0] = hn::MulAdd(x, left, tile[r][0]);
            tile[r][1] = hn::MulAdd(x, right, tile[r][1]);
        }
    }
}

/// Calls body(rows, j) for `rows` rows from row j on, a constant: a tile, as far as there are whole ones.
template <typename Body>
HWY_INLINE void byTiles(std::size_t j, std::size_t n, Body&& body) {
    for (; j + kTileRows <= n; j += kTileRows) body(std::integral_constant<std::size_t, kTileRows>(), j);
    for (; j < n; ++j) body(std::integral_constant<std::size_t, 1>(), j);
}

/// Sums and maxima of two columns of vectors.
struct Columns {
    BlockVector sum[2], max[2];

    HWY_INLINE void load(const float* sums, const float* maxima) {
        const std::size_t N = hn::Lanes(kBlockTag);
        for (std::size_t c = 0; c < 2; ++c) sum[c] = hn::LoadU(kBlockTag, sums + c * N);
        for (std::size_t c = 0; c < 2; ++c) max[c] = hn::LoadU(kBlockTag, maxima + c * N);
    }
    HWY_INLINE void store(float* sums, float* maxima) const {
        const std::size_t N = hn::Lanes(kBlockTag);
        for (std::size_t c = 0; c < 2; ++c) hn::StoreU(sum[c], kBlockTag, sums + c * N);
        for (std::size_t c = 0; c < 2; ++c) hn::StoreU(max[c], kBlockTag, maxima + c * N);
    }
};

template <std::size_t rows>
HWY_INLINE void powersOfTile(BlockVector (&tile)[rows][2]) {
    constexpr std::size_t few = rows % 2 == 0 ? 2 : 1;
    for (std::size_t r = 0; r < rows; r += few) {
        BlockVector x[2 * few];
        for (std::size_t i = 0; i < 2 * few; ++i) x[i] = tile[r + i / 2][i % 2];
        powersOfTwo(kBlockTag, x);
        for (std::size_t i = 0; i < 2 * few; ++i) tile[r + i / 2][i % 2] = x[i];
    }
}

/// Zeroes what is left of the diagonal, on which column i has its one in row `first_on_diagonal` + i.
template <std::size_t rows>
HWY_INLINE void hideInTile(BlockVector (&tile)[rows][2], float first_column, float first_on_diagonal) {
    for (std::size_t c = 0; c < 2; ++c) {
        const auto column = static_cast<float>(c * hn::Lanes(kBlockTag)) + first_column + first_on_diagonal;
        const BlockVector last_seen = hn::Iota(kBlockTag, column);
        for (std::size_t r = 0; r < rows; ++r) {
            const auto hidden = hn::Lt(last_seen, hn::Set(kBlockTag, static_cast<float>(r)));
            tile[r][c] = hn::IfThenZeroElse(hidden, tile[r][c]);
        }
    }
}

void powersOfScoresLoop(const float* keys, std::size_t stride, std::size_t n, std::size_t k,
                        const float* queries, std::size_t seen, float* weights, float* sum, float* max) {
    const std::size_t N = hn::Lanes(kBlockTag);
    const std::size_t whole = std::min(n, seen) / kTileRows * kTileRows;  // no column's diagonal is in there
    for (std::size_t i = 0; i < kColumns; i += 2 * N) {
        Columns columns;
        columns.load(sum + i, max + i);
        const auto powers = [&](auto hides, auto rows, std::size_t j) HWY_ATTR {
            BlockVector tile[rows][2];
            for (auto& row : tile) row[0] = row[1] = hn::Zero(kBlockTag);
            float* out = weights + j * kColumns + i;
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t c = 0; c < 2; ++c) hwy::Prefetch(out + kAhead + r * kColumns + c * N);
            addProduct(keys + j * stride, stride, queries + i, k, tile);
            powersOfTile(tile);
            if constexpr (hides)
                hideInTile(tile, static_cast<float>(i), static_cast<float>(seen) - static_cast<float>(j + 1));
            for (std::size_t c = 0; c < 2; ++c) {
                BlockVector total = tile[0][c];
                for (std::size_t r = 1; r < rows; ++r) total = hn::Add(total, tile[r][c]);
                columns.sum[c] = hn::Add(columns.sum[c], total);
                for (std::size_t r = 0; r < rows; ++r) {
                    columns.max[c] = hn::Max(columns.max[c], tile[r][c]);
                    hn::StoreU(tile[r][c], kBlockTag, out + r * kColumns + c * N);
                }
            }
        };
        byTiles(0, whole, [&](auto rows, std::size_t j) HWY_ATTR { powers(std::false_type(), rows, j); });
        byTiles(whole, n, [&](auto rows, std::size_t j) HWY_ATTR { powers(std::true_type(), rows, j); });
        columns.store(sum + i, max + i);
    }
}

void gradientsOfScoresLoop(const float* values, std::size_t stride, std::size_t n, std::size_t k,
                           const float* grad_context, const float* mean, const float* weights, float* grad) {
    const std::size_t N = hn::Lanes(kBlockTag);
    for (std::size_t i = 0; i < kColumns; i += 2 * N) {
        const BlockVector left = hn::Neg(hn::LoadU(kBlockTag, mean + i)),
                          right = hn::Neg(hn::LoadU(kBlockTag, mean + i + N));
        byTiles(0, n, [&](auto rows, std::size_t j) HWY_ATTR {
            BlockVector tile[rows][2];
            for (auto& row : tile) row[0] = left, row[1] = right;
            const float* in = weights + j * kColumns + i;
            for (std::size_t r = 0; r < rows; ++r) hwy::Prefetch(in + kAhead + r * kColumns);
            for (std::size_t r = 0; r < rows; ++r) hwy::Prefetch(in + kAhead + r * kColumns + N);
            addProduct(values + j * stride, stride, grad_context + i, k, tile);
            float* out = grad + j * kColumns + i;
            for (std::size_t r = 0; r < rows; ++r, in += kColumns, out += kColumns) {
                hn::StoreU(hn::Mul(hn::LoadU(kBlockTag, in), tile[r][0]), kBlockTag, out);
                hn::StoreU(hn::Mul(hn::LoadU(kBlockTag, in + N), tile[r][1]), kBlockTag, out + N);
            }
        });
    }
}

void rowProductsLoop(const float* a, std::size_t a_stride, const float* b, std::size_t b_stride,
                     std::size_t rows, std::size_t cols, float* products) {
    for (std::size_t i = 0; i < rows; ++i) {
        Vector sum = hn::Zero(kTag);
        forEachVector(cols, [&](auto load, auto, std::size_t j) HWY_ATTR {
            sum = hn::MulAdd(load(a + i * a_stride + j, 0), load(b + i * b_stride + j, 0), sum);
        });
        products[i] = hn::GetLane(hn::SumOfLanes(kTag, sum));
    }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace headscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope {

HWY_EXPORT(powersOfScoresLoop);
HWY_EXPORT(gradientsOfScoresLoop);
HWY_EXPORT(rowProductsLoop);

namespace {

std::size_t size(Index n) { return static_cast<std::size_t>(n); }

[[maybe_unused]] bool isBlock(In<float> m, Index rows) {
    return m.rows() == rows && m.cols() == kBlockColumns && m.outerStride() == kBlockColumns;
}

}  // namespace

void powersOfScores(In<float> keys, In<float> queries, Index seen, Out<float> weights, std::span<float> sum,
                    std::span<float> max) {
    assert(isBlock(queries, keys.cols()) && isBlock(weights, keys.rows()) && seen >= 0);
    assert(sum.size() == kBlockColumns && max.size() == kBlockColumns);
    HWY_DYNAMIC_DISPATCH(powersOfScoresLoop)
    (keys.data(), size(keys.outerStride()), size(keys.rows()), size(keys.cols()), queries.data(), size(seen),
     weights.data(), sum.data(), max.data());
}

void gradientsOfScores(In<float> values, In<float> grad_context, std::span<const float> mean,
                       In<float> weights, Out<float> grad) {
    assert(isBlock(grad_context, values.cols()) && mean.size() == kBlockColumns);
    assert(isBlock(weights, values.rows()) && isBlock(grad, values.rows()));
    HWY_DYNAMIC_DISPATCH(gradientsOfScoresLoop)
    (values.data(), size(values.outerStride()), size(values.rows()), size(values.cols()), grad_context.data(),
     mean.data(), weights.data(), grad.data());
}

void rowProducts(In<float> a, In<float> b, std::span<float> products) {
    assert(a.rows() == b.rows() && a.cols() == b.cols() && size(a.rows()) == products.size());
    HWY_DYNAMIC_DISPATCH(rowProductsLoop)
    (a.data(), size(a.outerStride()), b.data(), size(b.outerStride()), size(a.rows()), size(a.cols()),
     products.data());
}

}  // namespace headscope
#endif
