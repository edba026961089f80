#include "ui/card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/figure_label.h"
#include "ui/theme.h"

namespace headscope {
namespace {

constexpr int kArrow = 8;
constexpr int kGap = 6;

}  // namespace

CardTitle::CardTitle(const QString& title, QWidget* parent) : QAbstractButton(parent) {
    setText(title);
    setCheckable(true);
    setChecked(true);
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    setCursor(Qt::PointingHandCursor);
    setToolTip(tr("Folds the card away and opens it again"));
}

QFont CardTitle::titleFont() const {
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    return bold;
}

QSize CardTitle::sizeHint() const {
    const QFontMetrics metrics(titleFont());
    return {metrics.horizontalAdvance(text()) + kGap + kArrow + 2, metrics.height()};
}

void CardTitle::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(titleFont());
    painter.setPen(theme.text);
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, text());

    const bool marked = hasFocus() || underMouse();
    painter.setPen(
        QPen(marked ? theme.accent : theme.mutedText, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.translate(width() - kArrow / 2.0 - 1, height() / 2.0 + 0.5);
    if (!isChecked()) painter.rotate(-90);
    painter.drawPolyline(QPolygonF({{-3, -1.5}, {0, 1.5}, {3, -1.5}}));
}

Card::Card(const QString& title, Folding folding, QWidget* parent)
    : QFrame(parent),
      m_header(new QHBoxLayout),
      m_note(new FigureLabel),
      m_content(new QWidget),
      m_body(new QVBoxLayout(m_content)) {
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(16, 10, 16, 12);
    all->setSpacing(6);
    all->addLayout(m_header);
    all->addWidget(m_content, 1);
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(8);
    m_header->setSpacing(8);
    if (folding == Folding::Folds) {
        auto* button = new CardTitle(title);
        connect(button, &CardTitle::toggled, m_content, &QWidget::setVisible);
        m_header->addWidget(button);
    } else {
        m_header->addWidget(makeLabel(title, "title"));
    }
    m_note->setProperty("role", "muted");
    m_note->setObjectName(QStringLiteral("cardNote"));
    m_header->addStretch(1);
    m_header->addWidget(m_note);
    m_note->hide();
}

void Card::setNote(const QString& note) {
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
}

void Card::addToHeader(QWidget* control) { m_header->addWidget(control); }

QLabel* makeLabel(const QString& text, const char* role, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setProperty("role", QLatin1String(role));
    return label;
}

}  // namespace headscope
