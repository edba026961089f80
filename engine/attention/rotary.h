#pragma once

#include "engine/numeric/matrix.h"

namespace headscope {

/// Rotary positions: RoFormer (Su et al., 2021), equation 34. Of each head's vector at place t, the pair of
/// features (2i, 2i+1) is turned by the angle t · 10000^(−2i/d_head); so the score of a query and a key
/// depends on how far apart they are, and not on where.
template <typename Scalar>
class Rotary {
public:
    /// For places 0 … length−1. Throws Refusal when d_head is odd.
    Rotary(Index length, Index d_head);

    /// Turns x in place: (B·L, H·d_head), sequences of L ≤ length tokens stacked.
    void rotate(Out<Scalar> x, Index L) const;

    /// Turns the gradient of what rotate() gave into that of what it was given: the same, backwards.
    void rotateBack(Out<Scalar> grad, Index L) const;

private:
    void turn(Out<Scalar> x, Index L, Real<Scalar> direction) const;

    Matrix<Real<Scalar>> m_cos, m_sin;  // (length, d_head / 2)
};

extern template class Rotary<float>;
extern template class Rotary<double>;
extern template class Rotary<std::complex<double>>;

}  // namespace headscope
