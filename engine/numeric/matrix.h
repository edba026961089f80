#pragma once

#include <complex>

#include <Eigen/Core>

namespace headscope {

using Eigen::Index;

/// Owning row-major matrix, its first element aligned to a cache line.
template <typename Scalar>
using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A row-major matrix where it lies, its rows outerStride() elements apart: one head's slice of (B·T, 3D),
/// say.
template <typename Scalar>
using View = Eigen::Map<Matrix<Scalar>, 0, Eigen::OuterStride<>>;
template <typename Scalar>
using ConstView = Eigen::Map<const Matrix<Scalar>, 0, Eigen::OuterStride<>>;

/// Parameter types: any matrix, view or block binds to them without a copy as long as the elements of a row
/// are neighbors; `In` takes a copy of what is laid out otherwise (a transpose, say).
template <typename Scalar>
using In = const Eigen::Ref<const Matrix<Scalar>, 0, Eigen::OuterStride<>>&;
template <typename Scalar>
using Out = Eigen::Ref<Matrix<Scalar>, 0, Eigen::OuterStride<>>;

/// The real type beneath a scalar: double for std::complex<double>.
template <typename Scalar>
using Real = typename Eigen::NumTraits<Scalar>::Real;

}  // namespace headscope
