#include "ui/pictures.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <QCoreApplication>
#include <QFontInfo>
#include <qcustomplot.h>

#include "ui/head_pen.h"
#include "ui/head_titles.h"
#include "ui/heads_view.h"
#include "ui/loss_chart.h"
#include "ui/mechanism_chart.h"

namespace headscope {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Pictures)
};

/// Tiles of (T, T) cells with their titles.
void paintTiles(QPainter& painter, const HeadGridLayout& layout, const std::vector<HeatmapValues>& cells,
                const std::vector<HeadTitle>& titles, const HeadGridStyle& style) {
    paintHeadGridFrame(painter, layout, style);
    paintHeadGridCells(painter, layout, cells, style);
    paintHeadTitles(painter, layout, titles, style);
    paintMutedHeads(painter, layout, titles, style);
}

/// What the colors of these frames mean: one scale for all of them.
HeadGridStyle scaledFor(const std::vector<std::shared_ptr<const Snapshot>>& frames, HeatmapKind kind,
                        HeadGridStyle style) {
    style.kind = kind;
    for (const auto& frame : frames)
        if (frame->scores.empty()) style.kind = HeatmapKind::Attention;
    if (style.kind == HeatmapKind::Attention) return style;
    style.limit = 0;
    for (const auto& frame : frames) style.limit = std::max(style.limit, scoreLimit(*frame));
    return style;
}

void paintHeads(QPainter& painter, const QRectF& room, const Snapshot& snapshot, int first_head, int n_heads,
                const MuteLog& log, const HeadGridStyle& style) {
    const int length = snapshot.experiment.model.context_length;
    HeadGridStyle labeled = style;
    labeled.labels = axisLabelsOf(snapshot);
    const HeadGridLayout layout = layoutHeadGrid(room, first_head, n_heads, length, labeled);
    paintTiles(painter, layout, cellsOf(snapshot, style), headTitles(snapshot, log), labeled);
}

/// One half of a twin view: what sets it apart, and its heads.
void paintTwin(QPainter& painter, QRectF room, const Snapshot& snapshot, const Snapshot& other,
               const MuteLog& log, const HeadGridStyle& style) {
    QFont strong = style.font;
    strong.setWeight(QFont::DemiBold);
    painter.setFont(strong);
    painter.setPen(style.theme.text);
    const double line = QFontMetricsF(strong).height();
    const QString caption = twinCaption(snapshot.experiment, other.experiment);
    painter.drawText(room, Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, caption);
    room.setTop(room.top() +
                1.4 * std::max(line, painter.boundingRect(room, Qt::TextWordWrap, caption).height()));
    paintHeads(painter, room, snapshot, 0, snapshot.experiment.model.n_heads, log, style);
}

/// What a line in a chart stands for.
struct Key {
    QPen pen;
    QString text;
};

std::vector<Key> keysOf(const MechanismChart& chart, bool twin, const HeadGridStyle& style, double line) {
    std::vector<Key> keys;
    const auto heads = static_cast<int>(chart.points().back().heads.size());
    for (int head = 0; head < heads; ++head)
        keys.push_back({headPen(style.theme, head, 1.8 * line), Text::tr("Head %1").arg(head + 1)});
    if (twin) keys.push_back({QPen(style.theme.ghost, 1.6 * line), Text::tr("twin, mean")});
    if (const auto reference = chart.reference())
        keys.push_back(
            {QPen(reference->warning ? style.theme.warning : style.theme.mutedText, line, Qt::DashLine),
             reference->text});
    return keys;
}

/// Writes the keys at the right of `room`, in as many columns as they need; returns the room left of them.
QRectF paintKeys(QPainter& painter, const QRectF& room, const std::vector<Key>& keys,
                 const HeadGridStyle& style) {
    const QFontMetricsF metrics(style.font);
    const double row = 1.25 * metrics.height(), sample = 1.8 * metrics.height();
    const int rows = std::max(1, static_cast<int>(room.height() / row));
    const int columns = (static_cast<int>(keys.size()) + rows - 1) / rows;
    double widest = 0;
    for (const Key& key : keys) widest = std::max(widest, metrics.horizontalAdvance(key.text));
    const double column = sample + widest + 1.2 * metrics.height();
    const double left = room.right() - columns * column + 0.6 * metrics.height();
    painter.setFont(style.font);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int i = 0; const Key& key : keys) {
        const int place = i++;
        const int across = place / rows, down = place % rows;
        const QPointF at(left + across * column, room.top() + (down + 0.5) * row);
        painter.setPen(key.pen);
        painter.drawLine(at, at + QPointF(sample, 0));
        painter.setPen(style.theme.text);
        painter.drawText(QRectF(at.x() + sample + 0.4 * metrics.height(), at.y() - row, widest + 2, 2 * row),
                         Qt::AlignVCenter, key.text);
    }
    return room.adjusted(0, 0, -columns * column, 0);
}

}  // namespace

Picture headsPicture(const std::shared_ptr<const Snapshot>& snapshot, const MuteLog& log, HeatmapKind kind) {
    return [=](QCPPainter& painter, const QRectF& room, const HeadGridStyle& style) {
        paintHeads(painter, room, *snapshot, 0, snapshot->experiment.model.n_heads, log,
                   scaledFor({snapshot}, kind, style));
    };
}

Picture headPicture(const std::shared_ptr<const Snapshot>& snapshot, int head, const MuteLog& log,
                    HeatmapKind kind) {
    assert(head >= 0 && head < snapshot->experiment.model.n_heads);
    return [=](QCPPainter& painter, const QRectF& room, const HeadGridStyle& style) {
        paintHeads(painter, room, *snapshot, head, 1, log, scaledFor({snapshot}, kind, style));
    };
}

Picture filmstripPicture(const std::vector<std::shared_ptr<const Snapshot>>& frames, int head,
                         HeatmapKind kind) {
    assert(!frames.empty());
    return [=](QCPPainter& painter, const QRectF& room, const HeadGridStyle& in) {
        HeadGridStyle style = scaledFor(frames, kind, in);
        std::vector<HeatmapValues> cells;
        std::vector<HeadTitle> titles;
        for (const auto& frame : frames) {
            const QString name = Text::tr("step %1").arg(frame->steps_done);
            style.names.push_back({name, name});
            cells.push_back(cellsOf(*frame, style)[static_cast<std::size_t>(head)]);
            titles.push_back(headTitles(*frame, {})[static_cast<std::size_t>(head)]);
        }
        const int length = frames.front()->experiment.model.context_length;
        paintTiles(painter, layoutHeadGrid(room, 0, static_cast<int>(frames.size()), length, style), cells,
                   titles, style);
    };
}

Picture twinPicture(const Frame& frame, const MuteLog& log, const MuteLog& twin_log, HeatmapKind kind) {
    assert(frame.snapshot && frame.twin);
    return [=](QCPPainter& painter, const QRectF& room, const HeadGridStyle& in) {
        const HeadGridStyle style = scaledFor({frame.snapshot, frame.twin}, kind, in);
        const double half = std::floor((room.width() - style.font.pixelSize()) / 2);
        const QRectF left(room.topLeft(), QSizeF(half, room.height()));
        paintTwin(painter, left, *frame.snapshot, *frame.twin, log, style);
        paintTwin(painter, left.translated(room.width() - half, 0), *frame.twin, *frame.snapshot, twin_log,
                  style);
    };
}

Picture mechanismPicture(const std::vector<Frame>& frames, Measure measure) {
    assert(!frames.empty());
    return [=](QCPPainter& painter, const QRectF& room, const HeadGridStyle& style) {
        MechanismChart chart;
        chart.setPalette(style.theme.palette());
        chart.setFont(style.font);
        chart.beginRun(frames.back().snapshot->experiment);
        for (const Frame& frame : frames) chart.append(*frame.snapshot, frame.twin.get());
        chart.setMeasure(measure);
        if (chart.points().empty()) return;
        const double line = std::max(1.0, QFontInfo(style.font).pixelSize() / 13.0);
        const bool twin = frames.back().twin != nullptr;
        const QRectF left = paintKeys(painter, room, keysOf(chart, twin, style, line), style);
        chart.paint(painter, left.toRect());
    };
}

Picture lossPicture(const std::shared_ptr<const LossChart>& chart) {
    return [=](QCPPainter& painter, const QRectF& room, const HeadGridStyle& style) {
        chart->paint(painter, room.toRect(), style.theme, style.font);
    };
}

Picture lossPicture(const Experiment& experiment, const std::vector<LossPoint>& points) {
    auto chart = std::make_shared<LossChart>();
    chart->beginRun(experiment);
    chart->append(points);
    return lossPicture(chart);
}

}  // namespace headscope
