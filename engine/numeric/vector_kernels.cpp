#include "engine/numeric/vector_kernels.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

// Highway compiles what follows, up to HWY_ONCE, once for every kind of processor. Its order is not ours.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/numeric/vector_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace headscope {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::ScalableTag<float>;
using Vector = hn::Vec<Tag>;
constexpr Tag kTag;

std::size_t lanes() { return hn::Lanes(kTag); }

/// The first `count` lanes from memory (fewer than a vector has), `otherwise` in the rest.
HWY_INLINE Vector loadFirst(const float* from, std::size_t count, float otherwise) {
#if HWY_MEM_OPS_MIGHT_FAULT
    HWY_ALIGN float all[HWY_MAX_BYTES / sizeof(float)];
    hn::Store(hn::Set(kTag, otherwise), kTag, all);
    for (std::size_t i = 0; i < count; ++i) all[i] = from[i];
    return hn::Load(kTag, all);
#else
    const auto mask = hn::FirstN(kTag, count);
    return hn::IfThenElse(mask, hn::MaskedLoad(mask, kTag, from), hn::Set(kTag, otherwise));
#endif
}

HWY_INLINE void storeFirst(Vector v, float* to, std::size_t count) {
#if HWY_MEM_OPS_MIGHT_FAULT
    HWY_ALIGN float all[HWY_MAX_BYTES / sizeof(float)];
    hn::Store(v, kTag, all);
    for (std::size_t i = 0; i < count; ++i) to[i] = all[i];
#else
    hn::BlendedStore(v, hn::FirstN(kTag, count), kTag, to);
#endif
}

/// Calls body(load, store, i) over n elements, vector by vector: `load(p, otherwise)` and `store(v, p)` are
/// whole ones, or the first lanes at the end.
template <typename Body>
HWY_INLINE void forEachVector(std::size_t n, Body&& body) {
    const std::size_t N = lanes();
    std::size_t i = 0;
    for (; i + N <= n; i += N)
        body([](const float* p, float) HWY_ATTR { return hn::LoadU(kTag, p); },
             [](Vector v, float* p) HWY_ATTR { hn::StoreU(v, kTag, p); }, i);
    if (const std::size_t count = n - i)
        body([count](const float* p, float otherwise) HWY_ATTR { return loadFirst(p, count, otherwise); },
             [count](Vector v, float* p) HWY_ATTR { storeFirst(v, p, count); }, i);
}

/// exp(x) for x ≤ 0, as exponential() in exponential.h: 0 below the smallest normal number, NaN of NaN.
///
/// x = n · ln 2 + r with n whole and |r| ≤ ln 2 / 2, so that exp(x) = 2ⁿ · (1 + r + r² · p(r)); p is the
/// polynomial of degree 4 that leaves the least relative error in this range, 3e-9 before rounding.
HWY_INLINE Vector exponentialOf(Vector x) {
    const auto all = [](float value) HWY_ATTR { return hn::Set(kTag, value); };
    const hn::RebindToSigned<Tag> whole;
    const auto n = hn::NearestInt(hn::Mul(x, all(1.44269504f)));
    const Vector minus_n = hn::Neg(hn::ConvertTo(kTag, n));
    // ln 2 in two parts: n times the first, of 15 bits, is exact.
    const Vector r = hn::MulAdd(minus_n, all(1.42860677e-6f), hn::MulAdd(minus_n, all(0.693145752f), x));
    Vector p = hn::MulAdd(r, all(0.00138145394f), all(0.00836874545f));
    p = hn::MulAdd(p, r, all(0.041668389f));
    p = hn::MulAdd(p, r, all(0.166665211f));
    p = hn::MulAdd(p, r, all(0.49999994f));
    const Vector mantissa = hn::Add(hn::MulAdd(p, hn::Mul(r, r), r), all(1.f));
    const auto exponent = hn::ShiftLeft<23>(hn::Add(n, hn::Set(whole, 127)));
    const Vector smallest = all(-87.336544f);  // log of the smallest normal float
    return hn::IfThenZeroElse(hn::Lt(x, smallest), hn::Mul(mantissa, hn::BitCast(kTag, exponent)));
}

HWY_INLINE float sumOf(Vector v) { return hn::GetLane(hn::SumOfLanes(kTag, v)); }
HWY_INLINE float maxOf(Vector v) { return hn::GetLane(hn::MaxOfLanes(kTag, v)); }

constexpr float kLowest = -std::numeric_limits<float>::infinity();

/// Rows of a causal block whose entries, seen and unseen, fit one vector: they stay in registers. Calls
/// body(load, store, visible) for each, four at once as far as there are four: a processor makes a load wait
/// for a store of some lanes to the row before, so the loads come first.
template <typename Load, typename Body, typename Store>
HWY_INLINE void forEachShortRow(std::size_t rows, std::size_t cols, std::size_t first_visible, Load&& load,
                                Body&& body, Store&& store) {
    const auto visible = [=](std::size_t i) { return std::min(first_visible + i, cols); };
    std::size_t i = 0;
    for (; i + 4 <= rows; i += 4) {
        const auto a = load(i, visible(i)), b = load(i + 1, visible(i + 1));
        const auto c = load(i + 2, visible(i + 2)), d = load(i + 3, visible(i + 3));
        store(body(a, visible(i)), i);
        store(body(b, visible(i + 1)), i + 1);
        store(body(c, visible(i + 2)), i + 2);
        store(body(d, visible(i + 3)), i + 3);
    }
    for (; i < rows; ++i) store(body(load(i, visible(i)), visible(i)), i);
}

HWY_INLINE Vector softmaxOf(Vector x, std::size_t visible, Vector scale) {
    const Vector shifted = hn::Mul(hn::Sub(x, hn::MaxOfLanes(kTag, x)), scale);
    const Vector e = hn::IfThenElseZero(hn::FirstN(kTag, visible), exponentialOf(shifted));
    return hn::Mul(e, hn::Set(kTag, 1 / sumOf(e)));
}

HWY_INLINE void softmaxRow(float* row, std::size_t visible, std::size_t cols, Vector scale) {
    Vector max = hn::Set(kTag, kLowest);
    forEachVector(visible, [&](auto load, auto, std::size_t i)
                               HWY_ATTR { max = hn::Max(max, load(row + i, kLowest)); });
    max = hn::MaxOfLanes(kTag, max);
    Vector sum = hn::Zero(kTag);
    const std::size_t N = lanes();
    std::size_t i = 0;
    for (; i + N <= visible; i += N) {
        const Vector e = exponentialOf(hn::Mul(hn::Sub(hn::LoadU(kTag, row + i), max), scale));
        sum = hn::Add(sum, e);
        hn::StoreU(e, kTag, row + i);
    }
    if (i < visible) {
        const std::size_t count = visible - i;
        const Vector x = loadFirst(row + i, count, kLowest);
        const Vector e =
            hn::IfThenElseZero(hn::FirstN(kTag, count), exponentialOf(hn::Mul(hn::Sub(x, max), scale)));
        sum = hn::Add(sum, e);
        storeFirst(e, row + i, count);
    }
    const Vector share = hn::Set(kTag, 1 / sumOf(sum));
    forEachVector(visible, [&](auto load, auto store, std::size_t at)
                               HWY_ATTR { store(hn::Mul(load(row + at, 0), share), row + at); });
    std::fill(row + visible, row + cols, 0.f);
}

void causalSoftmaxLoop(float* block, std::size_t stride, std::size_t rows, std::size_t cols,
                       std::size_t first_visible, float scale_by) {
    const Vector scale = hn::Set(kTag, scale_by);
    std::size_t i = 0;
    for (; i < rows && first_visible + i == 0; ++i) std::fill_n(block + i * stride, cols, 0.f);
    if (cols <= lanes()) {
        block += i * stride;
        forEachShortRow(
            rows - i, cols, first_visible + i,
            [&](std::size_t at, std::size_t visible)
                HWY_ATTR { return loadFirst(block + at * stride, visible, kLowest); },
            [&](Vector x, std::size_t visible) HWY_ATTR { return softmaxOf(x, visible, scale); },
            [&](Vector x, std::size_t at) HWY_ATTR { storeFirst(x, block + at * stride, cols); });
        return;
    }
    for (; i < rows; ++i) softmaxRow(block + i * stride, std::min(first_visible + i, cols), cols, scale);
}

void causalSoftmaxBackwardLoop(const float* weights, std::size_t weights_stride, float* grad,
                               std::size_t grad_stride, std::size_t rows, std::size_t cols,
                               std::size_t first_visible, float scale_by) {
    const Vector scale = hn::Set(kTag, scale_by);
    if (cols <= lanes()) {
        struct Row {
            Vector weights, grad;
        };
        forEachShortRow(
            rows, cols, first_visible,
            [&](std::size_t at, std::size_t visible) HWY_ATTR {
                return Row{loadFirst(weights + at * weights_stride, visible, 0),
                           loadFirst(grad + at * grad_stride, visible, 0)};
            },
            [&](const Row& row, std::size_t visible) HWY_ATTR {
                const Vector mean = hn::SumOfLanes(kTag, hn::Mul(row.weights, row.grad));
                const Vector result = hn::Mul(hn::Mul(scale, row.weights), hn::Sub(row.grad, mean));
                return hn::IfThenElseZero(hn::FirstN(kTag, visible), result);
            },
            [&](Vector x, std::size_t at) HWY_ATTR { storeFirst(x, grad + at * grad_stride, cols); });
        return;
    }
    for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t visible = std::min(first_visible + i, cols);
        const float* w = weights + i * weights_stride;
        float* g = grad + i * grad_stride;
        Vector sum = hn::Zero(kTag);
        forEachVector(visible, [&](auto load, auto, std::size_t at)
                                   HWY_ATTR { sum = hn::MulAdd(load(w + at, 0), load(g + at, 0), sum); });
        const Vector mean = hn::SumOfLanes(kTag, sum);
        forEachVector(visible, [&](auto load, auto store, std::size_t at) HWY_ATTR {
            store(hn::Mul(hn::Mul(scale, load(w + at, 0)), hn::Sub(load(g + at, 0), mean)), g + at);
        });
        std::fill(g + visible, g + cols, 0.f);
    }
}

/// scale · (scores − max) of the first `visible` entries becomes exp of it, times `factor`, zero beyond;
/// calls use(result, i) with each vector, whose lanes beyond are 0.
template <typename Use>
HWY_INLINE void exponentiate(float* row, std::size_t visible, std::size_t cols, Vector max, Vector scale,
                             Vector factor, Use&& use) {
    const std::size_t N = lanes();
    std::size_t i = 0;
    for (; i + N <= visible; i += N) {
        const Vector x = hn::Mul(hn::Sub(hn::LoadU(kTag, row + i), max), scale);
        const Vector e = hn::Mul(exponentialOf(x), factor);
        hn::StoreU(e, kTag, row + i);
        use(e, i, N);
    }
    if (i < visible) {
        const std::size_t count = visible - i;
        const Vector x = hn::Mul(hn::Sub(loadFirst(row + i, count, kLowest), max), scale);
        const Vector e = hn::IfThenElseZero(hn::FirstN(kTag, count), hn::Mul(exponentialOf(x), factor));
        storeFirst(e, row + i, count);
        use(e, i, count);
    }
    std::fill(row + visible, row + cols, 0.f);
}

void takeInLoop(float* scores, std::size_t stride, std::size_t rows, std::size_t cols, const Index* visible,
                float scale, OnlineSoftmax<float>* so_far, float* shrink) {
    for (std::size_t r = 0; r < rows; ++r) {
        float* row = scores + r * stride;
        const auto seen = static_cast<std::size_t>(visible[r]);
        OnlineSoftmax<float>& state = so_far[r];
        const float before = state.max;
        Vector max = hn::Set(kTag, before);
        forEachVector(seen, [&](auto load, auto, std::size_t i)
                                HWY_ATTR { max = hn::Max(max, load(row + i, kLowest)); });
        max = hn::MaxOfLanes(kTag, max);
        state.max = hn::GetLane(max);
        shrink[r] = state.sum != 0 && state.max != before ? std::exp(scale * (before - state.max)) : 1;
        Vector sum = hn::Zero(kTag);
        exponentiate(row, seen, cols, max, hn::Set(kTag, scale), hn::Set(kTag, 1.f),
                     [&](Vector e, std::size_t, std::size_t) HWY_ATTR { sum = hn::Add(sum, e); });
        state.sum = state.sum * shrink[r] + sumOf(sum);
    }
}

void recallLoop(float* scores, std::size_t stride, std::size_t rows, std::size_t cols, const Index* visible,
                float scale, const OnlineSoftmax<float>* complete, float* grad, std::size_t grad_stride,
                float* mean) {
    const std::size_t N = lanes();
    for (std::size_t r = 0; r < rows; ++r) {
        const float* g = grad + r * grad_stride;
        Vector sum = hn::Zero(kTag);
        const auto seen = static_cast<std::size_t>(visible[r]);
        exponentiate(scores + r * stride, seen, cols, hn::Set(kTag, complete[r].max), hn::Set(kTag, scale),
                     hn::Set(kTag, 1 / complete[r].sum),
                     [&](Vector e, std::size_t i, std::size_t count) HWY_ATTR {
                         const Vector own = count == N ? hn::LoadU(kTag, g + i) : loadFirst(g + i, count, 0);
                         sum = hn::MulAdd(e, own, sum);
                     });
        mean[r] += sumOf(sum);
        std::fill(grad + r * grad_stride + seen, grad + r * grad_stride + cols, 0.f);
    }
}

void gradWeightsToScoresLoop(const float* weights, std::size_t stride, std::size_t rows, std::size_t cols,
                             float scale_by, const float* mean, float* grad, std::size_t grad_stride) {
    const Vector scale = hn::Set(kTag, scale_by);
    for (std::size_t r = 0; r < rows; ++r) {
        const float* w = weights + r * stride;
        float* g = grad + r * grad_stride;
        const Vector own_mean = hn::Set(kTag, mean[r]);
        forEachVector(cols, [&](auto load, auto store, std::size_t i) HWY_ATTR {
            store(hn::Mul(hn::Mul(scale, load(w + i, 0)), hn::Sub(load(g + i, 0), own_mean)), g + i);
        });
    }
}

ShiftedExponentials shiftedExponentialsLoop(const float* logits, float* exponentials, std::size_t n) {
    Vector largest = hn::Set(kTag, kLowest);
    forEachVector(n, [&](auto load, auto, std::size_t i)
                         HWY_ATTR { largest = hn::Max(largest, load(logits + i, kLowest)); });
    const float max = maxOf(largest);
    const Vector maxs = hn::Set(kTag, max);
    std::size_t best = n;
    for (std::size_t i = 0; i < n && best == n; i += lanes()) {
        const std::size_t count = std::min(lanes(), n - i);
        const Vector x =
            count == lanes() ? hn::LoadU(kTag, logits + i) : loadFirst(logits + i, count, kLowest);
        const auto at = hn::FindFirstTrue(kTag, hn::Eq(x, maxs));
        if (at >= 0) best = i + static_cast<std::size_t>(at);
    }
    if (best >= n) best = 0;  // there is NaN among them
    Vector sum = hn::Zero(kTag);
    forEachVector(n, [&](auto load, auto store, std::size_t i) HWY_ATTR {
        const Vector e = exponentialOf(hn::Sub(load(logits + i, kLowest), maxs));
        store(e, exponentials + i);
        const auto index = hn::Iota(kTag, static_cast<float>(i));
        sum = hn::Add(sum, hn::IfThenElseZero(hn::Ne(index, hn::Set(kTag, static_cast<float>(best))), e));
    });
    return {static_cast<Index>(best), max, sumOf(sum)};
}

/// A moment that fades would stop at a denormal, which processors are slow with, and never become 0.
HWY_INLINE Vector withoutDenormals(Vector x) {
    return hn::IfThenZeroElse(hn::Lt(hn::Abs(x), hn::Set(kTag, std::numeric_limits<float>::min())), x);
}

void adamLoop(const AdamConstants& constants, const float* gradient, float* mean, float* variance,
              float* parameters, std::size_t n) {
    const auto all = [](float x) HWY_ATTR { return hn::Set(kTag, x); };
    const Vector beta1 = all(constants.beta1), new1 = all(constants.new1), beta2 = all(constants.beta2),
                 new2 = all(constants.new2), rate = all(constants.rate), epsilon = all(constants.epsilon);
    forEachVector(n, [&](auto load, auto store, std::size_t i) HWY_ATTR {
        const Vector g = load(gradient + i, 0);
        const Vector m = withoutDenormals(hn::MulAdd(beta1, load(mean + i, 0), hn::Mul(new1, g)));
        const Vector v =
            withoutDenormals(hn::MulAdd(beta2, load(variance + i, 0), hn::Mul(new2, hn::Mul(g, g))));
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

void sumOfRowsLoop(const float* from, std::size_t stride, std::size_t rows, std::size_t cols, float* sum) {
    forEachVector(cols, [&](auto load, auto store, std::size_t j) HWY_ATTR {
        Vector total = hn::Zero(kTag);
        for (std::size_t i = 0; i < rows; ++i) total = hn::Add(total, load(from + i * stride + j, 0));
        store(total, sum + j);
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
HWY_EXPORT(causalSoftmaxLoop);
HWY_EXPORT(causalSoftmaxBackwardLoop);
HWY_EXPORT(takeInLoop);
HWY_EXPORT(recallLoop);
HWY_EXPORT(gradWeightsToScoresLoop);
HWY_EXPORT(addToRowsLoop);
HWY_EXPORT(sumOfRowsLoop);
HWY_EXPORT(addTableRowsLoop);
HWY_EXPORT(sumByTableRowLoop);
HWY_EXPORT(shiftedExponentialsLoop);
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

void causalSoftmaxVectorized(Out<float> block, Index first_visible, float scale) {
    HWY_DYNAMIC_DISPATCH(causalSoftmaxLoop)
    (block.data(), size(block.outerStride()), size(block.rows()), size(block.cols()), size(first_visible),
     scale);
}

void causalSoftmaxBackwardVectorized(In<float> weights, Out<float> grad, Index first_visible, float scale) {
    assert(weights.rows() == grad.rows() && weights.cols() == grad.cols());
    HWY_DYNAMIC_DISPATCH(causalSoftmaxBackwardLoop)
    (weights.data(), size(weights.outerStride()), grad.data(), size(grad.outerStride()), size(grad.rows()),
     size(grad.cols()), size(first_visible), scale);
}

void takeInVectorized(Out<float> scores, std::span<const Index> visible, float scale,
                      std::span<OnlineSoftmax<float>> rows, std::span<float> shrink) {
    HWY_DYNAMIC_DISPATCH(takeInLoop)
    (scores.data(), size(scores.outerStride()), size(scores.rows()), size(scores.cols()), visible.data(),
     scale, rows.data(), shrink.data());
}

void recallVectorized(Out<float> scores, std::span<const Index> visible, float scale,
                      std::span<const OnlineSoftmax<float>> rows, Out<float> grad_weights,
                      std::span<float> mean) {
    assert(scores.rows() == grad_weights.rows() && scores.cols() == grad_weights.cols());
    HWY_DYNAMIC_DISPATCH(recallLoop)
    (scores.data(), size(scores.outerStride()), size(scores.rows()), size(scores.cols()), visible.data(),
     scale, rows.data(), grad_weights.data(), size(grad_weights.outerStride()), mean.data());
}

void gradWeightsToScoresVectorized(In<float> weights, float scale, std::span<const float> mean,
                                   Out<float> grad) {
    assert(weights.rows() == grad.rows() && weights.cols() == grad.cols());
    HWY_DYNAMIC_DISPATCH(gradWeightsToScoresLoop)
    (weights.data(), size(weights.outerStride()), size(grad.rows()), size(grad.cols()), scale, mean.data(),
     grad.data(), size(grad.outerStride()));
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

ShiftedExponentials shiftedExponentialsVectorized(std::span<const float> logits,
                                                  std::span<float> exponentials) {
    assert(!logits.empty() && logits.size() == exponentials.size());
    return HWY_DYNAMIC_DISPATCH(shiftedExponentialsLoop)(logits.data(), exponentials.data(), logits.size());
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
