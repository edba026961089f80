#include "engine/attention/dropout.h"

#include <cassert>
#include <complex>

#include "engine/numeric/random.h"

namespace headscope {
namespace {

constexpr std::uint64_t kSplitmixStep = 0x9e3779b97f4a7c15;

}  // namespace

Dropout::Dropout(double probability, std::uint64_t seed)
    : m_seed(splitmix64(seed)),
      m_below(static_cast<std::uint64_t>(probability * 0x1p53)),
      m_scale(1 / (1 - probability)) {
    assert(probability >= 0 && probability < 1);
}

bool Dropout::keeps(std::uint64_t element) const {
    // The number that splitmix64 gives after that many others.
    std::uint64_t state = m_seed + element * kSplitmixStep;
    return (splitmix64(state) >> 11) >= m_below;
}

template <typename Scalar>
void Dropout::apply(std::span<Scalar> values, std::uint64_t first) const {
    // A product also for what is dropped: a NaN must not vanish here.
    const auto scale = static_cast<Real<Scalar>>(m_scale);
    for (Scalar& value : values) value *= keeps(first++) ? scale : Real<Scalar>(0);
}

template void Dropout::apply(std::span<float>, std::uint64_t) const;
template void Dropout::apply(std::span<double>, std::uint64_t) const;
template void Dropout::apply(std::span<std::complex<double>>, std::uint64_t) const;

}  // namespace headscope
