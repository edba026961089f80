#include "ui/timeline.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/replay.h"
#include "ui/theme.h"

namespace headscope {
namespace {

constexpr int kRadius = 8;  // of the handle
constexpr int kInset = 10;  // from the edge to step 0: the handle and its focus ring
constexpr int kLeastEpochWidth = 12;
constexpr int kMarkReach = 5;

bool isArrow(int key) { return key >= Qt::Key_Left && key <= Qt::Key_Down; }

void paintDiamond(QPainter& painter, const QPointF& center) {
    painter.drawPolygon(QPolygonF(
        {center - QPointF(4, 0), center - QPointF(0, 6), center + QPointF(4, 0), center + QPointF(0, 6)}));
}

}  // namespace

Timeline::Timeline(Replay& replay, QWidget* parent) : DescribedWidget(parent), m_replay(replay) {
    setAccessibleName(tr("Timeline of the run"));
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const auto changed = [this] {
        update();
        announce();
    };
    connect(&replay, &Replay::grown, this, changed);
    connect(&replay, &Replay::moved, this, changed);
}

double Timeline::xOf(double step) const {
    const auto planned = static_cast<double>(m_replay.plannedSteps());
    return kInset + std::clamp(step / planned, 0.0, 1.0) * (width() - 2 * kInset);
}

QPoint Timeline::placeOf(std::int64_t step) const {
    return {static_cast<int>(std::lround(xOf(static_cast<double>(step)))), height() / 2};
}

std::int64_t Timeline::stepAt(double x) const {
    const double share = std::clamp((x - kInset) / std::max(1, width() - 2 * kInset), 0.0, 1.0);
    return std::llround(share * static_cast<double>(m_replay.plannedSteps()));
}

std::int64_t Timeline::stepShown() const {
    return m_replay.isLive() ? m_replay.stepsDone() : m_replay.shown().snapshot->steps_done;
}

QString Timeline::marksAt(int x) const {
    QStringList lines;
    for (const RunMark& mark : m_replay.marks())
        if (std::abs(xOf(static_cast<double>(mark.step)) - x) <= kMarkReach)
            lines << tr("step %1 · %2").arg(mark.step).arg(mark.text());
    constexpr int kMost = 12;
    if (lines.size() > kMost) {
        const auto more = lines.size() - kMost;
        lines = lines.mid(0, kMost);
        lines << tr("and %1 more").arg(more);
    }
    return lines.join(QLatin1Char('\n'));
}

QString Timeline::description() const {
    const QString place = m_replay.isLive() ? tr("Live at step %1 of %2.") : tr("Showing step %1 of %2.");
    QString text = place.arg(stepShown()).arg(m_replay.plannedSteps());
    for (const RunMark& mark : m_replay.marks())
        text += QLatin1Char(' ') + tr("Step %1: %2.").arg(mark.step).arg(mark.text());
    return text;
}

bool Timeline::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && isArrow(static_cast<QKeyEvent*>(event)->key())) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString marks = marksAt(help->pos().x());
        QToolTip::showText(help->globalPos(), marks.isEmpty() ? toolTip() : marks, this);
        return true;
    }
    return DescribedWidget::event(event);
}

void Timeline::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const double y = height() / 2.0;
    const double end = xOf(static_cast<double>(m_replay.stepsDone()));
    const QRectF groove(kInset, y - 2, width() - 2 * kInset, 4);
    painter.setBrush(theme.border);
    painter.drawRoundedRect(groove, 2, 2);
    painter.setBrush(m_replay.isLive() ? theme.accent : theme.ghost);
    painter.drawRoundedRect(QRectF(groove.topLeft(), QPointF(end, groove.bottom())), 2, 2);

    if (xOf(kStepsPerEpoch) - xOf(0) >= kLeastEpochWidth)
        for (int step = kStepsPerEpoch; step < m_replay.plannedSteps(); step += kStepsPerEpoch) {
            painter.setBrush(step <= m_replay.stepsDone() && m_replay.isLive() ? theme.accent : theme.ghost);
            painter.drawRect(QRectF(xOf(step) - 1, y - 5, 2, 10));
        }
    painter.setBrush(theme.warning);
    for (double last = -1; const RunMark& mark : m_replay.marks()) {
        const double x = xOf(static_cast<double>(mark.step));
        if (x - last < 1) continue;  // they would cover each other
        paintDiamond(painter, {x, y});
        last = x;
    }

    const QPointF handle(xOf(static_cast<double>(stepShown())), y);
    painter.setPen(QPen(theme.accent, 2));
    painter.setBrush(theme.card);
    painter.drawEllipse(handle, kRadius - 1, kRadius - 1);
    if (!hasFocus()) return;
    painter.setPen(QPen(theme.accentSoft, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(handle, kRadius + 1, kRadius + 1);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawEllipse(handle, 3, 3);
}

void Timeline::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    m_replay.goTo(stepAt(event->position().x()));
}

void Timeline::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) m_replay.goTo(stepAt(event->position().x()));
}

void Timeline::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Down:
            return m_replay.moveBy(-1);
        case Qt::Key_Right:
        case Qt::Key_Up:
            return m_replay.moveBy(+1);
        case Qt::Key_PageUp:
            return m_replay.goTo(stepShown() + kStepsPerEpoch);
        case Qt::Key_PageDown:
            return m_replay.goTo(stepShown() - kStepsPerEpoch);
        case Qt::Key_Home:
            return m_replay.goTo(0);
        case Qt::Key_End:
            return m_replay.goTo(m_replay.stepsDone());
        case Qt::Key_Escape:
            if (m_replay.isLive()) break;
            return m_replay.goLive();
        default:
            break;
    }
    DescribedWidget::keyPressEvent(event);
}

void Timeline::focusInEvent(QFocusEvent*) { update(); }
void Timeline::focusOutEvent(QFocusEvent*) { update(); }

void Timeline::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) update();
    DescribedWidget::changeEvent(event);
}

}  // namespace headscope
