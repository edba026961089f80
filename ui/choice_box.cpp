#include "ui/choice_box.h"

#include <algorithm>

#include <QAbstractItemView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QWheelEvent>

#include "ui/theme.h"

namespace headscope {
namespace {

constexpr int kPadding = 8;
constexpr int kArrowRoom = 17;

}  // namespace

ChoiceBox::ChoiceBox(QWidget* parent) : QComboBox(parent) {
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setItemDelegate(new QStyledItemDelegate(this));  // the one of combo boxes ignores the style sheet
}

QSize ChoiceBox::sizeHint() const {
    int widest = 0;
    for (int i = 0; i < count(); ++i) widest = std::max(widest, fontMetrics().horizontalAdvance(itemText(i)));
    return {widest + kPadding + kArrowRoom + 2, fontMetrics().height() + 12};
}

QSize ChoiceBox::minimumSizeHint() const { return {80, sizeHint().height()}; }

void ChoiceBox::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool active = hasFocus() || view()->isVisible();
    painter.setPen(active ? theme.accent : underMouse() ? theme.ghost : theme.border);
    painter.setBrush(theme.card);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);

    const QRect room = rect().adjusted(kPadding, 0, -kArrowRoom, 0);
    const bool chosen = currentIndex() >= 0;
    painter.setPen(chosen && isEnabled() ? theme.text : theme.mutedText);
    painter.drawText(
        room, Qt::AlignVCenter | Qt::AlignLeft,
        fontMetrics().elidedText(chosen ? currentText() : placeholderText(), Qt::ElideRight, room.width()));

    painter.setPen(QPen(theme.mutedText, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.translate(width() - 10, height() / 2.0 + 0.5);
    painter.drawPolyline(QPolygonF({{-3.5, -2}, {0, 1.5}, {3.5, -2}}));
}

void ChoiceBox::showPopup() {
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + 2 * kPadding);  // all words, in a narrow box too
    QComboBox::showPopup();
}

void ChoiceBox::wheelEvent(QWheelEvent* event) { event->ignore(); }

}  // namespace headscope
