#include "ui/plot_widget.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <qcustomplot.h>

#include "ui/theme.h"

namespace headscope {
namespace {

constexpr int kFocusRing = 2;

}  // namespace

PlotWidget::PlotWidget(QWidget* parent) : DescribedWidget(parent) { setFocusPolicy(Qt::StrongFocus); }

bool PlotWidget::event(QEvent* event) {
    switch (event->type()) {
        case QEvent::ShortcutOverride:
            switch (static_cast<QKeyEvent*>(event)->key()) {
                case Qt::Key_Left:
                case Qt::Key_Right:
                    event->accept();
                    return true;
                default:
                    break;
            }
            break;
        case QEvent::Show:
        case QEvent::ScreenChangeInternal:
            if (m_filling->bufferDevicePixelRatio() != devicePixelRatioF()) {
                m_filling->setBufferDevicePixelRatio(devicePixelRatioF());
                m_filling->replot(QCustomPlot::rpQueuedReplot);
            }
            break;
        default:
            break;
    }
    return DescribedWidget::event(event);
}

void PlotWidget::resizeEvent(QResizeEvent*) {
    m_filling->setGeometry(rect().adjusted(kFocusRing, kFocusRing, -kFocusRing, -kFocusRing));
}

void PlotWidget::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.card);
    if (!hasFocus()) return;
    painter.setPen(QPen(theme.accent, kFocusRing));
    painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

}  // namespace headscope
