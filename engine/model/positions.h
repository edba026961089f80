#pragma once

#include "engine/numeric/matrix.h"

namespace headscope {

/// "Attention Is All You Need", section 3.5: entry (t, 2i) is sin(t / 10000^(2i/D)), entry (t, 2i+1) the
/// cosine of the same. Returns (length, d_model); d_model is even (assert).
template <typename Scalar>
Matrix<Scalar> sinusoidalPositions(Index length, Index d_model);

}  // namespace headscope
