#include "ui/pill.h"

#include <algorithm>

#include <QFontMetricsF>

#include "ui/theme.h"

namespace headscope {
namespace {

constexpr double kPadding = 0.6;  // at each end, in heights of a line

QColor mixed(const QColor& a, const QColor& b, double share_of_a) {
    const auto mix = [&](int of_a, int of_b) {
        return static_cast<int>(of_a * share_of_a + of_b * (1 - share_of_a));
    };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

}  // namespace

Pill Pill::accent(const QString& text, const Theme& theme) { return {text, theme.accent, theme.accentSoft}; }

Pill Pill::quiet(const QString& text, const Theme& theme) { return {text, theme.mutedText, theme.gridLine}; }

Pill Pill::tinted(const QString& text, const QColor& ink, const Theme& theme) {
    return {text, ink, mixed(ink, theme.card, theme.dark ? 0.2 : 0.1)};
}

double pillWidth(const QFont& font, const QString& text) {
    const QFontMetricsF metrics(font);
    return metrics.horizontalAdvance(text) + 2 * kPadding * metrics.height();
}

void paintPill(QPainter& painter, const QRectF& box, const Pill& pill) {
    const QFontMetricsF metrics(painter.font());
    const double height = std::min(box.height(), 1.2 * metrics.height());
    const QRectF ground(box.left(), box.center().y() - height / 2, pillWidth(painter.font(), pill.text),
                        height);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(pill.ground);
    painter.drawRoundedRect(ground, height / 2, height / 2);
    painter.setPen(pill.ink);
    painter.drawText(ground, Qt::AlignCenter | Qt::TextDontClip, pill.text);
    painter.restore();
}

}  // namespace headscope
