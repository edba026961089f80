#pragma once

#include "engine/numeric/matrix.h"

namespace headscope {

/// The tensors of a multi-head attention block, or their gradients, where they lie. PyTorch's (out, in)
/// layout.
template <typename TensorView>
struct AttentionTensors {
    TensorView qkv_proj_weight;  ///< (3D, D): rows 0 … D−1 make Q, the next D make K, the last D make V
    TensorView qkv_proj_bias;    ///< (1, 3D)
    TensorView out_proj_weight;  ///< (D, D)
    TensorView out_proj_bias;    ///< (1, D)
};

}  // namespace headscope
