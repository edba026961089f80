#include "ui/figure_label.h"

#include <algorithm>

#include <QPainter>

namespace headscope {

FigureLabel::FigureLabel(QWidget* parent) : FigureLabel(QString(), parent) {}

FigureLabel::FigureLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
    setTextFormat(Qt::PlainText);
}

QSize FigureLabel::sizeHint() const {
    int width = 0;
    const QString figures = text();
    for (const QChar c : figures) width += widthOf(c);
    return {width, fontMetrics().height()};
}

QSize FigureLabel::minimumSizeHint() const { return sizeHint(); }

void FigureLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    int x = alignment() & Qt::AlignRight ? width() - sizeHint().width() : 0;
    const QFontMetrics metrics = fontMetrics();
    const int baseline = (height() - metrics.height()) / 2 + metrics.ascent();
    const QString figures = text();
    for (const QChar c : figures) {
        const int cell = widthOf(c);
        painter.drawText(x + (cell - metrics.horizontalAdvance(c)) / 2, baseline, QString(c));
        x += cell;
    }
}

int FigureLabel::widthOf(QChar c) const {
    const QFontMetrics metrics = fontMetrics();
    if (!c.isDigit()) return metrics.horizontalAdvance(c);
    int widest = 0;
    for (char digit = '0'; digit <= '9'; ++digit)
        widest = std::max(widest, metrics.horizontalAdvance(QLatin1Char(digit)));
    return widest;
}

}  // namespace headscope
