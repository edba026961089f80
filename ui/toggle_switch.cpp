#include "ui/toggle_switch.h"

#include <QPainter>

#include "ui/theme.h"

namespace headscope {
namespace {

constexpr int kWidth = 40;
constexpr int kHeight = 22;
constexpr int kRing = 2;  // room for the focus ring

}  // namespace

ToggleSwitch::ToggleSwitch(QWidget* parent) : QCheckBox(parent) {
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    m_slide.setDuration(120);
    m_slide.setStartValue(0.0);
    m_slide.setEndValue(1.0);
    m_slide.setEasingCurve(QEasingCurve::InOutQuad);
    connect(&m_slide, &QVariantAnimation::valueChanged, this, qOverload<>(&QWidget::update));
    connect(this, &QCheckBox::toggled, this, [this](bool on) {
        m_slide.setDirection(on ? QAbstractAnimation::Forward : QAbstractAnimation::Backward);
        if (isVisible())
            m_slide.start();
        else
            m_slide.setCurrentTime(on ? m_slide.duration() : 0);
    });
}

QSize ToggleSwitch::sizeHint() const { return {kWidth + 2 * kRing, kHeight + 2 * kRing}; }

void ToggleSwitch::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF track = QRectF(rect()).adjusted(kRing, kRing, -kRing, -kRing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(isChecked() ? theme.accent : theme.ghost);
    painter.drawRoundedRect(track, track.height() / 2, track.height() / 2);

    const qreal radius = track.height() / 2 - 3;
    const qreal travel = track.width() - track.height();
    const QPointF knob(track.left() + track.height() / 2 + travel * m_slide.currentValue().toDouble(),
                       track.center().y());
    painter.setBrush(Qt::white);
    painter.drawEllipse(knob, radius, radius);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.text, 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), height() / 2.0,
                                height() / 2.0);
    }
}

}  // namespace headscope
