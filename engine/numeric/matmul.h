#pragma once

#include "engine/numeric/matrix.h"

namespace headscope {

// Every matrix product of the engine. Shapes must agree (assert) and c must not overlap a or b; c is
// overwritten. Scalars: float, double, std::complex<double>; a transpose is never an adjoint.

/// c (m, n) = a (m, k) · b (k, n)
template <typename Scalar>
void multiply(In<Scalar> a, In<Scalar> b, Out<Scalar> c);

/// c (m, n) = a (m, k) · bᵀ, b (n, k)
template <typename Scalar>
void multiplyABt(In<Scalar> a, In<Scalar> b, Out<Scalar> c);

/// c (m, n) = aᵀ · b, a (k, m), b (k, n)
template <typename Scalar>
void multiplyAtB(In<Scalar> a, In<Scalar> b, Out<Scalar> c);

}  // namespace headscope
