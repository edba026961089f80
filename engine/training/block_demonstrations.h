#pragma once

#include <vector>

#include "engine/training/experiment.h"

namespace headscope {

// Facts about the attention block, measured on one of an experiment's shape with its initial parameters and
// standard normal inputs, all drawn from its seed. The experiment must be valid (assert). Each takes about as
// long as a training step. Blocks.

/// How far two ways of computing the same numbers are apart.
struct Difference {
    double largest = 0;  ///< largest absolute difference of two elements
    double size = 0;     ///< largest absolute value of an element
};

/// Q, K and V by three products with (D, D) matrices against one product with the (3D, D) matrix of their
/// rows: forward, and backward from the same gradient of attn_out.
struct ProjectionComparison {
    Difference attn_out;
    Difference grad_weight;  ///< (3D, D), against the three (D, D) gradients below each other
    Difference grad_bias;
    Difference grad_x;
};
ProjectionComparison compareProjections(const Experiment& experiment);

/// One sequence whose first `padding` tokens no query may see, under causal attention: the first `padding`
/// queries see nothing.
struct MaskedRows {
    int n_heads = 1, length = 1, padding = 0;
    std::vector<float> weights;  ///< (H, T, T); rows that see nothing are 0
    double bias_difference = 0;  ///< of such rows: |attn_out − out_proj's bias|, at most; 0 without such rows
    bool finite = false;         ///< every output and every gradient
};

/// `padding` 0 … T (assert).
MaskedRows maskedRows(const Experiment& experiment, int padding);

}  // namespace headscope
