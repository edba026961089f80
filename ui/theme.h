#pragma once

#include <array>

#include <QColor>
#include <QPalette>

namespace headscope {

/// What the user has chosen of light and dark.
enum class ThemeChoice { System, Light, Dark };

/// The colors of everything that is drawn, on screen and in exports. QCustomPlot and the painters take them
/// from here; widgets get them through palette() and the style.
struct Theme {
    bool dark = false;
    QColor ground, card, border, text, mutedText;
    QColor accent, accentText, accentSoft;  ///< accentSoft lies under labels written in accent
    QColor gridLine, hatch, warning, good, ghost;
    std::array<QColor, 8> heads;  ///< one a head, by head index modulo 8; lines differ in pattern too

    static Theme light();
    static Theme darkTheme();
    /// Black on white, in strong colors that a weak projector does not wash out.
    static Theme projector();
    /// The theme that fits a palette: dark where its window color is, projector() where that is its white.
    static Theme of(const QPalette& palette);

    QPalette palette() const;
};

/// The application's palette for a choice; the system's is the one that resolves to nothing, and follows it.
QPalette paletteOf(ThemeChoice choice);

}  // namespace headscope
