#pragma once

#include <cassert>
#include <limits>
#include <string_view>

#include "engine/numeric/generated_kernels.h"
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

/// Adds small products one after the other, most of them of one shape: it remembers the kernel of the last,
/// which takes as long to find as some products take to make. Nothing is empty, and all is smaller than 2³¹
/// (assert). One thread.
class SumOfProducts {
public:
    /// multiplyAdd(a, b, c), with the same bits.
    template <typename A, typename B, typename C>
    void add(const A& a, const B& b, C&& c) {
        if (remember(shapeOf(a, false, b, c))) return m_kernel(a.data(), b.data(), c.data());
        multiplyAdd<float>(a, b, c);
    }

    /// multiplyAtBAdd(a, b, c), with the same bits.
    template <typename A, typename B, typename C>
    void addAtB(const A& a, const B& b, C&& c) {
        if (remember(shapeOf(a, true, b, c))) return m_kernel(a.data(), b.data(), c.data());
        multiplyAtBAdd<float>(a, b, c);
    }

private:
    template <typename A, typename B, typename C>
    static ProductShape shapeOf(const A& a, bool a_transposed, const B& b, const C& c) {
        const auto number = [](Index size) {
            assert(size > 0 && size <= std::numeric_limits<int>::max());
            return static_cast<int>(size);
        };
        return {number(c.rows()),        number(c.cols()),        number(b.rows()), number(a.outerStride()),
                number(b.outerStride()), number(c.outerStride()), a_transposed,     true};
    }

    bool remember(const ProductShape& shape) {
        if (shape != m_shape) m_kernel = generatedKernel(m_shape = shape);
        return static_cast<bool>(m_kernel);
    }

    ProductShape m_shape{};
    GeneratedKernel m_kernel;
};

/// to (n, m) = fromᵀ, from (m, n)
template <typename Scalar>
void transposeInto(In<Scalar> from, Out<Scalar> to);

/// What multiplies floats here: "libxsmm", which generates kernels for the processor at hand, or "Eigen",
/// where the program was built without it or the processor or the system refuses generated code.
std::string_view matmulBackend();

}  // namespace headscope
