#pragma once

#include <QLabel>

namespace headscope {

/// A line of plain text whose digits all have one width, so that a running number does not jitter. (Qt 6.4
/// cannot ask a font for its tabular figures.)
class FigureLabel : public QLabel {
    Q_OBJECT
public:
    explicit FigureLabel(QWidget* parent = nullptr);
    explicit FigureLabel(const QString& text, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int widthOf(QChar c) const;
};

}  // namespace headscope
