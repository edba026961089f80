#pragma once

#include <QSlider>
#include <QStringList>

namespace headscope {

/// A horizontal slider with a quiet groove; with labels, it has one place for each and a tick above it.
/// The wheel moves it only while it has the focus, so that a scrolled column does not change a run.
class TickSlider : public QSlider {
    Q_OBJECT
public:
    explicit TickSlider(QWidget* parent = nullptr);

    /// One place per label, from 0; labels that would touch are left out, never the first, last or current.
    void setLabels(const QStringList& labels);
    const QStringList& labels() const { return m_labels; }

    /// Where the middle of the handle is when the slider stands at `value`, in widget coordinates.
    QPoint placeOf(int value) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// A person has settled on a value: the handle was let go, or a key or the wheel moved it.
    void chosen(int value);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    int valueAt(int x) const;
    void paintLabels(QPainter& painter) const;

    QStringList m_labels;
};

}  // namespace headscope
