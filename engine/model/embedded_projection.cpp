#include "engine/model/embedded_projection.h"

#include <algorithm>
#include <cassert>

#include "engine/numeric/matmul.h"
#include "engine/numeric/vector_kernels.h"

namespace headscope {
namespace {

/// Row n of y = the table's row of its token + the table's row of its position.
template <typename Scalar>
void addTableRows(In<Scalar> table, std::span<const int> tokens, Index length, Out<Scalar> y) {
    if constexpr (std::is_same_v<Scalar, float>) return addTableRowsVectorized(table, tokens, length, y);
    const auto of_positions = table.bottomRows(length);
    for (Index n = 0; n < y.rows(); ++n)
        y.row(n) = table.row(tokens[static_cast<std::size_t>(n)]) + of_positions.row(n % length);
}

/// Row by row of the table, the sum of the rows of grad_y that it is in.
template <typename Scalar>
void sumByTableRow(In<Scalar> grad_y, std::span<const int> tokens, Index length, Out<Scalar> sums) {
    if constexpr (std::is_same_v<Scalar, float>) return sumByTableRowVectorized(grad_y, tokens, length, sums);
    sums.setZero();
    auto by_position = sums.bottomRows(length);
    for (Index n = 0; n < grad_y.rows(); ++n) {
        sums.row(tokens[static_cast<std::size_t>(n)]) += grad_y.row(n);
        by_position.row(n % length) += grad_y.row(n);
    }
}

}  // namespace

template <typename Scalar>
EmbeddedProjection<Scalar>::EmbeddedProjection(Index vocab_size, Index length, Index d_model, Index features)
    : m_vocab_size(vocab_size), m_length(length) {
    const Index rows = vocab_size + length;
    m_tables.setZero(rows, d_model);
    m_projected.setZero(rows, features);
    m_sums.setZero(rows, features);
}

/// A few features at a time: what is then added once more, row to row, has been rounded less.
template <typename Scalar>
void EmbeddedProjection<Scalar>::project(In<Scalar> weight) {
    constexpr Index kFeatures = 32;
    const Index D = m_tables.cols();
    multiplyABt<Scalar>(m_tables.leftCols(std::min(D, kFeatures)), weight.leftCols(std::min(D, kFeatures)),
                        m_projected);
    for (Index at = kFeatures; at < D; at += kFeatures) {
        const Index features = std::min(kFeatures, D - at);
        multiplyABt<Scalar>(m_tables.middleCols(at, features), weight.middleCols(at, features), m_sums);
        m_projected += m_sums;
    }
}

template <typename Scalar>
void EmbeddedProjection<Scalar>::forward(std::span<const int> tokens, In<Scalar> token_emb,
                                         In<Scalar> positions, In<Scalar> weight, In<Scalar> bias,
                                         Out<Scalar> y) {
    assert(static_cast<Index>(tokens.size()) == y.rows() && y.rows() % m_length == 0);
    m_tables.topRows(m_vocab_size) = token_emb;
    if (positions.rows() > 0) m_tables.bottomRows(m_length) = positions;
    project(weight);
    m_projected.bottomRows(m_length).rowwise() += bias.row(0);
    addTableRows<Scalar>(m_projected, tokens, m_length, y);
}

template <typename Scalar>
void EmbeddedProjection<Scalar>::backward(std::span<const int> tokens, In<Scalar> weight, In<Scalar> grad_y,
                                          Out<Scalar> grad_weight, Out<Scalar> grad_bias,
                                          Out<Scalar> grad_token_emb, Out<Scalar> grad_positions) {
    assert(static_cast<Index>(tokens.size()) == grad_y.rows());
    sumByTableRow<Scalar>(grad_y, tokens, m_length, m_sums);
    const auto by_position = m_sums.bottomRows(m_length);
    grad_bias.setZero();
    for (Index t = 0; t < m_length; ++t) grad_bias.row(0) += by_position.row(t);
    multiplyAtB<Scalar>(m_sums, m_tables, grad_weight);
    multiply<Scalar>(m_sums.topRows(m_vocab_size), weight, grad_token_emb);
    if (grad_positions.rows() > 0) multiply<Scalar>(by_position, weight, grad_positions);
}

template class EmbeddedProjection<float>;
template class EmbeddedProjection<double>;
template class EmbeddedProjection<std::complex<double>>;

}  // namespace headscope
