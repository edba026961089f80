#include "ui/token_strip.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/theme.h"

namespace headscope {
namespace {

constexpr int kLines = 3;  // token, answer, probability
constexpr double kWidest = 72;

}  // namespace

TokenStrip::TokenStrip(QWidget* parent) : DescribedWidget(parent) {
    setAccessibleName(tr("Probe tokens and what is predicted after each"));
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TokenStrip::showSnapshot(std::shared_ptr<const Snapshot> snapshot) {
    m_snapshot = std::move(snapshot);
    m_position = std::clamp(m_position, 0, std::max(0, length() - 1));
    update();
    announce();
}

int TokenStrip::length() const { return m_snapshot ? static_cast<int>(m_snapshot->tokens.size()) : 0; }

void TokenStrip::setPosition(int position) {
    m_position = position;
    update();
    announce();
}

std::vector<int> TokenStrip::lit() const {
    std::vector<int> positions;
    if (m_snapshot)
        for (int t = 0; const float change : m_snapshot->ripple) {
            if (change > 0) positions.push_back(t);
            ++t;
        }
    return positions;
}

QRectF TokenStrip::cellRect(int position) const {
    if (length() == 0) return {};
    const double pitch = std::min(kWidest, static_cast<double>(width() - 4) / length());
    return {2 + position * pitch, 2, pitch, static_cast<double>(height() - 4)};
}

QString TokenStrip::positionText(int position) const {
    const auto t = static_cast<std::size_t>(position);
    QStringList parts{tr("position %1: token %2").arg(position).arg(m_snapshot->tokens[t])};
    if (t < m_snapshot->predicted.size())
        parts << tr("answer %1 with probability %2")
                     .arg(m_snapshot->predicted[t])
                     .arg(double(m_snapshot->predicted_probability[t]), 0, 'f', 3);
    if (t < m_snapshot->ripple.size())
        parts << tr("logits changed by up to %1").arg(double(m_snapshot->ripple[t]), 0, 'g', 3);
    return parts.join(QStringLiteral(", "));
}

QString TokenStrip::description() const {
    if (!length()) return tr("No probe yet.");
    QStringList lines;
    for (int t = 0; t < length(); ++t) lines << positionText(t);
    return lines.join(QLatin1Char('\n'));
}

QSize TokenStrip::sizeHint() const { return {400, kLines * (fontMetrics().height() + 4) + 8}; }
QSize TokenStrip::minimumSizeHint() const { return {120, sizeHint().height()}; }

void TokenStrip::paintEvent(QPaintEvent*) {
    if (!length()) return;
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto& ripple = m_snapshot->ripple;
    const float largest = ripple.empty() ? 0 : *std::max_element(ripple.begin(), ripple.end());
    for (int t = 0; t < length(); ++t) {
        const auto i = static_cast<std::size_t>(t);
        const QRectF cell = cellRect(t).adjusted(1, 1, -1, -1);
        QColor ground = theme.accentSoft;
        if (i < ripple.size() && ripple[i] > 0 && std::isfinite(largest)) {
            ground = theme.warning;
            ground.setAlphaF(0.15f + 0.45f * ripple[i] / largest);
        }
        const bool changed = m_snapshot->probe.ripple && m_snapshot->probe.ripple->position == t;
        painter.setPen(changed ? QPen(theme.warning, 2) : QPen(Qt::NoPen));
        painter.setBrush(ground);
        painter.drawRoundedRect(cell, 4, 4);
        if (hasFocus() && t == m_position) {
            painter.setPen(QPen(theme.accent, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(cell.adjusted(-1, -1, 1, 1), 5, 5);
        }
        const int token = changed ? m_snapshot->probe.ripple->token : m_snapshot->tokens[i];
        QStringList lines{QString::number(token)};
        if (i < m_snapshot->predicted.size())
            lines << tr("→ %1").arg(m_snapshot->predicted[i])
                  << QString::number(double(m_snapshot->predicted_probability[i]), 'f', 2);
        const double height = cell.height() / kLines;
        for (int line = 0; line < lines.size(); ++line) {
            if (painter.fontMetrics().horizontalAdvance(lines[line]) > cell.width()) continue;
            painter.setPen(line == 2 ? theme.mutedText : theme.text);
            painter.drawText(QRectF(cell.left(), cell.top() + line * height, cell.width(), height),
                             Qt::AlignCenter, lines[line]);
        }
    }
}

bool TokenStrip::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Left || key == Qt::Key_Right) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QString text = toolTip();
        for (int t = 0; t < length(); ++t)
            if (cellRect(t).contains(help->pos())) text = positionText(t) + QLatin1Char('\n') + toolTip();
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return DescribedWidget::event(event);
}

void TokenStrip::choose(int position) {
    if (position < 0 || position >= length()) return;
    setPosition(position);
    emit positionChosen(position);
}

void TokenStrip::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    for (int t = 0; t < length(); ++t)
        if (cellRect(t).contains(event->position())) return choose(t);
}

void TokenStrip::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Left) return choose(m_position - 1);
    if (event->key() == Qt::Key_Right) return choose(m_position + 1);
    DescribedWidget::keyPressEvent(event);
}

void TokenStrip::focusInEvent(QFocusEvent*) { update(); }
void TokenStrip::focusOutEvent(QFocusEvent*) { update(); }

}  // namespace headscope
