#include "ui/theme.h"

namespace headscope {

Theme Theme::light() {
    Theme t;
    t.ground = 0xf6f7f9;
    t.card = 0xffffff;
    t.border = 0xe3e6ea;
    t.text = 0x1b2230;
    t.mutedText = 0x626b7a;
    t.accent = 0x3b5bdb;
    t.accentText = 0xffffff;
    t.accentSoft = 0xeaeefd;
    t.gridLine = 0xeff1f3;
    t.hatch = 0xdadde2;
    t.warning = 0xc2410c;
    t.good = 0x2b8a3e;
    t.ghost = 0xb6b9cb;
    t.heads = {0x3b5bdb, 0xd9480f, 0x2b8a3e, 0xae3ec9, 0x0b7285, 0xa61e4d, 0x846200, 0x495057};
    return t;
}

Theme Theme::darkTheme() {
    Theme t;
    t.dark = true;
    t.ground = 0x15181e;
    t.card = 0x1d2129;
    t.border = 0x2c323d;
    t.text = 0xe8eaef;
    t.mutedText = 0x9aa3b2;
    t.accent = 0x7c93ff;
    t.accentText = 0x10131a;
    t.accentSoft = 0x262f4d;
    t.gridLine = 0x242933;
    t.hatch = 0x333a46;
    t.warning = 0xff922b;
    t.good = 0x51cf66;
    t.ghost = 0x5c6370;
    t.heads = {0x7c93ff, 0xff922b, 0x69db7c, 0xda77f2, 0x3bc9db, 0xff8fab, 0xffd43b, 0xced4da};
    return t;
}

Theme Theme::projector() {
    Theme t = light();
    t.ground = 0xfffffe;  // as white as can be told from a system's own white
    t.border = 0x9aa1ab;
    t.text = Qt::black;
    t.mutedText = 0x2f3540;
    t.accent = 0x1534b4;
    t.gridLine = 0xd0d4da;
    t.hatch = 0xb9bfc8;
    t.warning = 0xa02800;
    t.good = 0x12671f;
    t.ghost = 0x7a7f90;
    t.heads = {0x1534b4, 0xb03000, 0x12671f, 0x86169f, 0x06525f, 0x8b0f3a, 0x614700, 0x343a40};
    return t;
}

Theme Theme::of(const QPalette& palette) {
    const QColor window = palette.color(QPalette::Window);
    if (window == projector().ground) return projector();
    return window.lightness() < 128 ? darkTheme() : light();
}

QPalette Theme::palette() const {
    QPalette p(card, ground);
    p.setColor(QPalette::Window, ground);
    p.setColor(QPalette::Base, card);
    p.setColor(QPalette::AlternateBase, ground);
    p.setColor(QPalette::Button, card);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(role, text);
    p.setColor(QPalette::PlaceholderText, mutedText);
    p.setColor(QPalette::Mid, border);
    p.setColor(QPalette::Highlight, accent);
    p.setColor(QPalette::HighlightedText, accentText);
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::ToolTipBase, dark ? text : 0x1f2733);
    p.setColor(QPalette::ToolTipText, dark ? ground : QColor(Qt::white));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, ghost);
    return p;
}

QPalette paletteOf(ThemeChoice choice) {
    switch (choice) {
        case ThemeChoice::Light:
            return Theme::light().palette();
        case ThemeChoice::Dark:
            return Theme::darkTheme().palette();
        case ThemeChoice::System:
            break;
    }
    return {};
}

}  // namespace headscope
