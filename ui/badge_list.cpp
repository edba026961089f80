#include "ui/badge_list.h"

#include <algorithm>

#include <QFontInfo>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/head_pen.h"
#include "ui/pill.h"

namespace headscope {
namespace {

constexpr int kSample = 24;  // length of a line's sample
constexpr int kGap = 6;

QFont smallFont(QFont font) {
    font.setPixelSize(std::max(10, QFontInfo(font).pixelSize() - 1));
    return font;
}

QFont pillFont(QFont font) {
    font.setPixelSize(std::max(10, QFontInfo(font).pixelSize() - 2));
    return font;
}

Pill pillOf(HeadBadge badge, const QString& text, const Theme& theme) {
    switch (badge) {
        case HeadBadge::Saturated:
            return Pill::tinted(text, theme.warning, theme);
        case HeadBadge::Sharp:
            return Pill::tinted(text, theme.good, theme);
        case HeadBadge::Uniform:
        case HeadBadge::None:
            break;
    }
    return Pill::quiet(text, theme);
}

QString longestBadge() {
    QString longest;
    for (const HeadBadge badge : {HeadBadge::Saturated, HeadBadge::Uniform, HeadBadge::Sharp})
        if (badgeText(badge).size() > longest.size()) longest = badgeText(badge);
    return longest;
}

}  // namespace

BadgeList::BadgeList(QWidget* parent) : DescribedWidget(parent) {
    setAccessibleName(tr("State of each head"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void BadgeList::show(const std::vector<HeadDiagnostics>& heads, Measure measure) {
    const bool as_many = heads.size() == m_heads.size();
    m_heads = heads;
    m_measure = measure;
    if (!as_many) updateGeometry();
    update();
    announce();
}

int BadgeList::rowHeight() const { return QFontMetrics(font()).height() + 4; }

int BadgeList::columns(int width) const {
    const QFontMetricsF metrics(smallFont(font()));
    double entry = pillWidth(pillFont(font()), QStringLiteral("000")) + kGap;
    if (count() <= kWritten)
        entry = kSample + metrics.horizontalAdvance(QStringLiteral("160.00")) + 2 * kGap +
                pillWidth(pillFont(font()), longestBadge());
    const int fit = std::max(1, static_cast<int>(width / entry));
    return count() <= 4 ? 1 : count() <= kWritten ? std::min(fit, 2) : fit;
}

QRectF BadgeList::entryRect(int head) const {
    const int across = columns(width());
    const int rows = (count() + across - 1) / across;
    // Few heads are read down a column, many along a row.
    const int column = count() <= kWritten ? head / rows : head % across;
    const int row = count() <= kWritten ? head % rows : head / across;
    const double entry = static_cast<double>(width()) / across;
    return {column * entry, static_cast<double>(row * rowHeight()), entry - kGap,
            static_cast<double>(rowHeight())};
}

QString BadgeList::entryText(int head) const {
    const HeadDiagnostics& diagnostics = m_heads[static_cast<std::size_t>(head)];
    return tr("Head %1 · %2 %3\n%4")
        .arg(head + 1)
        .arg(measureName(m_measure).toLower())
        .arg(shortNumber(double{valueOf(diagnostics, m_measure)}), badgeRule(badgeOf(diagnostics)));
}

QString BadgeList::description() const {
    QStringList lines;
    for (int head = 0; head < count(); ++head) {
        const HeadDiagnostics& diagnostics = m_heads[static_cast<std::size_t>(head)];
        const QString badge = badgeText(badgeOf(diagnostics));
        const QString value = shortNumber(double{valueOf(diagnostics, m_measure)});
        lines << (badge.isEmpty() ? tr("Head %1: %2.").arg(head + 1).arg(value)
                                  : tr("Head %1: %2, %3.").arg(head + 1).arg(value, badge));
    }
    return lines.join(QLatin1Char('\n'));
}

QSize BadgeList::sizeHint() const { return {240, heightForWidth(240)}; }
QSize BadgeList::minimumSizeHint() const { return {120, rowHeight()}; }

int BadgeList::heightForWidth(int width) const {
    const int across = columns(width);
    return std::max(1, (count() + across - 1) / across) * rowHeight();
}

bool BadgeList::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        for (int head = 0; head < count(); ++head) {
            if (!entryRect(head).contains(help->pos())) continue;
            QToolTip::showText(help->globalPos(), entryText(head), this, entryRect(head).toRect());
            return true;
        }
        QToolTip::hideText();
        event->ignore();
        return true;
    }
    return DescribedWidget::event(event);
}

void BadgeList::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    for (int head = 0; head < count(); ++head) {
        const HeadDiagnostics& diagnostics = m_heads[static_cast<std::size_t>(head)];
        const HeadBadge badge = badgeOf(diagnostics);
        QRectF room = entryRect(head);
        if (count() > kWritten) {
            painter.setFont(pillFont(font()));
            paintPill(painter, room, pillOf(badge, QString::number(head + 1), theme));
            continue;
        }
        painter.setPen(headPen(theme, head, 2));
        const double middle = room.center().y();
        painter.drawLine(QPointF(room.left(), middle), QPointF(room.left() + kSample, middle));
        room.setLeft(room.left() + kSample + kGap);
        painter.setFont(smallFont(font()));
        const QFontMetricsF metrics(painter.font());
        const bool tall = columns(width()) == 1;
        const QString name = tall ? tr("head %1").arg(head + 1) : QString::number(head + 1);
        painter.setPen(theme.mutedText);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, name);
        room.setLeft(
            room.left() +
            metrics.horizontalAdvance(tall ? tr("head %1").arg(QStringLiteral("00")) : QStringLiteral("00")) +
            kGap);
        painter.setPen(theme.text);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                         shortNumber(double{valueOf(diagnostics, m_measure)}));
        const QString word = badgeText(badge);
        if (word.isEmpty()) continue;
        painter.setFont(pillFont(font()));
        room.setLeft(room.right() - pillWidth(painter.font(), word));
        paintPill(painter, room, pillOf(badge, word, theme));
    }
}

}  // namespace headscope
