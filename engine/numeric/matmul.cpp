#include "engine/numeric/matmul.h"

namespace headscope {

template <typename Scalar>
void multiply(In<Scalar> a, In<Scalar> b, Out<Scalar> c) {
    c.noalias() = a * b;
}

template <typename Scalar>
void multiplyABt(In<Scalar> a, In<Scalar> b, Out<Scalar> c) {
    c.noalias() = a * b.transpose();
}

template <typename Scalar>
void multiplyAtB(In<Scalar> a, In<Scalar> b, Out<Scalar> c) {
    c.noalias() = a.transpose() * b;
}

#define HEADSCOPE_INSTANTIATE(Scalar)                                       \
    template void multiply<Scalar>(In<Scalar>, In<Scalar>, Out<Scalar>);    \
    template void multiplyABt<Scalar>(In<Scalar>, In<Scalar>, Out<Scalar>); \
    template void multiplyAtB<Scalar>(In<Scalar>, In<Scalar>, Out<Scalar>);
HEADSCOPE_INSTANTIATE(float)
HEADSCOPE_INSTANTIATE(double)
HEADSCOPE_INSTANTIATE(std::complex<double>)
#undef HEADSCOPE_INSTANTIATE

}  // namespace headscope
