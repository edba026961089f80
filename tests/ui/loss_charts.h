#pragma once

#include <QTest>
#include <qcustomplot.h>

#include "ui/loss_chart.h"

namespace headscope {

inline Experiment experiment(int heads = 4, int steps = 100) {
    Experiment e;
    e.model.n_heads = heads;
    e.steps = steps;
    return e;
}

inline std::vector<LossPoint> falling(int steps) {
    std::vector<LossPoint> points;
    for (int i = 0; i < steps; ++i) points.push_back({i, 4.0f / static_cast<float>(1 + i), 0.5f});
    return points;
}

inline QCustomPlot& plotOf(const LossChart& chart) { return *chart.findChild<QCustomPlot*>(); }

inline QVector<double> values(const QCPGraph& graph) {
    QVector<double> values;
    for (const QCPGraphData& point : *graph.data()) values << point.value;
    return values;
}

inline int pixelsOf(const QImage& image, const QColor& color) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == color.rgb();
    return count;
}

inline QImage painted(const LossChart& chart, const QSize& size, const Theme& theme) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(theme.card);
    QCPPainter painter(&image);
    chart.paint(painter, image.rect(), theme, chart.font());
    return image;
}

}  // namespace headscope
