#include "engine/numeric/softmax_kernels.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <type_traits>

// Highway compiles what follows, up to HWY_ONCE, once for every kind of processor. Its order is not ours.
// clang-format off
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/numeric/softmax_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "engine/numeric/vector_loops-inl.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace headscope {
namespace HWY_NAMESPACE {
namespace {

/// scale · log2 e, in a rounded part and the rest of it.
struct Power {
    Vector rounded, rest;
};
HWY_INLINE Power powerOf(float scale) {
    const double c = scale * 1.4426950408889634;
    const auto rounded = static_cast<float>(c);
    return {hn::Set(kTag, rounded), hn::Set(kTag, static_cast<float>(c - rounded))};
}

/// x[i] ← 2^(c · x[i]) for c · x[i] ≤ 0: exp(scale · x) where c is powerOf(scale). Exactly 0 from the
/// smallest normal number on, as exponential() in exponential.h; NaN of NaN.
///
/// c · x = n + r with n whole and |r| ≤ 1/2, so that 2^(c · x) = 2ⁿ · 2^r.
template <std::size_t count>
HWY_INLINE void exponentialsOf(Vector (&x)[count], Power c) {
    const auto all = [](float value) HWY_ATTR { return hn::Set(kTag, value); };
    const hn::RebindToUnsigned<Tag> bits;
    const Vector shifter = all(kRoundingShifter);
    Vector r[count], power[count], p[count];
    for (std::size_t i = 0; i < count; ++i) {
        const Vector y = hn::Mul(x[i], c.rounded);
        const Vector shifted = hn::Add(y, shifter);  // n is in its last bits
        const auto exponent = hn::ShiftLeft<23>(hn::BitCast(bits, shifted));
        power[i] = hn::BitCast(kTag, hn::Add(exponent, hn::BitCast(bits, all(1))));
        r[i] = hn::MulAdd(x[i], c.rest, hn::MulSub(x[i], c.rounded, hn::Sub(shifted, shifter)));
        x[i] = y;
    }
    powersOfFractions(kTag, r, p);
    for (std::size_t i = 0; i < count; ++i)
        x[i] = hn::IfThenZeroElse(hn::Lt(x[i], all(-125.999f)), hn::Mul(p[i], power[i]));
}

HWY_INLINE float sumOf(Vector v) { return hn::GetLane(hn::SumOfLanes(kTag, v)); }

constexpr float kLowest = -std::numeric_limits<float>::infinity();

HWY_INLINE Vector maxOfRow(const float* row, std::size_t n, float at_least) {
    Vector max = hn::Set(kTag, at_least);
    forEachVector(
        n, [&](auto load, auto, std::size_t i) HWY_ATTR { max = hn::Max(max, load(row + i, kLowest)); });
    return hn::MaxOfLanes(kTag, max);
}

/// The first `visible` entries become 2^(c · (entry − max)), as use(it, i, count) returns it, which is called
/// with every vector, `count` lanes of which are the row's; the lanes and the entries beyond become 0.
template <typename Use>
HWY_INLINE void exponentiate(float* row, std::size_t visible, std::size_t cols, Vector max, Power c,
                             Use&& use) {
    const std::size_t N = lanes();
    std::size_t i = 0;
    for (; i + 4 * N <= visible; i += 4 * N) {
        Vector x[4];
        for (std::size_t k = 0; k < 4; ++k) x[k] = hn::Sub(hn::LoadU(kTag, row + i + k * N), max);
        exponentialsOf(x, c);
        for (std::size_t k = 0; k < 4; ++k) hn::StoreU(use(x[k], i + k * N, N), kTag, row + i + k * N);
    }
    for (; i < visible; i += N) {
        const std::size_t count = std::min(N, visible - i);
        Vector x[] = {hn::Sub(loadFirst(row + i, count, kLowest), max)};
        exponentialsOf(x, c);
        storeFirst(use(hn::IfThenElseZero(hn::FirstN(kTag, count), x[0]), i, count), row + i, count);
    }
    std::fill(row + visible, row + cols, 0.f);
}

/// Calls some(count, i) for `count` rows from row i on, a constant: four at once, as far as there are four.
template <typename Some>
HWY_INLINE void byFourRows(std::size_t rows, Some&& some) {
    std::size_t i = 0;
    for (; i + 4 <= rows; i += 4) some(std::integral_constant<std::size_t, 4>(), i);
    for (; i < rows; ++i) some(std::integral_constant<std::size_t, 1>(), i);
}

/// Of rows whose entries, seen and unseen, fit one vector: they stay in registers. A processor makes a load
/// wait for a store of some lanes to the row before, so the loads come first.
template <std::size_t count, typename Visible>
HWY_INLINE void softmaxOfShortRows(float* rows, std::size_t stride, Visible&& visible, std::size_t cols,
                                   Power c) {
    Vector x[count];
    for (std::size_t i = 0; i < count; ++i) x[i] = loadFirst(rows + i * stride, visible(i), kLowest);
    for (Vector& row : x) row = hn::Sub(row, hn::MaxOfLanes(kTag, row));
    exponentialsOf(x, c);
    for (std::size_t i = 0; i < count; ++i) {
        const Vector e = hn::IfThenElseZero(hn::FirstN(kTag, visible(i)), x[i]);
        x[i] = hn::Mul(e, hn::Set(kTag, 1 / sumOf(e)));
    }
    for (std::size_t i = 0; i < count; ++i) storeFirst(x[i], rows + i * stride, cols);
}

HWY_INLINE void softmaxRow(float* row, std::size_t visible, std::size_t cols, Power c) {
    Vector sum = hn::Zero(kTag);
    exponentiate(row, visible, cols, maxOfRow(row, visible, kLowest), c,
                 [&](Vector e, std::size_t, std::size_t) HWY_ATTR {
                     sum = hn::Add(sum, e);
                     return e;
                 });
    const Vector share = hn::Set(kTag, 1 / sumOf(sum));
    forEachVector(visible, [&](auto load, auto store, std::size_t i)
                               HWY_ATTR { store(hn::Mul(load(row + i, 0), share), row + i); });
}

void causalSoftmaxLoop(float* block, std::size_t stride, std::size_t rows, std::size_t cols,
                       std::size_t first_visible, float scale) {
    const Power c = powerOf(scale);
    for (; rows > 0 && first_visible == 0; --rows, ++first_visible, block += stride)
        std::fill_n(block, cols, 0.f);
    const auto visible = [=](std::size_t i) { return std::min(first_visible + i, cols); };
    if (cols <= lanes()) {
        byFourRows(rows, [&](auto count, std::size_t i) HWY_ATTR {
            softmaxOfShortRows<count>(
                block + i * stride, stride, [&](std::size_t k) { return visible(i + k); }, cols, c);
        });
        return;
    }
    for (std::size_t i = 0; i < rows; ++i) softmaxRow(block + i * stride, visible(i), cols, c);
}

/// As softmaxOfShortRows, but backward.
template <std::size_t count, typename Visible>
HWY_INLINE void backwardOfShortRows(const float* weights, std::size_t weights_stride, float* grad,
                                    std::size_t grad_stride, Visible&& visible, std::size_t cols,
                                    Vector scale) {
    Vector w[count], g[count];
    for (std::size_t i = 0; i < count; ++i) {
        w[i] = loadFirst(weights + i * weights_stride, visible(i), 0);
        g[i] = loadFirst(grad + i * grad_stride, visible(i), 0);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const Vector mean = hn::SumOfLanes(kTag, hn::Mul(w[i], g[i]));
        const Vector result = hn::Mul(hn::Mul(scale, w[i]), hn::Sub(g[i], mean));
        g[i] = hn::IfThenElseZero(hn::FirstN(kTag, visible(i)), result);
    }
    for (std::size_t i = 0; i < count; ++i) storeFirst(g[i], grad + i * grad_stride, cols);
}

void causalSoftmaxBackwardLoop(const float* weights, std::size_t weights_stride, float* grad,
                               std::size_t grad_stride, std::size_t rows, std::size_t cols,
                               std::size_t first_visible, float scale_by) {
    const Vector scale = hn::Set(kTag, scale_by);
    const auto visible = [=](std::size_t i) { return std::min(first_visible + i, cols); };
    if (cols <= lanes()) {
        byFourRows(rows, [&](auto count, std::size_t i) HWY_ATTR {
            backwardOfShortRows<count>(
                weights + i * weights_stride, weights_stride, grad + i * grad_stride, grad_stride,
                [&](std::size_t k) { return visible(i + k); }, cols, scale);
        });
        return;
    }
    for (std::size_t i = 0; i < rows; ++i) {
        const float* w = weights + i * weights_stride;
        float* g = grad + i * grad_stride;
        Vector sum = hn::Zero(kTag);
        forEachVector(visible(i), [&](auto load, auto, std::size_t at)
                                      HWY_ATTR { sum = hn::MulAdd(load(w + at, 0), load(g + at, 0), sum); });
        const Vector mean = hn::SumOfLanes(kTag, sum);
        forEachVector(visible(i), [&](auto load, auto store, std::size_t at) HWY_ATTR {
            store(hn::Mul(hn::Mul(scale, load(w + at, 0)), hn::Sub(load(g + at, 0), mean)), g + at);
        });
        std::fill(g + visible(i), g + cols, 0.f);
    }
}

/// The largest of every row first, so that no row's exponentials wait for it.
void takeInLoop(float* scores, std::size_t stride, std::size_t rows, std::size_t cols, const Index* visible,
                float scale, OnlineSoftmax<float>* so_far, float* shrink) {
    for (std::size_t r = 0; r < rows; ++r) {
        OnlineSoftmax<float>& state = so_far[r];
        const float before = state.max;
        state.max = hn::GetLane(maxOfRow(scores + r * stride, static_cast<std::size_t>(visible[r]), before));
        shrink[r] = state.sum != 0 && state.max != before ? std::exp(scale * (before - state.max)) : 1;
    }
    const Power c = powerOf(scale);
    for (std::size_t r = 0; r < rows; ++r) {
        Vector sum = hn::Zero(kTag);
        exponentiate(scores + r * stride, static_cast<std::size_t>(visible[r]), cols,
                     hn::Set(kTag, so_far[r].max), c, [&](Vector e, std::size_t, std::size_t) HWY_ATTR {
                         sum = hn::Add(sum, e);
                         return e;
                     });
        so_far[r].sum = so_far[r].sum * shrink[r] + sumOf(sum);
    }
}

void recallLoop(float* scores, std::size_t stride, std::size_t rows, std::size_t cols, const Index* visible,
                float scale, const OnlineSoftmax<float>* complete, float* grad, std::size_t grad_stride,
                float* mean) {
    const std::size_t N = lanes();
    const Power c = powerOf(scale);
    for (std::size_t r = 0; r < rows; ++r) {
        const float* g = grad + r * grad_stride;
        const auto seen = static_cast<std::size_t>(visible[r]);
        const Vector share = hn::Set(kTag, 1 / complete[r].sum);
        Vector sum = hn::Zero(kTag);
        exponentiate(scores + r * stride, seen, cols, hn::Set(kTag, complete[r].max), c,
                     [&](Vector e, std::size_t i, std::size_t count) HWY_ATTR {
                         const Vector weight = hn::Mul(e, share);
                         const Vector own = count == N ? hn::LoadU(kTag, g + i) : loadFirst(g + i, count, 0);
                         sum = hn::MulAdd(weight, own, sum);
                         return weight;
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
    const float max = hn::GetLane(maxOfRow(logits, n, kLowest));
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
    const Power c = powerOf(1);
    forEachVector(n, [&](auto load, auto store, std::size_t i) HWY_ATTR {
        Vector x[] = {hn::Sub(load(logits + i, kLowest), maxs)};
        exponentialsOf(x, c);
        const Vector e = x[0];
        store(e, exponentials + i);
        const auto index = hn::Iota(kTag, static_cast<float>(i));
        sum = hn::Add(sum, hn::IfThenElseZero(hn::Ne(index, hn::Set(kTag, static_cast<float>(best))), e));
    });
    return {static_cast<Index>(best), max, sumOf(sum)};
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace headscope
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace headscope {

HWY_EXPORT(causalSoftmaxLoop);
HWY_EXPORT(causalSoftmaxBackwardLoop);
HWY_EXPORT(takeInLoop);
HWY_EXPORT(recallLoop);
HWY_EXPORT(gradWeightsToScoresLoop);
HWY_EXPORT(shiftedExponentialsLoop);

namespace {

std::size_t size(Index n) { return static_cast<std::size_t>(n); }

}  // namespace

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

ShiftedExponentials shiftedExponentialsVectorized(std::span<const float> logits,
                                                  std::span<float> exponentials) {
    assert(!logits.empty() && logits.size() == exponentials.size());
    return HWY_DYNAMIC_DISPATCH(shiftedExponentialsLoop)(logits.data(), exponentials.data(), logits.size());
}

}  // namespace headscope
#endif
