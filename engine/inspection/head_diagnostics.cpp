#include "engine/inspection/head_diagnostics.h"

namespace headscope {

HeadBadge badgeOf(const HeadDiagnostics& d) {
    if (!(d.uniform_entropy > 0)) return HeadBadge::None;
    const float share = d.row_entropy / d.uniform_entropy;
    if (d.score_std >= kSaturatedScoreStd && share <= kSaturatedEntropyShare) return HeadBadge::Saturated;
    if (share >= kUniformEntropyShare) return HeadBadge::Uniform;
    if (share <= kSharpEntropyShare) return HeadBadge::Sharp;
    return HeadBadge::None;
}

}  // namespace headscope
