#pragma once

#include <span>

#include "engine/numeric/matrix.h"

namespace headscope {

/// A linear layer of embedded tokens, computed on the tables that the embedding adds up.
///
/// The input is x[n] = token_emb[id(n)] + positions[t(n)], so that x · weightᵀ + bias is the sum of a row of
/// token_emb · weightᵀ and a row of positions · weightᵀ + bias: V + T rows go through the product instead of
/// B·T. Backward, the gradients of the rows that share a table row are summed first. The same algebra as
/// linear.h on x, in another order of sums.
template <typename Scalar>
class EmbeddedProjection {
public:
    /// True where the tables have clearly fewer rows than the batch.
    static bool pays(Index vocab_size, Index length, Index batch_rows) {
        return 4 * (vocab_size + length) <= 3 * batch_rows * length;
    }

    /// The layer's input and output have d_model and `features` columns.
    EmbeddedProjection(Index vocab_size, Index length, Index d_model, Index features);

    /// tokens (B, T) of 0 … V−1; token_emb (V, D); positions (T, D), or (0, D) for none; weight (features,
    /// D), bias (1, features); y (B·T, features).
    void forward(std::span<const int> tokens, In<Scalar> token_emb, In<Scalar> positions, In<Scalar> weight,
                 In<Scalar> bias, Out<Scalar> y);

    /// Of the last forward(), whose tokens and weight are given again: overwrites the gradients of the
    /// parameters from grad_y, and that of the positions where grad_positions has rows.
    void backward(std::span<const int> tokens, In<Scalar> weight, In<Scalar> grad_y, Out<Scalar> grad_weight,
                  Out<Scalar> grad_bias, Out<Scalar> grad_token_emb, Out<Scalar> grad_positions);

private:
    void project(In<Scalar> weight);

    Index m_vocab_size, m_length;
    Matrix<Scalar> m_tables;     // (V + T, D): the tokens', then the positions'
    Matrix<Scalar> m_projected;  // (V + T, features): the bias is in the positions' rows
    Matrix<Scalar> m_sums;       // (V + T, features): of grad_y by token, then by position
};

extern template class EmbeddedProjection<float>;
extern template class EmbeddedProjection<double>;
extern template class EmbeddedProjection<std::complex<double>>;

}  // namespace headscope
