#pragma once

#include <array>

#include <QColor>
#include <QString>

namespace headscope {

/// Perceptually uniform ways to color a number between 0 and 1: equal steps look equally large, and the
/// lightness only rises, so that they survive gray printing. Cividis looks the same to color-blind eyes.
enum class Colormap { Viridis, Cividis, Magma, Grays };

inline constexpr std::array kColormaps = {Colormap::Viridis, Colormap::Cividis, Colormap::Magma,
                                          Colormap::Grays};

/// What it is offered as.
QString colormapName(Colormap map);

/// The 256 opaque colors from 0 (first) to 1 (last). Viridis and Magma: S. van der Walt and N. Smith, 2015;
/// Cividis: J. Nuñez, C. Anderton and R. Renslow, PLoS ONE 13(7), 2018; Grays: linear in CIE L*.
const std::array<QRgb, 256>& colorTable(Colormap map);

/// The same for numbers on both sides of 0, from −limit (first, blue) over 0 (white) to limit (last, red).
/// RdBu: C. Brewer, ColorBrewer 2.0, 2002; red and blue differ to color-blind eyes too.
const std::array<QRgb, 256>& divergingTable();

/// The color of a value in 0 … 1.
inline QRgb colorOf(Colormap map, float value) {
    return colorTable(map)[static_cast<int>(value * 255 + 0.5f)];
}

}  // namespace headscope
