#pragma once

#include <cmath>
#include <limits>

#include "engine/numeric/matrix.h"

namespace headscope {

/// exp(x) of an Eigen array by element, exactly 0 where the result would be below the smallest normal number.
///
/// Eigen's own stops falling there, at a denormal: a masked-like weight would never quite vanish, and
/// saturated rows would drag a processor's slow path through every product that follows. NaN stays NaN.
template <typename Derived>
auto exponential(const Eigen::ArrayBase<Derived>& x) {
    using Scalar = typename Derived::Scalar;
    const Real<Scalar> smallest = std::log(std::numeric_limits<Real<Scalar>>::min());
    return (x.real() < smallest).select(Scalar(0), x.exp());
}

}  // namespace headscope
