#include "engine/model/composed_linear.h"

#include "engine/numeric/linear.h"
#include "engine/numeric/matmul.h"

namespace headscope {

template <typename Scalar>
ComposedLinear<Scalar>::ComposedLinear(Index in, Index out) {
    m_weight.setZero(out, in);
    m_bias.setZero(1, out);
    m_grad_weight.setZero(out, in);
}

template <typename Scalar>
void ComposedLinear<Scalar>::forward(const Parameters& layers, In<Scalar> x, Out<Scalar> y) {
    multiply<Scalar>(layers.second_weight, layers.first_weight, m_weight);
    linear<Scalar>(layers.first_bias, layers.second_weight, layers.second_bias, m_bias);
    linear<Scalar>(x, m_weight, m_bias, y);
}

template <typename Scalar>
void ComposedLinear<Scalar>::backward(const Parameters& layers, In<Scalar> x, In<Scalar> grad_y,
                                      const Gradients& gradients, Out<Scalar> grad_x) {
    auto [grad_first_weight, grad_first_bias, grad_second_weight, grad_second_bias] = gradients;
    linearBackwardParameters<Scalar>(x, grad_y, m_grad_weight, grad_second_bias);
    multiplyAtB<Scalar>(layers.second_weight, m_grad_weight, grad_first_weight);
    multiply<Scalar>(grad_second_bias, layers.second_weight, grad_first_bias);
    multiplyABt<Scalar>(m_grad_weight, layers.first_weight, grad_second_weight);
    multiplyAtBAdd<Scalar>(grad_second_bias, layers.first_bias, grad_second_weight);
    linearBackwardInput<Scalar>(m_weight, grad_y, grad_x);
}

template class ComposedLinear<float>;
template class ComposedLinear<double>;
template class ComposedLinear<std::complex<double>>;

}  // namespace headscope
