#pragma once

#include "engine/attention/multi_head_attention.h"
#include "tests/engine/complex_step.h"

namespace headscope::test {

/// The inputs and parameters of an attention block in one precision, or their gradients.
template <typename Scalar>
struct Block {
    Matrix<Scalar> x, memory;
    Matrix<Scalar> qkv_proj_weight, qkv_proj_bias, out_proj_weight, out_proj_bias;

    AttentionTensors<ConstView<Scalar>> parameters() const {
        return {constView(qkv_proj_weight), constView(qkv_proj_bias), constView(out_proj_weight),
                constView(out_proj_bias)};
    }
    AttentionTensors<View<Scalar>> gradients() {
        return {view(qkv_proj_weight), view(qkv_proj_bias), view(out_proj_weight), view(out_proj_bias)};
    }

    /// Calls f(name, tensor) for every tensor; `memory` is empty in self-attention.
    template <typename F>
    void forEach(F&& f) {
        f("x", x);
        f("memory", memory);
        f("qkv_proj.weight", qkv_proj_weight);
        f("qkv_proj.bias", qkv_proj_bias);
        f("out_proj.weight", out_proj_weight);
        f("out_proj.bias", out_proj_bias);
    }

    template <typename Other>
    Block<Other> cast() const {
        return {x.template cast<Other>(),
                memory.template cast<Other>(),
                qkv_proj_weight.template cast<Other>(),
                qkv_proj_bias.template cast<Other>(),
                out_proj_weight.template cast<Other>(),
                out_proj_bias.template cast<Other>()};
    }

private:
    static ConstView<Scalar> constView(const Matrix<Scalar>& m) {
        return {m.data(), m.rows(), m.cols(), Eigen::OuterStride<>(m.cols())};
    }
    static View<Scalar> view(Matrix<Scalar>& m) {
        return {m.data(), m.rows(), m.cols(), Eigen::OuterStride<>(m.cols())};
    }
};

/// Parameters about as large as PyTorch makes them; inputs of this scale.
inline Block<double> randomBlock(const AttentionShape& shape, double scale, std::uint64_t seed) {
    Random random(seed, RandomStream::Probe);
    const Index D = shape.d_model;
    const double spread = 1 / std::sqrt(double(D));
    Block<double> block;
    block.qkv_proj_weight = randomMatrix(3 * D, D, spread, random);
    block.qkv_proj_bias = randomMatrix(1, 3 * D, spread, random);
    block.out_proj_weight = randomMatrix(D, D, spread, random);
    block.out_proj_bias = randomMatrix(1, D, spread, random);
    block.x = randomMatrix(shape.rows(), D, scale, random);
    block.memory = randomMatrix(shape.isCross() ? shape.keyRows() : 0, D, scale, random);
    return block;
}

template <typename Scalar>
const Matrix<Scalar>& forward(MultiHeadAttention<Scalar>& attention, const Block<Scalar>& block) {
    if (block.memory.rows() > 0) return attention.forward(block.parameters(), block.x, block.memory);
    return attention.forward(block.parameters(), block.x);
}

template <typename Scalar>
Block<Scalar> backward(MultiHeadAttention<Scalar>& attention, const Block<Scalar>& block,
                       const Matrix<Scalar>& grad_attn_out) {
    Block<Scalar> grad = block;
    if (block.memory.rows() > 0)
        attention.backward(block.parameters(), block.x, block.memory, grad_attn_out, grad.gradients(), grad.x,
                           grad.memory);
    else
        attention.backward(block.parameters(), block.x, grad_attn_out, grad.gradients(), grad.x);
    return grad;
}

/// Everything that a block computes.
template <typename Scalar>
struct Computed {
    Matrix<Scalar> attn_out, context, weights;  // weights on the plain path
    Block<Scalar> grad;
};

template <typename Scalar>
Computed<Scalar> compute(const AttentionShape& shape, const AttentionOptions& options,
                         const Block<Scalar>& block, const Matrix<Scalar>& grad_attn_out,
                         const AttentionDropout& dropout = {}) {
    MultiHeadAttention<Scalar> attention(shape, options);
    attention.setDropout(dropout);
    Computed<Scalar> result;
    result.attn_out = forward(attention, block);
    result.context = attention.context();
    if (options.path == AttentionPath::Plain) result.weights = attention.weights();
    result.grad = backward(attention, block, grad_attn_out);
    return result;
}

template <typename Scalar>
Matrix<Scalar> randomGrad(const AttentionShape& shape, std::uint64_t seed) {
    Random random(seed, RandomStream::Batches);
    return randomMatrix(shape.rows(), shape.d_model, 1, random).template cast<Scalar>();
}

/// Each visible with this probability.
inline AttentionMask randomMask(std::span<const Index> sizes, double share, Random& random) {
    Index count = 1;
    for (const Index size : sizes) count *= size;
    std::vector<unsigned char> visible(static_cast<std::size_t>(count));
    for (unsigned char& one : visible) one = random.uniform() < share;
    return AttentionMask::boolean(sizes, std::move(visible));
}

/// The worst relativeError over output, context and all gradients.
template <typename Scalar>
double difference(const Computed<Scalar>& a, const Computed<double>& expected) {
    const auto wide = [](const Matrix<Scalar>& m) { return Matrix<double>(m.template cast<double>()); };
    double worst = std::max(relativeError(wide(a.attn_out), expected.attn_out),
                            relativeError(wide(a.context), expected.context));
    std::vector<const Matrix<double>*> grads;
    Block<double> other = expected.grad;
    other.forEach([&](const char*, Matrix<double>& m) { grads.push_back(&m); });
    std::size_t i = 0;
    Block<Scalar> own = a.grad;
    // As a share of the largest gradient of all: a tensor whose gradients cancel is rounding and nothing
    // else.
    double largest = 0;
    for (const auto* m : grads)
        if (m->size() > 0) largest = std::max(largest, m->cwiseAbs().maxCoeff());
    own.forEach([&](const char*, Matrix<Scalar>& m) {
        const Matrix<double> d = wide(m) - *grads[i++];
        if (d.size() == 0) return;
        if (!d.allFinite()) worst = INFINITY;
        worst = std::max(worst, d.cwiseAbs().maxCoeff() / std::max(largest, 1e-300));
    });
    return worst;
}

}  // namespace headscope::test
