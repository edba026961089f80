#pragma once

#include <vector>

namespace headscope {

/// What a head of a running model does. A head stays as it was in whatever a mode cuts off from the loss, so
/// that going back to Trained finds it so.
///
/// Trained: as every head begins. Muted: its context is 0, so that nothing of it reaches the output and no
/// gradient reaches it. Uniform: it attends equally to all it sees, as if its queries were 0; its values and
/// its share of out_proj go on learning. Frozen: it works, and its rows of qkv_proj (with their biases) and
/// its columns of out_proj keep their bits while the rest learns.
enum class HeadMode { Trained, Muted, Uniform, Frozen };

/// Throws Refusal unless there is a mode for each of n_heads heads.
void requireHeadModes(const std::vector<HeadMode>& modes, int n_heads);

}  // namespace headscope
