// Part of every file that Highway compiles once for each kind of processor: to be included there, after
// highway.h. Its guard lets it in once for each.
#if defined(HEADSCOPE_VECTOR_LOOPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef HEADSCOPE_VECTOR_LOOPS_INL_H
#undef HEADSCOPE_VECTOR_LOOPS_INL_H
#else
#define HEADSCOPE_VECTOR_LOOPS_INL_H
#endif

#include <cstddef>

#include <hwy/highway.h>

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

/// 2^r for |r| ≤ 1/2. The polynomial of degree 6 leaves the least relative error of those with p(0) = 1, 3e-9
/// before rounding. Of several vectors, whose long chains of operations a processor overlaps only when they
/// lie side by side.
template <typename D, std::size_t count>
HWY_INLINE void powersOfFractions(D d, const hn::Vec<D> (&r)[count], hn::Vec<D> (&powers)[count]) {
    for (auto& p : powers) p = hn::Set(d, 0.000153285422f);
    for (const float coefficient :
         {0.00133909844f, 0.00961850118f, 0.0555035956f, 0.240226477f, 0.693147182f, 1.f})
        for (std::size_t i = 0; i < count; ++i)
            powers[i] = hn::MulAdd(powers[i], r[i], hn::Set(d, coefficient));
}

/// What is added to it is rounded to a whole number, which is then in the last bits.
constexpr float kRoundingShifter = 12582912.f;  // 1.5 · 2^23

/// x[i] ← 2^x[i] for −126 ≤ x[i] ≤ 126.
template <typename D, std::size_t count>
HWY_INLINE void powersOfTwo(D d, hn::Vec<D> (&x)[count]) {
    const hn::RebindToUnsigned<D> bits;
    const auto shifter = hn::Set(d, kRoundingShifter);
    hn::Vec<D> r[count];
    hn::Vec<decltype(bits)> exponents[count];
    for (std::size_t i = 0; i < count; ++i) {
        const auto shifted = hn::Add(x[i], shifter);
        exponents[i] = hn::ShiftLeft<23>(hn::BitCast(bits, shifted));
        r[i] = hn::Sub(x[i], hn::Sub(shifted, shifter));
    }
    powersOfFractions(d, r, x);
    for (std::size_t i = 0; i < count; ++i)
        x[i] = hn::BitCast(d, hn::Add(hn::BitCast(bits, x[i]), exponents[i]));
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace headscope
HWY_AFTER_NAMESPACE();

#endif
