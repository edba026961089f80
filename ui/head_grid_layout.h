#pragma once

#include <limits>
#include <vector>

#include <QFont>
#include <QPainter>
#include <QRectF>

#include "engine/training/update.h"
#include "ui/heatmap.h"

namespace headscope {

/// What a picture of heads is drawn with, on screen and in files alike.
struct HeadGridStyle {
    Theme theme = Theme::light();
    Colormap colormap = Colormap::Viridis;
    QFont font;               ///< pixel size or point size of the tick labels; all spacing follows it
    double device_ratio = 1;  ///< cells end on whole device pixels
    bool vector = false;
    HeatmapKind kind = HeatmapKind::Attention;
    float limit = 1;  ///< where the color scale ends; of scores, on both sides
    bool titles = true;
    bool color_bar = true;
    bool own_scales = false;  ///< instead of `limit`, the colors of every tile reach to its own largest value
    double most_side = std::numeric_limits<double>::infinity();  ///< no tile's square is larger
    /// What the tiles are called, in full and in short; empty: they are heads.
    struct Name {
        QString full, brief;
    };
    std::vector<Name> names = {};
    /// (T) What stands at the axes, each cut at kLongestLabel characters; empty: positions from 0.
    std::vector<QString> labels = {};
    static constexpr int kLongestLabel = 10;
};

/// Where everything in a grid of heads is: as many columns as make the cells largest, all tiles equal.
struct HeadGridLayout {
    enum class Titles { Full, Number, None };

    int first_head = 0;
    int n_heads = 0;
    int length = 0;  ///< T
    int columns = 0;
    double side = 0;  ///< of a tile's square of cells
    QSizeF pitch;     ///< from one tile to the next
    QPointF origin;   ///< top left of the first tile's cells
    Titles titles = Titles::Full;
    std::vector<HeadGridStyle::Name> names;
    std::vector<QString> labels;
    QFont titleFont, tickFont;
    double titleHeight = 0;
    int tickStep = 1;
    bool axes = true;
    QRectF colorBar;

    int rows() const { return columns ? (n_heads + columns - 1) / columns : 0; }
    QRectF tile(int head) const;  ///< head from first_head
    /// "Head 3" or "3", `head` from first_head.
    QString name(Titles titles, int head) const;
    /// What stands at an axis for a position.
    QString label(int position) const;
    double widestLabel() const;
};

/// The texts of a snapshot's tokens, for the axes; none where it has none.
std::vector<QString> axisLabelsOf(const Snapshot& snapshot);

/// Lays out heads first_head … first_head + n_heads − 1 in `room`.
HeadGridLayout layoutHeadGrid(const QRectF& room, int first_head, int n_heads, int length,
                              const HeadGridStyle& style);

/// Axes and, where the style has it, the color bar.
void paintHeadGridFrame(QPainter& painter, const HeadGridLayout& layout, const HeadGridStyle& style);

/// The cells of every head of the layout, each by its index in `cells`, of the layout's length.
void paintHeadGridCells(QPainter& painter, const HeadGridLayout& layout,
                        const std::vector<HeatmapValues>& cells, const HeadGridStyle& style);

/// The weights or scores of every head of a snapshot, which outlives them, by the style's kind and limit.
/// Scores it must have (assert).
std::vector<HeatmapValues> cellsOf(const Snapshot& snapshot, const HeadGridStyle& style);

/// The limit that shows all scores of a snapshot: 1, 2 or 5 times a power of ten, so that it seldom changes.
float scoreLimit(const Snapshot& snapshot);

/// The smallest 1, 2 or 5 times a power of ten that is at least `least`.
int niceStep(double least);

}  // namespace headscope
