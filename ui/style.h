#pragma once

#include <QString>

class QApplication;

namespace headscope {

struct Theme;

/// The style sheet of all widgets, every color in it from the theme. Labels take their rank from the dynamic
/// property "role" (title, big, muted, error), buttons from "primary", fields their error from "invalid".
QString styleSheet(const Theme& theme);

/// Gives the application the project's look, light or dark as its palette is: before its first widget is
/// made, and again when the palette has changed. Does nothing where nothing has.
void applyStyle(QApplication& application);

}  // namespace headscope
