#pragma once

#include <optional>
#include <string>
#include <variant>

#include "engine/formats/safetensors.h"
#include "engine/model/parameters.h"
#include "engine/training/experiment.h"

namespace headscope {

/// The bytes of a safetensors file of a run's weights under the names of Parameters, F32, with the experiment
/// as JSON in the metadata's `experiment`.
std::string weightsFile(const Parameters<float>& parameters, const Experiment& experiment);

/// What tensors alone cannot tell. What is not said here is taken from the file's metadata: its `experiment`,
/// or `n_heads`, `scale_scores` and `positions` each by itself.
struct WeightsHints {
    std::optional<int> n_heads = {};
    std::optional<bool> scale_scores = {};    ///< true where neither says
    std::optional<Positions> positions = {};  ///< learned where there is a tensor of them
    /// Stands before the name of every tensor. Where it is not said: nothing, `init.`, `param.`, or else the
    /// only one.
    std::optional<std::string> prefix = {};
};

/// A whole language model.
struct ModelWeights {
    ModelConfig config;  ///< context_length: as many as there are learned positions, otherwise of no meaning
    Parameters<double> parameters;
};

/// An attention block by itself.
struct BlockWeights {
    int n_heads;
    bool scale_scores;
    bool rotary;
    Matrix<double> qkv_proj_weight;  ///< (3D, D)
    Matrix<double> qkv_proj_bias;    ///< (1, 3D)
    Matrix<double> out_proj_weight;  ///< (D, D)
    Matrix<double> out_proj_bias;    ///< (1, D)

    int d_model() const { return static_cast<int>(out_proj_weight.rows()); }
};

using ImportedWeights = std::variant<ModelWeights, BlockWeights>;

/// The model or the bare block that a file holds, in any floating-point type. A model has the tensors of
/// Parameters; a block `qkv_proj`, `qkv` or nn.MultiheadAttention's `in_proj_` and `out_proj`. Sizes are
/// those of the tensors; a bias that is not there is 0.
///
/// Throws Refusal, naming file and tensor, where a tensor is missing, has another shape than the others
/// require (both are named), is not of fractions or not finite, and where the number of heads or a model's
/// positions are said nowhere.
ImportedWeights weightsFrom(const Safetensors& file, const WeightsHints& hints = {});

/// What came of one sequence of T tokens.
struct Attended {
    std::size_t n_heads, length;  ///< H, T
    std::vector<double> weights;  ///< (H, T, T), after the softmax; 0 above the diagonal
    std::vector<double> outputs;  ///< of a model its logits (T, V), of a block its attn_out (T, D)
};

/// Throws Refusal for no token, one outside 0 … V−1, and more of them than there are learned positions or
/// than any context.
Attended attend(const ModelWeights& model, std::span<const int> tokens);

/// `x` (T, D), with T at least 1, causally. Throws Refusal for another width.
Attended attend(const BlockWeights& block, const Matrix<double>& x);

}  // namespace headscope
