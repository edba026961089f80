#pragma once

#include "engine/numeric/matrix.h"

namespace headscope {

/// The tensors of two linear layers in a row, or their gradients.
template <typename TensorView>
struct TwoLayers {
    TensorView first_weight, first_bias;    ///< (hidden, in), (1, hidden)
    TensorView second_weight, second_bias;  ///< (out, hidden), (1, out)
};

/// Two linear layers with nothing between them, computed as the one that they compose:
///
/// (x · Aᵀ + a) · Bᵀ + b = x · (B·A)ᵀ + (a·Bᵀ + b), so that the rows of x go through one product instead of
/// two. Backward, with G = grad_yᵀ · x and s = the sum of grad_y's rows, grad_A = Bᵀ·G, grad_a = s·B,
/// grad_B = G·Aᵀ + sᵀ·a, grad_b = s and grad_x = grad_y · (B·A). The same algebra as linear.h twice, in
/// another order of sums; what is between the layers is never seen.
template <typename Scalar>
class ComposedLinear {
public:
    using Parameters = TwoLayers<ConstView<Scalar>>;
    using Gradients = TwoLayers<View<Scalar>>;

    /// True where there are clearly more rows than outputs: composing costs as much as a product of so many.
    static bool pays(Index rows, Index out) { return 4 * out <= 3 * rows; }

    ComposedLinear(Index in, Index out);

    /// x (n, in), y (n, out).
    void forward(const Parameters& layers, In<Scalar> x, Out<Scalar> y);

    /// Of the last forward(), whose layers and x are given again: overwrites the gradients of the layers and
    /// grad_x (n, in) from grad_y (n, out).
    void backward(const Parameters& layers, In<Scalar> x, In<Scalar> grad_y, const Gradients& gradients,
                  Out<Scalar> grad_x);

private:
    Matrix<Scalar> m_weight;       // (out, in)
    Matrix<Scalar> m_bias;         // (1, out)
    Matrix<Scalar> m_grad_weight;  // (out, in)
};

extern template class ComposedLinear<float>;
extern template class ComposedLinear<double>;
extern template class ComposedLinear<std::complex<double>>;

}  // namespace headscope
