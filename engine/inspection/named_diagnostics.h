#pragma once

#include <array>

#include "engine/inspection/head_diagnostics.h"

namespace headscope {

/// Every member, under the name that files give it.
struct NamedDiagnostic {
    const char* name;
    float HeadDiagnostics::*value;
};
inline constexpr std::array kHeadDiagnostics = {
    NamedDiagnostic{"score_std", &HeadDiagnostics::score_std},
    NamedDiagnostic{"row_entropy", &HeadDiagnostics::row_entropy},
    NamedDiagnostic{"uniform_entropy", &HeadDiagnostics::uniform_entropy},
    NamedDiagnostic{"jacobian_trace", &HeadDiagnostics::jacobian_trace},
    NamedDiagnostic{"uniformity", &HeadDiagnostics::uniformity},
    NamedDiagnostic{"grad_norm_q", &HeadDiagnostics::grad_norm_q},
    NamedDiagnostic{"grad_norm_k", &HeadDiagnostics::grad_norm_k},
};
static_assert(sizeof(HeadDiagnostics) == kHeadDiagnostics.size() * sizeof(float), "each is listed");

}  // namespace headscope
