#pragma once

#include <array>

#include "engine/training/named.h"
#include "ui/colormap.h"
#include "ui/theme.h"

namespace headscope {

// What choices of the window are called in files.

inline constexpr std::array kThemeNames = {
    Named<ThemeChoice>{ThemeChoice::System, "system"},
    Named<ThemeChoice>{ThemeChoice::Light, "light"},
    Named<ThemeChoice>{ThemeChoice::Dark, "dark"},
};

inline constexpr std::array kColormapNames = {
    Named<Colormap>{Colormap::Viridis, "viridis"},
    Named<Colormap>{Colormap::Cividis, "cividis"},
    Named<Colormap>{Colormap::Magma, "magma"},
    Named<Colormap>{Colormap::Grays, "grays"},
};

}  // namespace headscope
