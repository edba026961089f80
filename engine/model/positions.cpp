#include "engine/model/positions.h"

#include <cassert>
#include <cmath>

namespace headscope {

template <typename Scalar>
Matrix<Scalar> sinusoidalPositions(Index length, Index d_model) {
    assert(d_model % 2 == 0);
    Matrix<Scalar> positions(length, d_model);
    for (Index feature = 0; feature < d_model; feature += 2) {
        const double frequency = std::pow(1e4, -static_cast<double>(feature) / static_cast<double>(d_model));
        for (Index t = 0; t < length; ++t) {
            const double angle = static_cast<double>(t) * frequency;
            positions(t, feature) = static_cast<Real<Scalar>>(std::sin(angle));
            positions(t, feature + 1) = static_cast<Real<Scalar>>(std::cos(angle));
        }
    }
    return positions;
}

template Matrix<float> sinusoidalPositions(Index, Index);
template Matrix<double> sinusoidalPositions(Index, Index);
template Matrix<std::complex<double>> sinusoidalPositions(Index, Index);

}  // namespace headscope
