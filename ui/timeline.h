#pragma once

#include <cstdint>
#include <optional>

#include "ui/described_widget.h"

namespace headscope {

class Replay;

/// The recorded run as a line from step 0 to the last planned: how far it has come, a tick at the end of each
/// epoch where there is room for them, diamonds where something happened to a head, and a handle at the step
/// shown. Press or drag to go to a step; the arrow keys go from frame to frame, Page Up and Down an epoch,
/// Home and End to the first and the last, Escape back to live.
class Timeline : public DescribedWidget {
    Q_OBJECT
public:
    /// The replay must outlive it.
    explicit Timeline(Replay& replay, QWidget* parent = nullptr);

    /// Where a step is, in widget coordinates.
    QPoint placeOf(std::int64_t step) const;
    /// What happened near a place: a line for each mark; empty where nothing did.
    QString marksAt(int x) const;

    QString description() const override;
    QSize sizeHint() const override { return {240, 20}; }
    QSize minimumSizeHint() const override { return {96, 20}; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    double xOf(double step) const;
    std::int64_t stepAt(double x) const;
    std::int64_t stepShown() const;

    Replay& m_replay;
};

}  // namespace headscope
