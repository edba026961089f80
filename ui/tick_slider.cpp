#include "ui/tick_slider.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>
#include <QPainter>

#include "ui/theme.h"

namespace headscope {
namespace {

constexpr int kRadius = 8;    // of the handle
constexpr int kInset = 10;    // from the edge to the first place: the handle and its focus ring
constexpr int kGroove = 4;    // thickness
constexpr int kTickTop = 20;  // below the widget's top
constexpr int kTickHeight = 4;
constexpr int kLabelGap = 6;  // at least, between two labels

QFont labelFont(QFont font) {
    font.setPixelSize(std::max(10, QFontInfo(font).pixelSize() - 2));
    return font;
}

}  // namespace

TickSlider::TickSlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TickSlider::setLabels(const QStringList& labels) {
    m_labels = labels;
    setRange(0, std::max(0, int(labels.size()) - 1));
    setPageStep(1);
    updateGeometry();
    update();
}

QPoint TickSlider::placeOf(int value) const {
    const int span = std::max(1, maximum() - minimum());
    const double share = double(value - minimum()) / span;
    return {kInset + int(std::lround(share * (width() - 2 * kInset))), kInset};
}

int TickSlider::valueAt(int x) const {
    const double share = double(x - kInset) / std::max(1, width() - 2 * kInset);
    return minimum() + int(std::lround(std::clamp(share, 0.0, 1.0) * (maximum() - minimum())));
}

QSize TickSlider::sizeHint() const {
    const int labels = m_labels.isEmpty() ? 0 : kTickHeight + QFontMetrics(labelFont(font())).height() + 2;
    return {160, 2 * kInset + labels};
}

QSize TickSlider::minimumSizeHint() const { return {88, sizeHint().height()}; }

void TickSlider::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    const QColor live = isEnabled() ? theme.accent : theme.ghost;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_labels.isEmpty()) paintLabels(painter);

    const QPointF handle = placeOf(sliderPosition());
    const QRectF groove(kInset, kInset - kGroove / 2.0, width() - 2 * kInset, kGroove);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.border);
    painter.drawRoundedRect(groove, kGroove / 2.0, kGroove / 2.0);
    painter.setBrush(live);
    painter.drawRoundedRect(QRectF(groove.topLeft(), QPointF(handle.x(), groove.bottom())), kGroove / 2.0,
                            kGroove / 2.0);

    painter.setPen(QPen(live, 2));
    painter.setBrush(theme.card);
    painter.drawEllipse(handle, kRadius - 1, kRadius - 1);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accentSoft, 2));
        painter.drawEllipse(handle, kRadius + 1, kRadius + 1);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.accent);
        painter.drawEllipse(handle, 3, 3);
    }
}

void TickSlider::paintLabels(QPainter& painter) const {
    const Theme theme = Theme::of(palette());
    painter.setFont(labelFont(font()));
    const QFontMetrics metrics = painter.fontMetrics();
    const int last = int(m_labels.size()) - 1;
    const auto box = [&](int i) {
        const int w = metrics.horizontalAdvance(m_labels[i]);
        const int x = std::clamp(placeOf(i).x() - w / 2, 0, std::max(0, width() - w));
        return QRect(x, kTickTop + kTickHeight + 2, w, metrics.height());
    };
    std::vector<QRect> taken;
    const auto draw = [&](int i) {
        const QRect mine = box(i);
        const QRect room = mine.adjusted(-kLabelGap, 0, kLabelGap, 0);
        if (std::any_of(taken.begin(), taken.end(), [&](const QRect& r) { return r.intersects(room); }))
            return;
        taken.push_back(mine);
        const bool current = i == sliderPosition();
        painter.setPen(current ? theme.text : theme.mutedText);
        painter.drawText(mine, Qt::AlignCenter, m_labels[i]);
    };
    draw(sliderPosition());
    draw(0);
    draw(last);
    for (int i = 1; i < last; ++i) draw(i);

    painter.setPen(QPen(theme.mutedText, 1));
    for (int i = 0; i <= last; ++i) {
        const qreal x = placeOf(i).x() + 0.5;
        painter.drawLine(QPointF(x, kTickTop), QPointF(x, kTickTop + kTickHeight));
    }
}

void TickSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    setSliderDown(true);
    setSliderPosition(valueAt(event->position().toPoint().x()));
    update();
}

void TickSlider::mouseMoveEvent(QMouseEvent* event) {
    if (!isSliderDown()) return event->ignore();
    setSliderPosition(valueAt(event->position().toPoint().x()));
    update();
}

void TickSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (!isSliderDown() || event->button() != Qt::LeftButton) return event->ignore();
    setSliderDown(false);
    emit chosen(value());
}

void TickSlider::keyPressEvent(QKeyEvent* event) {
    const int before = value();
    QSlider::keyPressEvent(event);
    if (value() != before) emit chosen(value());
}

void TickSlider::wheelEvent(QWheelEvent* event) {
    if (!hasFocus()) return event->ignore();
    const int before = value();
    QSlider::wheelEvent(event);
    if (value() != before) emit chosen(value());
}

}  // namespace headscope
