#pragma once

#include "engine/model/parameters.h"
#include "engine/numeric/random.h"

namespace headscope {

/// PyTorch's defaults: embeddings N(0, std), the weights and biases of linear layers U(−1/√in, 1/√in). Draws
/// in the order of Parameters::forEach, so that a seed means the same parameters everywhere.
template <typename Scalar>
void initialize(Parameters<Scalar>& parameters, double token_std, double position_std, Random& random);

}  // namespace headscope
