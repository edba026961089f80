#pragma once

#include <string_view>

#include "engine/numeric/matrix.h"

namespace headscope {

// Every matrix product of the engine. Shapes must agree (assert) and c must not overlap a or b. Scalars:
// float, double, std::complex<double>; a transpose is never an adjoint. No product takes memory from the
// heap, but the first of a float shape may generate a kernel for it. Any thread.

/// c (m, n) = a (m, k) · b (k, n)
template <typename Scalar>
void multiply(In<Scalar> a, In<Scalar> b, Out<Scalar> c);

/// c (m, n) = a (m, k) · bᵀ, b (n, k)
template <typename Scalar>
void multiplyABt(In<Scalar> a, In<Scalar> b, Out<Scalar> c);

/// c (m, n) = aᵀ · b, a (k, m), b (k, n)
template <typename Scalar>
void multiplyAtB(In<Scalar> a, In<Scalar> b, Out<Scalar> c);

/// c (m, n) += a (m, k) · b (k, n)
template <typename Scalar>
void multiplyAdd(In<Scalar> a, In<Scalar> b, Out<Scalar> c);

/// c (m, n) += aᵀ · b, a (k, m), b (k, n)
template <typename Scalar>
void multiplyAtBAdd(In<Scalar> a, In<Scalar> b, Out<Scalar> c);

/// to (n, m) = fromᵀ, from (m, n)
template <typename Scalar>
void transposeInto(In<Scalar> from, Out<Scalar> to);

/// What multiplies floats here: "libxsmm", which generates kernels for the processor at hand, or "Eigen",
/// where the program was built without it or the processor or the system refuses generated code.
std::string_view matmulBackend();

}  // namespace headscope
