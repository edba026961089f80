#include "ui/head_grid_layout.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <QCoreApplication>
#include <QFontInfo>
#include <QFontMetricsF>

namespace headscope {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(HeadGrid)
};

QFont scaled(QFont font, double factor, QFont::Weight weight) {
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(QFontInfo(font).pixelSize() * factor))));
    font.setWeight(weight);
    return font;
}

double widthOf(const QFont& font, const QString& text) { return QFontMetricsF(font).horizontalAdvance(text); }

/// The room that is not cells, in logical pixels.
struct Margins {
    double left = 0, right = 0, bottom = 0;  ///< axes, color bar, axes
    double title = 0;                        ///< above every tile
    QSizeF gap;                              ///< between tiles
};

double sideFor(int columns, int n_heads, const QSizeF& room, const Margins& m) {
    const int rows = (n_heads + columns - 1) / columns;
    const double across = room.width() - m.left - m.right - (columns - 1) * m.gap.width();
    const double down = room.height() - m.bottom - rows * m.title - (rows - 1) * m.gap.height();
    return std::max(0.0, std::min(across / columns, down / rows));
}

/// The largest tiles win; a full rectangle of them wins where it costs at most a tenth.
int bestColumns(int n_heads, const QSizeF& room, const Margins& m) {
    const auto worth = [&](int columns) {
        return sideFor(columns, n_heads, room, m) * (n_heads % columns == 0 ? 1.0 : 0.9);
    };
    int best = 1;
    for (int columns = 2; columns <= n_heads; ++columns)
        if (worth(columns) > worth(best)) best = columns;
    return best;
}

/// Whole device pixels; whole ones a cell too where that costs at most an eighth.
double snapped(double side, int length, double device_ratio) {
    const double pixels = std::floor(side * device_ratio);
    const double cell = std::floor(pixels / length);
    return (cell * length >= 0.88 * pixels ? cell * length : pixels) / device_ratio;
}

double onPixel(double x, double device_ratio) { return std::round(x * device_ratio) / device_ratio; }

Margins marginsFor(const HeadGridLayout& layout, const HeadGridStyle& style, double em) {
    const QFontMetricsF ticks(layout.tickFont);
    Margins m;
    if (layout.axes) {
        m.left = ticks.height() + layout.widestLabel() + 0.8 * em;
        m.bottom =
            ticks.height() + 0.4 * em + (layout.labels.empty() ? ticks.height() : layout.widestLabel());
    }
    m.right = 1.2 * em;
    if (style.color_bar)
        m.right += 1.8 * em + ticks.height() +
                   widthOf(layout.tickFont, style.own_scales ? Text::tr("max of each") : Text::tr("0.5"));
    m.title = layout.titleHeight;
    m.gap = QSizeF(1, 0.5) * (layout.n_heads <= 16 ? em : 0.6 * em);
    return m;
}

double longestName(const HeadGridLayout& layout) {
    double longest = 0;
    for (int head = layout.first_head; head < layout.first_head + layout.n_heads; ++head)
        longest = std::max(longest, widthOf(layout.titleFont, layout.name(layout.titles, head)));
    return longest;
}

/// Full titles where they fit, else smaller ones, else numbers, else none.
double chooseTitles(HeadGridLayout& layout, const QSizeF& room, const HeadGridStyle& style, double em) {
    struct Choice {
        HeadGridLayout::Titles titles;
        double size;
    };
    using Titles = HeadGridLayout::Titles;
    double side = 0;
    for (const Choice choice :
         {Choice{Titles::Full, 1}, {Titles::Full, 0.8}, {Titles::Number, 0.8}, {Titles::None, 0.8}}) {
        if (!style.titles && choice.titles != Titles::None) continue;
        layout.titles = choice.titles;
        layout.titleFont = scaled(style.font, choice.size, QFont::DemiBold);
        layout.titleHeight = choice.titles == Titles::None ? 0 : choice.size * 1.45 * em;
        const Margins m = marginsFor(layout, style, em);
        layout.columns = bestColumns(layout.n_heads, room, m);
        side = std::min(style.most_side, sideFor(layout.columns, layout.n_heads, room, m));
        if (longestName(layout) <= side + m.gap.width() / 2 && layout.titleHeight <= 0.5 * side) break;
    }
    return side;
}

void placeTiles(HeadGridLayout& layout, const QRectF& room, const HeadGridStyle& style, double em) {
    const Margins m = marginsFor(layout, style, em);
    const double device_ratio = style.device_ratio;
    const double side = layout.side;
    // Half of what is left over sets the tiles apart, up to a limit; the rest centers them.
    const auto apart = [](double room_left, int tiles, double limit) {
        return std::clamp(room_left / (2 * tiles), 0.0, limit);
    };
    const int columns = layout.columns;
    const int rows = layout.rows();
    const double free_width =
        room.width() - m.left - m.right - columns * side - (columns - 1) * m.gap.width();
    const double free_height =
        room.height() - m.bottom - rows * (side + m.title) - (rows - 1) * m.gap.height();
    const QSizeF gap(m.gap.width() + apart(free_width, columns, 2.5 * em),
                     m.gap.height() + apart(free_height, rows, em));
    layout.pitch = {onPixel(side + gap.width(), device_ratio),
                    onPixel(side + gap.height() + m.title, device_ratio)};
    const double width = (layout.columns - 1) * layout.pitch.width() + side;
    const double height = (layout.rows() - 1) * layout.pitch.height() + side;
    const double x = room.left() + m.left + std::max(0.0, room.width() - m.left - m.right - width) / 2;
    const double y = room.top() + m.title + std::max(0.0, room.height() - m.title - m.bottom - height) / 2;
    layout.origin = {onPixel(x, device_ratio), onPixel(y, device_ratio)};
    layout.colorBar = QRectF(onPixel(layout.origin.x() + width + 1.6 * em, device_ratio), layout.origin.y(),
                             0.8 * em, height);
}

/// What the head reaches, in size; a little above 0 where it is all 0, so that it can be divided by.
float largestOf(const HeatmapValues& values) {
    float largest = 1e-6f;
    for (int query = 0; query < values.length; ++query)
        for (int key = 0; key < values.seen(query); ++key) {
            const float value = values.weights[static_cast<std::size_t>(query) * values.length + key];
            if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
        }
    return largest;
}

void paintRotated(QPainter& painter, const QPointF& center, const QString& text) {
    const QFontMetricsF metrics(painter.font());
    painter.save();
    painter.translate(center);
    painter.rotate(-90);
    const double width = metrics.horizontalAdvance(text) + 2;
    painter.drawText(QRectF(-width / 2, -metrics.height() / 2, width, metrics.height()), Qt::AlignCenter,
                     text);
    painter.restore();
}

void paintColorBar(QPainter& painter, const HeadGridLayout& layout, const HeadGridStyle& style) {
    const QRectF bar = layout.colorBar;
    const bool scores = style.kind == HeatmapKind::Scores;
    const auto& table = scores ? divergingTable() : colorTable(style.colormap);
    const auto y = [&](double value) { return bar.bottom() - value * bar.height(); };
    // Each reaches below the next, so that no seam shows where edges fall between pixels.
    for (int i = 255; i >= 0; --i)
        painter.fillRect(QRectF(QPointF(bar.left(), y((i + 1) / 256.0)), bar.bottomRight()),
                         QColor(table[static_cast<std::size_t>(i)]));
    painter.setFont(layout.tickFont);
    painter.setPen(style.theme.mutedText);
    const QFontMetricsF metrics(layout.tickFont);
    const double em = bar.width() / 0.8;
    const QString limit = style.own_scales ? Text::tr("max of each") : QString::number(double(style.limit));
    const QString bottom = scores ? Text::tr("−%1").arg(limit) : Text::tr("0");
    const QString middle = scores             ? Text::tr("0")
                           : style.own_scales ? QString()
                                              : QString::number(double(style.limit) / 2);
    double width = 0;
    for (const QString& text : {bottom, middle, limit})
        width = std::max(width, widthOf(layout.tickFont, text) + 2);
    for (const auto& [value, text] : {std::pair{0.0, bottom}, {0.5, middle}, {1.0, limit}})
        painter.drawText(
            QRectF(bar.right() + 0.4 * em, y(value) - metrics.height() / 2, width, metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter, text);
    const QString name = scores ? Text::tr("score") : Text::tr("weight");
    if (widthOf(layout.tickFont, name) < bar.height() / 2 - 2 * metrics.height())
        paintRotated(painter, {bar.right() + 0.6 * em + metrics.height() / 2, y(0.75)}, name);
}

void paintAxes(QPainter& painter, const HeadGridLayout& layout, const HeadGridStyle& style) {
    painter.setFont(layout.tickFont);
    painter.setPen(style.theme.mutedText);
    const QFontMetricsF metrics(layout.tickFont);
    const double cell = layout.side / layout.length;
    const double pad = layout.colorBar.width() * 0.4;
    const QString query = Text::tr("query");
    const QString key = Text::tr("key");
    const double widest = layout.widestLabel();
    const bool upright = layout.labels.empty();  // texts at the key axis are turned: they are long
    const double below = upright ? metrics.height() : widest;
    const double name = widest + 2 * pad + metrics.height() / 2;
    const bool every_row = widthOf(layout.tickFont, query) <= layout.side;
    for (int head = layout.first_head; head < layout.first_head + layout.n_heads; ++head) {
        const QRectF tile = layout.tile(head);
        const int place = head - layout.first_head;
        const bool leftmost = place % layout.columns == 0;
        const bool lowest = place + layout.columns >= layout.n_heads;
        for (int i = 0; i < layout.length; i += layout.tickStep) {
            const double at = (i + 0.5) * cell;
            const QString text = layout.label(i);
            if (leftmost)
                painter.drawText(QRectF(tile.left() - pad - widest - 1,
                                        tile.top() + at - metrics.height() / 2, widest + 1, metrics.height()),
                                 Qt::AlignRight | Qt::AlignVCenter, text);
            if (lowest && !upright)
                paintRotated(
                    painter,
                    {tile.left() + at, tile.bottom() + 0.6 * pad + widthOf(layout.tickFont, text) / 2}, text);
            if (lowest && upright)
                painter.drawText(QRectF(tile.left() + at - widest, tile.bottom() + 0.3 * pad, 2 * widest,
                                        metrics.height()),
                                 Qt::AlignCenter, text);
        }
        if (leftmost && every_row) paintRotated(painter, {tile.left() - name, tile.center().y()}, query);
        if (lowest && widthOf(layout.tickFont, key) <= layout.side)
            painter.drawText(
                QRectF(tile.left(), tile.bottom() + 0.3 * pad + below, tile.width(), metrics.height()),
                Qt::AlignCenter, key);
    }
    if (!every_row) paintRotated(painter, {layout.origin.x() - name, layout.colorBar.center().y()}, query);
}

}  // namespace

QString HeadGridLayout::name(Titles wanted, int head) const {
    const bool full = wanted == Titles::Full;
    if (names.empty()) return full ? Text::tr("Head %1").arg(head + 1) : QString::number(head + 1);
    const HeadGridStyle::Name& name = names[static_cast<std::size_t>(head - first_head)];
    return full ? name.full : name.brief;
}

QString HeadGridLayout::label(int position) const {
    return labels.empty() ? QString::number(position) : labels[static_cast<std::size_t>(position)];
}

double HeadGridLayout::widestLabel() const {
    // None has more digits than the last, and 0 is as wide as any.
    if (labels.empty()) return widthOf(tickFont, QString(QString::number(length - 1).size(), u'0'));
    double widest = 0;
    for (const QString& text : labels) widest = std::max(widest, widthOf(tickFont, text));
    return widest;
}

std::vector<QString> axisLabelsOf(const Snapshot& snapshot) {
    std::vector<QString> labels;
    for (const std::string& label : snapshot.labels) {
        const QString text = QString::fromStdString(label);
        const bool fits = text.size() <= HeadGridStyle::kLongestLabel;
        labels.push_back(fits ? text : text.left(HeadGridStyle::kLongestLabel - 1) + u'…');
    }
    return labels;
}

int niceStep(double least) {
    for (int power = 1;; power *= 10)
        for (const int digit : {1, 2, 5})
            if (digit * power >= least || power >= 100'000'000) return digit * power;
}

float scoreLimit(const Snapshot& snapshot) {
    float largest = 0;
    for (const float score : snapshot.scores)
        if (std::isfinite(score)) largest = std::max(largest, std::abs(score));
    float power = 1e-3f;
    while (power * 10 < largest && power < 1e30f) power *= 10;
    for (const float digit : {1.f, 2.f, 5.f})
        if (digit * power >= largest) return digit * power;
    return 10 * power;
}

QRectF HeadGridLayout::tile(int head) const {
    const int place = head - first_head;
    const int row = place / columns, column = place % columns;
    return {origin.x() + column * pitch.width(), origin.y() + row * pitch.height(), side, side};
}

HeadGridLayout layoutHeadGrid(const QRectF& room, int first_head, int n_heads, int length,
                              const HeadGridStyle& style) {
    assert(n_heads >= 1 && length >= 1);
    HeadGridLayout layout;
    layout.first_head = first_head;
    layout.n_heads = n_heads;
    layout.length = length;
    layout.names = style.names;
    layout.labels = style.labels;
    layout.tickFont = scaled(style.font, 0.85, QFont::Normal);
    const QFontMetricsF ticks(layout.tickFont);
    const double em = QFontInfo(style.font).pixelSize() * 1.15;
    const auto fit = [&] {
        layout.side =
            snapped(chooseTitles(layout, room.size(), style, em), layout.length, style.device_ratio);
    };
    fit();
    layout.axes = layout.side >= 2 * ticks.height();
    if (!layout.axes) fit();
    if (layout.side <= 0) return {};
    const double label =
        std::max(layout.labels.empty() ? layout.widestLabel() + 0.5 * em : 0.0, 1.1 * ticks.height());
    layout.tickStep = niceStep(label * length / layout.side);
    placeTiles(layout, room, style, em);
    return layout;
}

void paintHeadGridFrame(QPainter& painter, const HeadGridLayout& layout, const HeadGridStyle& style) {
    if (!layout.columns) return;
    if (layout.axes) paintAxes(painter, layout, style);
    if (style.color_bar) paintColorBar(painter, layout, style);
}

void paintHeadGridCells(QPainter& painter, const HeadGridLayout& layout,
                        const std::vector<HeatmapValues>& cells, const HeadGridStyle& style) {
    HeatmapStyle look = HeatmapStyle::of(style.theme, style.colormap);
    look.vector = style.vector;
    look.line = std::max(1.0, QFontInfo(style.font).pixelSize() / 13.0);
    for (int head = layout.first_head; layout.columns && head < layout.first_head + layout.n_heads; ++head) {
        HeatmapValues values = cells[static_cast<std::size_t>(head)];
        if (style.own_scales) values.limit = largestOf(values);
        paintHeatmap(painter, layout.tile(head), values, look);
    }
}

std::vector<HeatmapValues> cellsOf(const Snapshot& snapshot, const HeadGridStyle& style) {
    const bool scores = style.kind == HeatmapKind::Scores;
    assert(!scores || !snapshot.scores.empty());
    const std::vector<float>& all = scores ? snapshot.scores : snapshot.weights;
    const int length = snapshot.experiment.model.context_length;
    const auto area = static_cast<std::size_t>(length) * static_cast<std::size_t>(length);
    std::vector<HeatmapValues> cells;
    for (std::size_t at = 0; at < all.size(); at += area)
        cells.push_back({{all.data() + at, area}, length, style.kind, style.limit, snapshot.causal});
    return cells;
}

}  // namespace headscope
