#pragma once

#include <span>

#include <QColor>
#include <QImage>
#include <QPainter>
#include <QRectF>

#include "ui/colormap.h"
#include "ui/theme.h"

namespace headscope {

struct HeatmapStyle {
    Colormap colormap = Colormap::Viridis;
    QColor ground, hatch;  ///< masked cells: hatch lines on the ground, which may be transparent
    QColor invalid;        ///< cells whose value is no weight
    double line = 1;       ///< width of gaps and hatch lines
    /// Draw cells as rectangles, for SVG and PDF: every one of its own where they stand apart; where they
    /// touch, neighbors of one color together.
    bool vector = false;

    static HeatmapStyle of(const Theme& theme, Colormap colormap = Colormap::Viridis);
};

/// Attention: weights after the softmax, from 0 to the limit in the colors of the style. Scores: before it,
/// from −limit to limit in those of divergingTable().
enum class HeatmapKind { Attention, Scores };

/// One head's weights or scores: `weights` is (T, T) row-major, rows are queries and columns are keys. Where
/// they are causal, what lies above the diagonal is masked and never read.
struct HeatmapValues {
    std::span<const float> weights;
    int length = 0;  ///< T, at least 1
    HeatmapKind kind = HeatmapKind::Attention;
    float limit = 1;  ///< positive; what lies beyond has its color
    bool causal = true;

    /// How many keys a query sees.
    int seen(int query) const { return causal ? query + 1 : length; }
};

/// False for NaN, ±∞ and whatever else no softmax gives; such cells are drawn crossed, never in a color of
/// the map. Float rounding is forgiven.
inline bool isWeight(float value) { return value >= -1e-3f && value <= 1 + 1e-3f; }

/// Paints the cells into `rect`, row 0 on top and column 0 left, edges on device pixels and nothing smoothed.
/// Cells of at least 9 line widths stand apart by a gap of one. Where a device pixel holds several cells it
/// shows the largest weight, or the score farthest from 0, so that a stripe one cell wide stays visible; it
/// is masked only where all of them are.
void paintHeatmap(QPainter& painter, const QRectF& rect, const HeatmapValues& values,
                  const HeatmapStyle& style);

/// Draws an image pixel for pixel, its top left corner on the device pixel nearest to `top_left`, whatever
/// the painter's scale.
void drawUnscaled(QPainter& painter, const QPointF& top_left, const QImage& image);

/// The rectangle of one cell as paintHeatmap() draws it, for a device of that pixel ratio.
QRectF heatmapCell(const QRectF& rect, int length, int query, int key, double device_ratio);

}  // namespace headscope
