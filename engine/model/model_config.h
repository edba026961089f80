#pragma once

namespace headscope {

/// How the model knows where a token stands. Sinusoidal: "Attention Is All You Need", section 3.5.
enum class Positions { Sinusoidal, Learned, None };

/// What decides the shape and the arithmetic of the language model. Names as in PyTorch and the papers.
struct ModelConfig {
    int vocab_size = 64;      ///< V, at least 2
    int d_model = 32;         ///< D, at least 1; even with sinusoidal positions
    int n_heads = 4;          ///< H, divides D; d_head = D / H
    int context_length = 12;  ///< T, at least 1
    Positions positions = Positions::Sinusoidal;
    bool scale_scores = true;  ///< divide the scores by √d_head

    int d_head() const { return d_model / n_heads; }
    bool operator==(const ModelConfig&) const = default;
};

}  // namespace headscope
