#pragma once

#include <optional>
#include <vector>

#include "engine/attention/head_mode.h"
#include "engine/model/parameters.h"

namespace headscope {

/// Keeps the bits of what head modes hold still: an optimizer moves parameters on without a gradient too.
///
/// Of a head that is muted or frozen its rows of qkv_proj (weight and bias) and its columns of out_proj; of
/// one that attends uniformly its rows of Q and K.
class HeldHeads {
public:
    /// From now on these modes hold, with the parameters as they are. Allocates where a head is not trained.
    void hold(const std::vector<HeadMode>& modes, const Parameters<float>& parameters);

    /// Puts back what is held.
    void restore(Parameters<float>& parameters) const;

private:
    std::vector<HeadMode> m_modes;
    std::optional<Parameters<float>> m_kept;
};

}  // namespace headscope
