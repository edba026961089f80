#pragma once

#include <qcustomplot.h>

namespace headscope {

/// Paints a plot that nothing else shows into `room`, without its background.
inline void paintPlot(QCustomPlot& plot, QCPPainter& painter, const QRect& room) {
    plot.setBackground(QBrush(Qt::NoBrush));
    plot.setBufferDevicePixelRatio(1);
    plot.setViewport(QRect(QPoint(), room.size()));
    plot.replot(QCustomPlot::rpImmediateRefresh);
    painter.save();
    painter.translate(room.topLeft());
    plot.toPainter(&painter, room.width(), room.height());
    painter.restore();
}

}  // namespace headscope
