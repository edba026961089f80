#include "ui/heatmap.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <vector>

#include <QPainterPath>

namespace headscope {
namespace {

constexpr int kGapFromLines = 9;
constexpr int kHatchEveryLines = 7;
constexpr float kMasked = -1;
constexpr float kInvalid =
    2;  // above every weight: where pixels merge cells by their maximum it stays visible

/// From 0 to 1, as colors are looked up; kInvalid for what is no such value.
float shadeOf(const HeatmapValues& values, float value) {
    if (values.kind == HeatmapKind::Scores)
        return std::isfinite(value) ? 0.5f + 0.5f * std::clamp(value / values.limit, -1.0f, 1.0f) : kInvalid;
    return isWeight(value) ? std::clamp(value / values.limit, 0.0f, 1.0f) : kInvalid;
}

/// Of two shades in one pixel the one to be seen; kMasked only where both are.
float stronger(const HeatmapValues& values, float a, float b) {
    if (values.kind == HeatmapKind::Attention || a == kMasked || b == kMasked) return std::max(a, b);
    return std::abs(b - 0.5f) > std::abs(a - 0.5f) ? b : a;
}

const std::array<QRgb, 256>& tableOf(const HeatmapValues& values, const HeatmapStyle& style) {
    return values.kind == HeatmapKind::Scores ? divergingTable() : colorTable(style.colormap);
}

QRgb colorAt(const std::array<QRgb, 256>& table, float shade) {
    return table[static_cast<std::size_t>(shade * 255 + 0.5f)];
}

QRgb groundOf(const HeatmapStyle& style) { return qPremultiply(style.ground.rgba()); }

/// Where cell i of n begins on a side of `pixels` device pixels.
int edge(int i, int n, int pixels) {
    return static_cast<int>(std::lround(static_cast<double>(i) * pixels / n));
}

/// Everything in device pixels.
struct Pen {
    explicit Pen(double pixels) : line(std::max(1, static_cast<int>(pixels))) {}
    int line;
    int gap(int cell) const { return cell >= kGapFromLines * line ? line : 0; }
    int period() const { return kHatchEveryLines * line; }
};

/// The masked ground: row y of the pattern begins at start(y).
class Hatch {
public:
    Hatch(int width, const Pen& pen, const HeatmapStyle& style) : m_period(pen.period()) {
        m_pixels.resize(static_cast<std::size_t>(width + m_period));
        for (int x = 0; x < width + m_period; ++x)
            m_pixels[x] = x % m_period < pen.line ? style.hatch.rgb() : groundOf(style);
    }
    const QRgb* row(int y) const { return m_pixels.data() + y % m_period; }

private:
    int m_period;
    std::vector<QRgb> m_pixels;
};

QRgb* scanLine(QImage& image, int y) { return reinterpret_cast<QRgb*>(image.scanLine(y)); }

void crossOut(QImage& image, const QRect& cell, const Pen& pen, const HeatmapStyle& style) {
    const int period = 4 * pen.line;
    const bool solid = cell.width() < period;
    for (int y = cell.top(); y <= cell.bottom(); ++y) {
        QRgb* line = scanLine(image, y);
        for (int x = cell.left(); x <= cell.right(); ++x) {
            const int up = (x + y) % period;
            const int down = (x - y + image.height() * period) % period;
            line[x] = solid || up < pen.line || down < pen.line ? style.invalid.rgb() : groundOf(style);
        }
    }
}

/// Every cell covers at least a pixel.
void fillLargeCells(QImage& image, const HeatmapValues& values, const Pen& pen, const HeatmapStyle& style) {
    const int n = values.length;
    const int side = image.width();
    const auto& table = tableOf(values, style);
    const Hatch hatch(side, pen, style);
    std::vector<QRgb> colors(static_cast<std::size_t>(side));
    for (int query = 0; query < n; ++query) {
        const float* row = values.weights.data() + static_cast<std::size_t>(query) * n;
        std::fill(colors.begin(), colors.end(), groundOf(style));
        for (int key = 0, left = 0; key < values.seen(query); ++key) {
            const int right = edge(key + 1, n, side);
            const float shade = shadeOf(values, row[key]);
            if (shade != kInvalid)
                std::fill(colors.begin() + left, colors.begin() + right - pen.gap(right - left),
                          colorAt(table, shade));
            left = right;
        }
        const int top = edge(query, n, side);
        const int bottom = edge(query + 1, n, side);
        const int visible = edge(values.seen(query), n, side);
        for (int y = top; y < bottom; ++y) {
            QRgb* line = scanLine(image, y);
            if (y < bottom - pen.gap(bottom - top))
                std::copy_n(colors.data(), visible, line);
            else
                std::fill_n(line, visible, groundOf(style));
            std::copy_n(hatch.row(y) + visible, side - visible, line + visible);
        }
        for (int key = 0; key < values.seen(query); ++key)
            if (shadeOf(values, row[key]) == kInvalid) {
                const int left = edge(key, n, side);
                const int width = edge(key + 1, n, side) - left;
                crossOut(image, {left, top, width - pen.gap(width), bottom - top - pen.gap(bottom - top)},
                         pen, style);
            }
    }
}

/// The strongest shade of each key over some queries; kMasked where none of them sees the key.
/// The values are a copy, so that the compiler knows that writing to `largest` changes none of them.
void largestOverQueries(HeatmapValues values, int first, int last, std::vector<float>& largest) {
    std::fill(largest.begin(), largest.end(), kMasked);
    for (int query = first; query < last; ++query) {
        const float* row = values.weights.data() + static_cast<std::size_t>(query) * values.length;
        const int seen = values.seen(query);
        for (int key = 0; key < seen; ++key)
            largest[key] = stronger(values, largest[key], shadeOf(values, row[key]));
    }
}

/// Pixels cover more than a cell each.
void fillSmallCells(QImage& image, const HeatmapValues& values, const Pen& pen, const HeatmapStyle& style) {
    const int n = values.length;
    const int side = image.width();
    const auto& table = tableOf(values, style);
    const Hatch hatch(side, pen, style);
    std::vector<int> begin(static_cast<std::size_t>(side) + 1);
    for (int x = 0; x <= side; ++x) begin[x] = static_cast<int>(static_cast<std::int64_t>(x) * n / side);
    std::vector<float> largest(static_cast<std::size_t>(n));
    for (int y = 0; y < side; ++y) {
        largestOverQueries(values, begin[y], begin[y + 1], largest);
        QRgb* line = scanLine(image, y);
        const QRgb* masked = hatch.row(y);
        for (int x = 0; x < side; ++x) {
            float shade = kMasked;
            for (int key = begin[x]; key < begin[x + 1]; ++key) shade = stronger(values, shade, largest[key]);
            if (shade == kMasked)
                line[x] = masked[x];
            else if (shade == kInvalid)
                line[x] = style.invalid.rgb();
            else
                line[x] = colorAt(table, shade);
        }
    }
}

void paintRaster(QPainter& painter, const QRectF& rect, const HeatmapValues& values,
                 const HeatmapStyle& style) {
    const QTransform device = painter.deviceTransform();
    const int side = static_cast<int>(std::lround(rect.width() * device.m11()));
    if (side < 1) return;
    const bool opaque = style.ground.alpha() == 255;
    QImage image(side, side, opaque ? QImage::Format_RGB32 : QImage::Format_ARGB32_Premultiplied);
    const Pen pen(style.line * device.m11());
    if (side >= values.length)
        fillLargeCells(image, values, pen, style);
    else
        fillSmallCells(image, values, pen, style);
    drawUnscaled(painter, rect.topLeft(), image);
}

void hatchInside(QPainter& painter, const QPainterPath& shape, const HeatmapStyle& style) {
    const QRectF box = shape.boundingRect();
    painter.save();
    painter.setClipPath(shape, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(style.hatch, style.line / std::sqrt(2)));
    for (double x = box.left(); x < box.right() + box.height(); x += kHatchEveryLines * style.line)
        painter.drawLine(QPointF(x, box.top()), QPointF(x - box.height(), box.bottom()));
    painter.restore();
}

/// A run of cells in one row that show the same, from key to end. Where cells touch, it reaches below the
/// next of its row and of the row below, which are painted later: no seam shows between them, wherever the
/// edges fall.
QRectF rectangleOf(const QRectF& rect, const HeatmapValues& values, int query, int key, int end, double gap) {
    const int n = values.length;
    const double cell = rect.width() / n;
    const bool touches = gap == 0;
    const int right = touches && end < values.seen(query) ? end + 1 : end;
    const int bottom = touches && query + 1 < n ? query + 2 : query + 1;
    return {QPointF(rect.left() + key * cell, rect.top() + query * cell),
            QPointF(rect.left() + right * cell - gap, rect.top() + bottom * cell - gap)};
}

void paintVector(QPainter& painter, const QRectF& rect, const HeatmapValues& values,
                 const HeatmapStyle& style) {
    const int n = values.length;
    const double cell = rect.width() / n;
    const double line = std::max(1.0, std::floor(style.line));  // as pixels have it
    const double gap = cell >= kGapFromLines * line ? line : 0;
    const auto& table = tableOf(values, style);
    if (style.ground.alpha() > 0) painter.fillRect(rect, style.ground);
    QPainterPath masked, invalid;
    for (int query = 0; query < n; ++query) {
        const float* row = values.weights.data() + static_cast<std::size_t>(query) * n;
        for (int key = 0, end; key < values.seen(query); key = end) {
            const float shade = shadeOf(values, row[key]);
            end = key + 1;
            if (shade == kInvalid) {
                const QRectF box = rectangleOf(rect, values, query, key, end, std::max(gap, 1e-3 * cell));
                invalid.moveTo(box.topLeft());
                invalid.lineTo(box.bottomRight());
                invalid.moveTo(box.topRight());
                invalid.lineTo(box.bottomLeft());
                continue;
            }
            const QRgb color = colorAt(table, shade);
            const auto continues = [&] {
                const float next =
                    end < values.seen(query) && gap == 0 ? shadeOf(values, row[end]) : kInvalid;
                return next != kInvalid && colorAt(table, next) == color;
            };
            while (continues()) ++end;
            painter.fillRect(rectangleOf(rect, values, query, key, end, gap), QColor(color));
        }
        masked.addRect(QRectF(QPointF(rect.left() + values.seen(query) * cell, rect.top() + query * cell),
                              QPointF(rect.right(), rect.top() + (query + 1) * cell)));
    }
    if (values.causal) hatchInside(painter, masked, style);
    painter.save();
    painter.setPen(QPen(style.invalid, style.line));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(invalid);
    painter.restore();
}

}  // namespace

HeatmapStyle HeatmapStyle::of(const Theme& theme, Colormap colormap) {
    HeatmapStyle style;
    style.colormap = colormap;
    style.ground = theme.card;
    style.hatch = theme.hatch;
    style.invalid = theme.warning;
    return style;
}

void drawUnscaled(QPainter& painter, const QPointF& top_left, const QImage& image) {
    const QTransform device = painter.deviceTransform();
    const QPointF corner = device.map(top_left);
    // What the painter does after its world transform (pixel ratio, redirection) is undone.
    const QTransform after = painter.worldTransform().inverted() * device;
    painter.save();
    painter.setWorldTransform(QTransform::fromTranslate(std::round(corner.x()), std::round(corner.y())) *
                              after.inverted());
    painter.drawImage(QPointF(0, 0), image);
    painter.restore();
}

void paintHeatmap(QPainter& painter, const QRectF& rect, const HeatmapValues& values,
                  const HeatmapStyle& style) {
    assert(values.length >= 1);
    assert(values.weights.size() == static_cast<std::size_t>(values.length) * values.length);
    if (style.vector || painter.deviceTransform().type() > QTransform::TxScale)
        paintVector(painter, rect, values, style);
    else
        paintRaster(painter, rect, values, style);
}

QRectF heatmapCell(const QRectF& rect, int length, int query, int key, double device_ratio) {
    const int side = static_cast<int>(std::lround(rect.width() * device_ratio));
    const auto at = [&](int i) { return edge(i, length, side) / device_ratio; };
    return {rect.topLeft() + QPointF(at(key), at(query)),
            rect.topLeft() + QPointF(at(key + 1), at(query + 1))};
}

}  // namespace headscope
