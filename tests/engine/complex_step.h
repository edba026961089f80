#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <span>
#include <vector>

#include "engine/numeric/matrix.h"
#include "engine/numeric/random.h"

namespace headscope::test {

using Complex = std::complex<double>;

inline Matrix<double> randomMatrix(Index rows, Index cols, double scale, Random& random) {
    Matrix<double> m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) m.data()[i] = scale * random.normal();
    return m;
}

template <typename Scalar>
std::span<Scalar> valuesOf(Matrix<Scalar>& m) {
    return {m.data(), static_cast<std::size_t>(m.size())};
}

/// ∂f/∂values[i] = Im f(… values[i] + ih …) / h for every i, exact to rounding because nothing is subtracted
/// (Squire and Trapp, "Using complex variables to estimate derivatives of real functions", 1998).
/// f() reads `values` where they lie.
template <typename F>
std::vector<double> complexStep(std::span<Complex> values, F&& f) {
    constexpr double h = 1e-40;
    std::vector<double> gradient;
    for (Complex& value : values) {
        const Complex kept = value;
        value += Complex(0, h);
        gradient.push_back(Complex(f()).imag() / h);
        value = kept;
    }
    return gradient;
}

/// Largest difference, as a share of the largest expected value; infinite for a value that is not finite.
inline double relativeError(std::span<const double> actual, std::span<const double> expected) {
    if (actual.size() != expected.size()) return INFINITY;
    double difference = 0, largest = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        if (!std::isfinite(actual[i]) || !std::isfinite(expected[i])) return INFINITY;
        difference = std::max(difference, std::abs(actual[i] - expected[i]));
        largest = std::max(largest, std::abs(expected[i]));
    }
    return difference == 0 ? 0 : difference / largest;
}

inline double relativeError(const Matrix<double>& actual, const Matrix<double>& expected) {
    return relativeError(std::span(actual.data(), static_cast<std::size_t>(actual.size())),
                         std::span(expected.data(), static_cast<std::size_t>(expected.size())));
}

}  // namespace headscope::test
