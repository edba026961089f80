#include "ui/window_size.h"

#include <QScreen>
#include <QWidget>

namespace headscope {
namespace {

/// What a window manager puts around a window is known only once it is there: this holds the title bars of
/// the usual ones.
constexpr QMargins kFrame(8, 40, 8, 8);

}  // namespace

void keepInScreen(QWidget& window) {
    const QRect room = window.screen()->availableGeometry().marginsRemoved(kFrame);
    if (window.isMaximized() || window.isFullScreen()) return;
    window.resize(window.size().boundedTo(room.size()));
    // Only what hangs out is moved: where others stand is for the window manager to say.
    const QRect place = window.geometry();
    if (place.right() > room.right() || place.bottom() > room.bottom())
        window.move(window.screen()->availableGeometry().topLeft());
}

}  // namespace headscope
