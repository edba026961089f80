#include "engine/numeric/linear.h"

#include "engine/numeric/matmul.h"
#include "engine/numeric/vector_kernels.h"

namespace headscope {

template <typename Scalar>
void linear(In<Scalar> x, In<Scalar> weight, In<Scalar> bias, Out<Scalar> y) {
    multiplyABt<Scalar>(x, weight, y);
    if constexpr (std::is_same_v<Scalar, float>)
        addToRowsVectorized(bias, y);
    else
        y.rowwise() += bias.row(0);
}

template <typename Scalar>
void linearBackwardParameters(In<Scalar> x, In<Scalar> grad_y, Out<Scalar> grad_weight,
                              Out<Scalar> grad_bias) {
    multiplyAtB<Scalar>(grad_y, x, grad_weight);
    if constexpr (std::is_same_v<Scalar, float>) {
        sumOfRowsVectorized(grad_y, grad_bias);
    } else {
        grad_bias.setZero();
        for (Index i = 0; i < grad_y.rows(); ++i) grad_bias.row(0) += grad_y.row(i);
    }
}

template <typename Scalar>
void linearBackwardInput(In<Scalar> weight, In<Scalar> grad_y, Out<Scalar> grad_x) {
    multiply<Scalar>(grad_y, weight, grad_x);
}

#define HEADSCOPE_INSTANTIATE(Scalar)                                                                 \
    template void linear<Scalar>(In<Scalar>, In<Scalar>, In<Scalar>, Out<Scalar>);                    \
    template void linearBackwardParameters<Scalar>(In<Scalar>, In<Scalar>, Out<Scalar>, Out<Scalar>); \
    template void linearBackwardInput<Scalar>(In<Scalar>, In<Scalar>, Out<Scalar>);
HEADSCOPE_INSTANTIATE(float)
HEADSCOPE_INSTANTIATE(double)
HEADSCOPE_INSTANTIATE(std::complex<double>)
#undef HEADSCOPE_INSTANTIATE

}  // namespace headscope
