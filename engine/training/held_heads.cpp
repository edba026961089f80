#include "engine/training/held_heads.h"

#include <algorithm>

namespace headscope {

void HeldHeads::hold(const std::vector<HeadMode>& modes, const Parameters<float>& parameters) {
    m_modes = modes;
    const auto trained = [](HeadMode mode) { return mode == HeadMode::Trained; };
    if (std::ranges::all_of(modes, trained))
        m_kept.reset();
    else
        m_kept = parameters;
}

void HeldHeads::restore(Parameters<float>& parameters) const {
    if (!m_kept) return;
    const auto kept = m_kept->attn();
    auto attn = parameters.attn();
    const Index D = kept.out_proj_weight.cols(), d_head = D / static_cast<Index>(m_modes.size());
    for (std::size_t h = 0; h < m_modes.size(); ++h) {
        const HeadMode mode = m_modes[h];
        if (mode == HeadMode::Trained) continue;
        const Index first = static_cast<Index>(h) * d_head;
        const Index parts = mode == HeadMode::Uniform ? 2 : 3;  // Q, K and V
        for (Index row = first; row < parts * D; row += D) {
            attn.qkv_proj_weight.middleRows(row, d_head) = kept.qkv_proj_weight.middleRows(row, d_head);
            attn.qkv_proj_bias.middleCols(row, d_head) = kept.qkv_proj_bias.middleCols(row, d_head);
        }
        if (parts == 3)
            attn.out_proj_weight.middleCols(first, d_head) = kept.out_proj_weight.middleCols(first, d_head);
    }
}

}  // namespace headscope
