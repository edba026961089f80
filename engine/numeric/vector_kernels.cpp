#include "engine/numeric/vector_kernels.h"

#include <cassert>

// Highway compiles what follows, up to HWY_ONCE, once for every kind of processor. Its order is not ours.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/numeric/vector_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "engine/numeric/vector_loops-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace headscope {
namespace HWY_NAMESPACE {
namespace {

void adamLoop(const AdamConstants& constants, const float* gradient, float* mean, float* variance,
              float* parameters, std::size_t n) {
    const auto all = [](float x) HWY_ATTR { return hn::Set(kTag, x); };
    const Vector beta1 = all(constants.beta1), new1 = all(constants.new1), beta2 = all(constants.beta2),
                 new2 = all(constants.new2), rate = all(constants.rate), epsilon = all(constants.epsilon);
    forEachVector(n, [&](auto load, auto store, std::size_t i) HWY_ATTR {
        const Vector g = load(gradient + i, 0);
        const Vector m = hn::MulAdd(beta1, load(mean + i, 0), hn::Mul(new1, g));
        const Vector v = hn::MulAdd(beta2, load(variance + i, 0), hn::Mul(new2, hn::Mul(g, g)));
        const Vector step = hn::Div(hn::Mul(rate, m), hn::Add(hn::Sqrt(v), epsilon));
        store(m, mean + i);
        store(v, variance + i);
        store(hn::Sub(load(parameters + i, 0), step), parameters + i);
    });
}

void addToRowsLoop(const float* addend, float* to, std::size_t stride, std::size_t rows, std::size_t cols) {
    for (std::size_t i = 0; i < rows; ++i) {
        float* row = to + i * stride;
        forEachVector(cols, [&](auto load, auto store, std::size_t j)
                                HWY_ATTR { store(hn::Add(load(row + j, 0), load(addend + j, 0)), row + j); });
    }
}

/// Four vectors of columns at a time, so that no sum waits for its own last addition.
void sumOfRowsLoop(const float* from, std::size_t stride, std::size_t rows, std::size_t cols, float* sum) {
    constexpr std::size_t kSums = 4;
    const std::size_t N = lanes(), whole = cols / (kSums * N) * (kSums * N);
    for (std::size_t j = 0; j < whole; j += kSums * N) {
        Vector totals[kSums];
        for (auto& total : totals) total = hn::Zero(kTag);
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t c = 0; c < kSums; ++c)
                totals[c] = hn::Add(totals[c], hn::LoadU(kTag, from + i * stride + j + c * N));
        for (std::size_t c = 0; c < kSums; ++c) hn::StoreU(totals[c], kTag, sum + j + c * N);
    }
    forEachVector(cols - whole, [&](auto load, auto store, std::size_t j) HWY_ATTR {
        Vector total = hn::Zero(kTag);
        for (std::size_t i = 0; i < rows; ++i) total = hn::Add(total, load(from + i * stride + whole + j, 0));
        store(total, sum + whole + j);
    });
}

void addTableRowsLoop(const float* table, std::size_t stride, std::size_t positions, std::size_t length,
                      const int* tokens, std::size_t rows, std::size_t cols, float* to,
                      std::size_t to_stride) {
    for (std::size_t n = 0; n < rows; ++n) {
        const float* by_token = table + static_cast<std::size_t>(tokens[n]) * stride;
        const float* by_position = table + (positions + n % length) * stride;
        float* row = to + n * to_stride;
        forEachVector(cols, [&](auto load, auto store, std::size_t j) HWY_ATTR {
            store(hn::Add(load(by_token + j, 0), load(by_position + j, 0)), row + j);
        });
    }
}

void sumByTableRowLoop(const float* from, std::size_t from_stride, std::size_t length, const int* tokens,
                       std::size_t rows, std::size_t cols, float* sums, std::size_t stride,
                       std::size_t positions) {
    // Position by position, so that one of the two sums stays in the nearest cache.
    for (std::size_t t = 0; t < length; ++t)
        for (std::size_t n = t; n < rows; n += length) {
            const float* row = from + n * from_stride;
            float* by_token = sums + static_cast<std::size_t>(tokens[n]) * stride;
            float* by_position = sums + (positions + t) * stride;
            forEachVector(cols, [&](auto load, auto store, std::size_t j) HWY_ATTR {
                const Vector x = load(row + j, 0);
                store(hn::Add(load(by_token + j, 0), x), by_token + j);
                store(hn::Add(load(by_position + j, 0), x), by_position + j);
            });
        }
}

/// Four rows of four in registers, as far as there are whole ones; the rest one by one.
void transposeLoop(const float* from, std::size_t from_stride, std::size_t rows, std::size_t cols, float* to,
                   std::size_t to_stride) {
    std::size_t whole_rows = 0, whole_cols = 0;
#if HWY_TARGET != HWY_SCALAR
    const hn::FixedTag<float, 4> four;
    const hn::Repartition<double, decltype(four)> two;
    whole_rows = rows / 4 * 4, whole_cols = cols / 4 * 4;
    for (std::size_t i = 0; i < whole_rows; i += 4)
        for (std::size_t j = 0; j < whole_cols; j += 4) {
            const float* at = from + i * from_stride + j;
            const auto a = hn::LoadU(four, at), b = hn::LoadU(four, at + from_stride);
            const auto c = hn::LoadU(four, at + 2 * from_stride), d = hn::LoadU(four, at + 3 * from_stride);
            const auto ab_low = hn::BitCast(two, hn::InterleaveLower(four, a, b));
            const auto ab_high = hn::BitCast(two, hn::InterleaveUpper(four, a, b));
            const auto cd_low = hn::BitCast(two, hn::InterleaveLower(four, c, d));
            const auto cd_high = hn::BitCast(two, hn::InterleaveUpper(four, c, d));
            float* out = to + j * to_stride + i;
            const auto put = [&](auto pairs, std::size_t row) HWY_ATTR {
                hn::StoreU(hn::BitCast(four, pairs), four, out + row * to_stride);
            };
            put(hn::InterleaveLower(two, ab_low, cd_low), 0);
            put(hn::InterleaveUpper(two, ab_low, cd_low), 1);
            put(hn::InterleaveLower(two, ab_high, cd_high), 2);
            put(hn::InterleaveUpper(two, ab_high, cd_high), 3);
        }
#endif
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = i < whole_rows ? whole_cols : 0; j < cols; ++j)
            to[j * to_stride + i] = from[i * from_stride + j];
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace headscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope {

HWY_EXPORT(transposeLoop);
HWY_EXPORT(addToRowsLoop);
HWY_EXPORT(sumOfRowsLoop);
HWY_EXPORT(addTableRowsLoop);
HWY_EXPORT(sumByTableRowLoop);
HWY_EXPORT(adamLoop);

namespace {

std::size_t size(Index n) { return static_cast<std::size_t>(n); }

}  // namespace

void transposeVectorized(In<float> from, Out<float> to) {
    assert(to.rows() == from.cols() && to.cols() == from.rows());
    HWY_DYNAMIC_DISPATCH(transposeLoop)
    (from.data(), size(from.outerStride()), size(from.rows()), size(from.cols()), to.data(),
     size(to.outerStride()));
}

void addToRowsVectorized(In<float> row, Out<float> to) {
    assert(row.cols() == to.cols());
    HWY_DYNAMIC_DISPATCH(addToRowsLoop)
    (row.data(), to.data(), size(to.outerStride()), size(to.rows()), size(to.cols()));
}

void sumOfRowsVectorized(In<float> from, Out<float> sum) {
    assert(sum.cols() == from.cols());
    HWY_DYNAMIC_DISPATCH(sumOfRowsLoop)
    (from.data(), size(from.outerStride()), size(from.rows()), size(from.cols()), sum.data());
}

void addTableRowsVectorized(In<float> table, std::span<const int> tokens, Index length, Out<float> to) {
    assert(static_cast<Index>(tokens.size()) == to.rows() && table.cols() == to.cols());
    HWY_DYNAMIC_DISPATCH(addTableRowsLoop)
    (table.data(), size(table.outerStride()), size(table.rows() - length), size(length), tokens.data(),
     tokens.size(), size(to.cols()), to.data(), size(to.outerStride()));
}

void sumByTableRowVectorized(In<float> from, std::span<const int> tokens, Index length, Out<float> sums) {
    assert(static_cast<Index>(tokens.size()) == from.rows() && sums.cols() == from.cols());
    sums.setZero();
    HWY_DYNAMIC_DISPATCH(sumByTableRowLoop)
    (from.data(), size(from.outerStride()), size(length), tokens.data(), tokens.size(), size(from.cols()),
     sums.data(), size(sums.outerStride()), size(sums.rows() - length));
}

void adamVectorized(const AdamConstants& constants, std::span<const float> gradient, std::span<float> mean,
                    std::span<float> variance, std::span<float> parameters) {
    assert(gradient.size() == mean.size() && mean.size() == variance.size() &&
           variance.size() == parameters.size());
    HWY_DYNAMIC_DISPATCH(adamLoop)
    (constants, gradient.data(), mean.data(), variance.data(), parameters.data(), gradient.size());
}

}  // namespace headscope
#endif
