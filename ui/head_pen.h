#pragma once

#include <QPen>

#include "ui/theme.h"

namespace headscope {

/// The line of a head (from 0): neighbors differ in color and in pattern, and no two of the first 32 heads
/// have both in common.
inline QPen headPen(const Theme& theme, int head, double width) {
    constexpr std::array kPatterns = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    const int colors = static_cast<int>(theme.heads.size());
    const int pattern = (head + head / colors) % static_cast<int>(kPatterns.size());
    return {theme.heads[static_cast<std::size_t>(head % colors)], width,
            kPatterns[static_cast<std::size_t>(pattern)], Qt::FlatCap};
}

}  // namespace headscope
