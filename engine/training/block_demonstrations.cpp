#include "engine/training/block_demonstrations.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/attention/multi_head_attention.h"
#include "engine/inspection/separate_projections.h"
#include "engine/model/initialization.h"

namespace headscope {
namespace {

using Block = MultiHeadAttention<float>;

/// What goes into a block and, backwards, into its output.
struct Inputs {
    Inputs(const Experiment& experiment, Index rows)
        : parameters(experiment.model),
          x(rows, experiment.model.d_model),
          grad_attn_out(rows, experiment.model.d_model) {
        assert(problems(experiment).empty());
        Random random(experiment.seed, RandomStream::Initialization);
        initialize(parameters, experiment.token_std, experiment.position_std, random);
        for (Matrix<float>* matrix : {&x, &grad_attn_out})
            for (float& value : matrix->reshaped()) value = static_cast<float>(random.normal());
    }

    Parameters<float> parameters;
    Matrix<float> x, grad_attn_out;
};

/// What comes out backwards.
struct Gradients {
    explicit Gradients(const Experiment& experiment, Index rows)
        : parameters(experiment.model), x(rows, experiment.model.d_model) {}

    Parameters<float> parameters;
    Matrix<float> x;
};

Block makeBlock(const Experiment& experiment, Index batch_rows, const AttentionMask& mask) {
    const ModelConfig& model = experiment.model;
    AttentionOptions options;
    options.scale_scores = model.scale_scores;
    options.rotary = model.positions == Positions::Rotary;
    options.mask = mask;
    return Block({batch_rows, model.context_length, model.d_model, model.n_heads}, options);
}

template <typename A, typename B>
Difference differenceOf(const A& a, const B& b) {
    return {double((a - b).cwiseAbs().maxCoeff()), double(a.cwiseAbs().maxCoeff())};
}

}  // namespace

ProjectionComparison compareProjections(const Experiment& experiment) {
    const Index rows = Index{experiment.batch_size} * experiment.model.context_length;
    Inputs in(experiment, rows);
    const Block::Parameters tensors = std::as_const(in.parameters).attn();

    Block fused = makeBlock(experiment, experiment.batch_size, AttentionMask::causal());
    Gradients of_fused(experiment, rows);
    fused.forward(tensors, in.x);
    fused.backward(tensors, in.x, in.grad_attn_out, of_fused.parameters.attn(), of_fused.x);

    Block separate = makeBlock(experiment, experiment.batch_size, AttentionMask::causal());
    Gradients of_separate(experiment, rows);
    projectSeparately(tensors, in.x, separate.qkv());
    separate.forwardProjected(tensors);
    const Matrix<float>& grad_qkv =
        separate.backwardProjected(tensors, in.grad_attn_out, of_separate.parameters.attn());
    projectSeparatelyBackward(tensors, in.x, grad_qkv, of_separate.parameters.attn(), of_separate.x);

    const auto a = of_fused.parameters.attn(), b = of_separate.parameters.attn();
    return {differenceOf(fused.attn_out(), separate.attn_out()),
            differenceOf(a.qkv_proj_weight, b.qkv_proj_weight),
            differenceOf(a.qkv_proj_bias, b.qkv_proj_bias), differenceOf(of_fused.x, of_separate.x)};
}

MaskedRows maskedRows(const Experiment& experiment, int padding) {
    const int length = experiment.model.context_length;
    assert(padding >= 0 && padding <= length);
    Inputs in(experiment, length);
    const Block::Parameters tensors = std::as_const(in.parameters).attn();
    std::vector<unsigned char> visible(static_cast<std::size_t>(length), 1);
    std::fill_n(visible.begin(), padding, 0);

    Block block =
        makeBlock(experiment, 1, AttentionMask::causal() & AttentionMask::keyPadding(1, length, visible));
    const Matrix<float>& attn_out = block.forward(tensors, in.x);
    Gradients gradients(experiment, length);
    block.backward(tensors, in.x, in.grad_attn_out, gradients.parameters.attn(), gradients.x);

    const Matrix<float>& weights = block.weights();
    MaskedRows found{.n_heads = experiment.model.n_heads,
                     .length = length,
                     .padding = padding,
                     .weights = {weights.data(), weights.data() + weights.size()}};
    if (padding > 0)
        found.bias_difference = double(
            (attn_out.topRows(padding).rowwise() - tensors.out_proj_bias.row(0)).cwiseAbs().maxCoeff());
    const auto grads = gradients.parameters.attn();
    found.finite = attn_out.allFinite() && gradients.x.allFinite() && grads.qkv_proj_weight.allFinite() &&
                   grads.qkv_proj_bias.allFinite() && grads.out_proj_weight.allFinite() &&
                   grads.out_proj_bias.allFinite();
    return found;
}

}  // namespace headscope
