#include "ui/segmented_control.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPainter>

#include "ui/theme.h"

namespace headscope {
namespace {

class Segment : public QAbstractButton {
public:
    explicit Segment(const QString& word, QWidget* parent) : QAbstractButton(parent) {
        setText(word);
        setCheckable(true);
        setFocusPolicy(Qt::TabFocus);
        setAttribute(Qt::WA_Hover);
        setCursor(Qt::PointingHandCursor);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }

    QSize sizeHint() const override {
        const QFontMetrics metrics(strong());
        return {metrics.horizontalAdvance(text()) + 16, metrics.height() + 8};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme theme = Theme::of(palette());
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        if (isChecked()) {
            painter.setPen(hasFocus() ? theme.accent : theme.border);
            painter.setBrush(theme.card);
            painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
            painter.setFont(strong());
        }
        painter.setPen(isChecked() || underMouse() ? theme.text : theme.mutedText);
        painter.drawText(rect(), Qt::AlignCenter, text());
    }

private:
    QFont strong() const {
        QFont font = this->font();
        font.setWeight(QFont::DemiBold);
        return font;
    }
};

}  // namespace

SegmentedControl::SegmentedControl(const QStringList& words, QWidget* parent)
    : QWidget(parent), m_buttons(new QButtonGroup(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2, 2, 2, 2);
    row->setSpacing(0);
    for (const QString& word : words) {
        auto* segment = new Segment(word, this);
        m_buttons->addButton(segment, int(m_buttons->buttons().size()));
        row->addWidget(segment);
    }
    if (auto* first = m_buttons->button(0)) first->setChecked(true);
    connect(m_buttons, &QButtonGroup::idToggled, this, [this](int index, bool on) {
        if (on) emit currentChanged(index);
    });
}

int SegmentedControl::current() const { return m_buttons->checkedId(); }

void SegmentedControl::setCurrent(int index) { m_buttons->button(index)->setChecked(true); }

QAbstractButton* SegmentedControl::button(int index) const { return m_buttons->button(index); }

void SegmentedControl::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.gridLine);
    painter.drawRoundedRect(rect(), 7, 7);
}

}  // namespace headscope
