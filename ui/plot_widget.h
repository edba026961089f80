#pragma once

#include "ui/described_widget.h"

class QCustomPlot;

namespace headscope {

/// A chart that QCustomPlot draws: it fills the widget inside a focus ring, is sharp on every screen, and
/// keeps the left and right keys for itself.
class PlotWidget : public DescribedWidget {
    Q_OBJECT
protected:
    explicit PlotWidget(QWidget* parent = nullptr);
    /// A child of the widget.
    void fillWith(QCustomPlot* plot) { m_filling = plot; }

    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QCustomPlot* m_filling = nullptr;
};

}  // namespace headscope
