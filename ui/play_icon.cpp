#include "ui/play_icon.h"

#include <QPainter>
#include <QPixmap>

namespace headscope {

QIcon playOrPauseIcon(bool pause, const QColor& color, int gap) {
    constexpr int kDensity = 4;  // pixels for each, so that it is crisp on any screen
    QPixmap pixmap((kPlayIcon + gap) * kDensity, kPlayIcon * kDensity);
    pixmap.setDevicePixelRatio(kDensity);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    if (pause) {
        painter.drawRoundedRect(QRectF(1.5, 1, 3, 10), 1, 1);
        painter.drawRoundedRect(QRectF(7.5, 1, 3, 10), 1, 1);
    } else {
        painter.drawPolygon(QPolygonF({{1.5, 0.5}, {11.5, 6}, {1.5, 11.5}}));
    }
    return QIcon(pixmap);
}

}  // namespace headscope
