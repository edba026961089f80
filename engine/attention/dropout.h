#pragma once

#include <cstdint>
#include <span>

#include "engine/numeric/matrix.h"

namespace headscope {

/// Inverted dropout (Srivastava et al., "Dropout", 2014, section 10): with probability p an element becomes
/// 0, else it is divided by 1 − p, so that nothing need be done in evaluation.
///
/// Whether an element is kept depends on the seed and its number alone (a counter-based generator: Salmon et
/// al., "Parallel random numbers: as easy as 1, 2, 3", 2011), so that the backward pass, and a path that goes
/// through the elements in another order, drop the same ones and nobody stores a mask. A value.
class Dropout {
public:
    Dropout() = default;  ///< keeps everything as it is

    /// probability in 0 … 1, 1 excluded (assert).
    Dropout(double probability, std::uint64_t seed);

    /// Whether it can drop anything.
    explicit operator bool() const { return m_below > 0; }

    bool keeps(std::uint64_t element) const;

    /// To elements number `first`, `first` + 1 … : values, or the gradient of what this was applied to.
    template <typename Scalar>
    void apply(std::span<Scalar> values, std::uint64_t first) const;

private:
    std::uint64_t m_seed = 0;
    std::uint64_t m_below = 0;  // a random number below this drops
    double m_scale = 1;         // of what is kept
};

}  // namespace headscope
