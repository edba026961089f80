#pragma once

#include <QColor>
#include <QIcon>

namespace headscope {

/// Of an icon with the gap that is part of it: styles leave too little between icon and text.
inline constexpr int kPlayIcon = 12, kPlayIconGap = 4;

/// A triangle, or the two bars of a pause, with an empty `gap` at its right.
QIcon playOrPauseIcon(bool pause, const QColor& color, int gap = kPlayIconGap);

}  // namespace headscope
