#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/numeric/refusal.h"

namespace headscope {

/// How the model knows where a token stands. Sinusoidal: "Attention Is All You Need", section 3.5. Rotary:
/// RoFormer (Su et al., 2021), equation 34, in the attention block.
enum class Positions { Sinusoidal, Learned, Rotary, None };

/// What decides the shape and the arithmetic of the language model. Names as in PyTorch and the papers.
struct ModelConfig {
    int vocab_size = 64;      ///< V, at least 2
    int d_model = 32;         ///< D, at least 1; even with sinusoidal positions
    int n_heads = 4;          ///< H, divides D; d_head = D / H, even with rotary positions
    int context_length = 12;  ///< T, at least 1
    Positions positions = Positions::Sinusoidal;
    bool scale_scores = true;  ///< divide the scores by √d_head

    int d_head() const { return d_model / n_heads; }
    bool operator==(const ModelConfig&) const = default;
};

/// One thing wrong with a configuration. `field` is the name of the member concerned.
struct Problem {
    std::string_view field;
    Refusal refusal;
};

/// All that is wrong with it, ranges first; empty when such a model can be built.
std::vector<Problem> problems(const ModelConfig& config);

/// Throws the first of problems(), if any.
void requireValid(const ModelConfig& config);

/// What a value outside low … high is refused with, or nothing. `field` as in Problem.
std::optional<Refusal> outOfRange(std::string_view field, int value, int low, int high);

}  // namespace headscope
