#pragma once

class QWidget;

namespace headscope {

/// Makes a window smaller, and moves it, where its screen has no room for it and its title bar: one that
/// remembers a larger screen, say. One that is maximized or fills the screen stays as it is.
void keepInScreen(QWidget& window);

}  // namespace headscope
