#include "engine/attention/rotary.h"

#include <cassert>
#include <cmath>
#include <string>

#include "engine/numeric/refusal.h"

namespace headscope {

template <typename Scalar>
Rotary<Scalar>::Rotary(Index length, Index d_head) : m_cos(length, d_head / 2), m_sin(length, d_head / 2) {
    if (d_head % 2 != 0)
        throw Refusal("d_head %1 is odd: rotary positions need an even one", {std::to_string(d_head)});
    for (Index i = 0; i < d_head / 2; ++i) {
        const double frequency = std::pow(1e4, -2 * static_cast<double>(i) / static_cast<double>(d_head));
        for (Index t = 0; t < length; ++t) {
            m_cos(t, i) = static_cast<Real<Scalar>>(std::cos(static_cast<double>(t) * frequency));
            m_sin(t, i) = static_cast<Real<Scalar>>(std::sin(static_cast<double>(t) * frequency));
        }
    }
}

template <typename Scalar>
void Rotary<Scalar>::turn(Out<Scalar> x, Index L, Real<Scalar> direction) const {
    const Index pairs = m_cos.cols();
    assert(L <= m_cos.rows() && x.rows() % L == 0 && x.cols() % (2 * pairs) == 0);
    for (Index row = 0; row < x.rows(); ++row) {
        const Real<Scalar>*cosine = &m_cos(row % L, 0), *sine = &m_sin(row % L, 0);
        for (Scalar* head = &x(row, 0); head != &x(row, 0) + x.cols(); head += 2 * pairs)
            for (Index i = 0; i < pairs; ++i) {
                const Scalar even = head[2 * i], odd = head[2 * i + 1];
                head[2 * i] = even * cosine[i] - odd * (direction * sine[i]);
                head[2 * i + 1] = odd * cosine[i] + even * (direction * sine[i]);
            }
    }
}

template <typename Scalar>
void Rotary<Scalar>::rotate(Out<Scalar> x, Index L) const {
    turn(x, L, 1);
}

template <typename Scalar>
void Rotary<Scalar>::rotateBack(Out<Scalar> grad, Index L) const {
    turn(grad, L, -1);
}

template class Rotary<float>;
template class Rotary<double>;
template class Rotary<std::complex<double>>;

}  // namespace headscope
