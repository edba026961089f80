#include "engine/attention/head_mode.h"

#include <string>

#include "engine/numeric/refusal.h"

namespace headscope {

void requireHeadModes(const std::vector<HeadMode>& modes, int n_heads) {
    if (modes.size() != static_cast<std::size_t>(n_heads))
        throw Refusal("%1 head modes for %2 heads", {std::to_string(modes.size()), std::to_string(n_heads)});
}

}  // namespace headscope
