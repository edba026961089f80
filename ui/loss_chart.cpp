#include "ui/loss_chart.h"

#include <algorithm>
#include <cmath>

#include <QEvent>
#include <QFontInfo>
#include <QKeyEvent>
#include <QPainter>
#include <qcustomplot.h>

#include "ui/run_text.h"

namespace headscope {
namespace {

constexpr int kFocusRing = 2;
constexpr double kFewestSteps = 4;  // the deepest zoom
constexpr int kGhostStretches = 10'000;
// A run beyond this many points is drawn in half the detail but for its newest: it stays quick to draw and
// bounded in memory however long it is.
constexpr int kMostPoints = 1'200'000;
constexpr int kNewestPoints = 200'000;

using Points = QSharedPointer<QCPGraphDataContainer>;

/// One run as it is drawn: the moving average and the text at its end.
struct Run {
    Experiment experiment;
    QCPGraph* average = nullptr;
    QCPItemText* label = nullptr;
    Qt::PenStyle dash = Qt::SolidLine;
    double largest = 0;  // of the moving average
};

/// Something that happened at a step of the running experiment.
struct Mark {
    std::int64_t step = 0;
    QString text;
    bool warning = false;
    QCPItemStraightLine* line = nullptr;
    QCPItemText* label = nullptr;
};

/// Where the smallest and the largest of each of `stretches` equal stretches of the first `size` points are,
/// ascending.
std::vector<int> extremes(const QCPGraphDataContainer& points, int size, int stretches) {
    std::vector<int> places;
    const auto begin = points.constBegin();
    for (int i = 0; i < stretches; ++i) {
        const auto at = [&](int stretch) {
            return begin + static_cast<std::ptrdiff_t>(std::int64_t{size} * stretch / stretches);
        };
        const auto [low, high] = std::minmax_element(
            at(i), at(i + 1), [](const QCPGraphData& a, const QCPGraphData& b) { return a.value < b.value; });
        places.push_back(static_cast<int>(std::min(low, high) - begin));
        if (low != high) places.push_back(static_cast<int>(std::max(low, high) - begin));
    }
    return places;
}

void keepOnly(QCPGraphDataContainer& points, const std::vector<int>& places) {
    QVector<QCPGraphData> kept;
    kept.reserve(static_cast<qsizetype>(places.size()));
    for (const int place : places) kept.append(*(points.constBegin() + place));
    points.set(kept, true);
}

QRectF boxOf(const QCPItemText& label, const QPointF& left_center) {
    const QFontMetricsF metrics(label.font());
    const double width =
        metrics.horizontalAdvance(label.text()) + label.padding().left() + label.padding().right();
    return {left_center.x(), left_center.y() - metrics.height() / 2, width, metrics.height()};
}

/// Moves boxes up, then down, until none covers another and all lie between top and bottom as far as they
/// can.
void spread(std::vector<QRectF>& boxes, double top, double bottom) {
    const auto settle = [&boxes](std::size_t i, double direction) {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t j = 0; j < i; ++j)
                if (boxes[i].intersects(boxes[j])) {
                    boxes[i].moveTop(direction < 0 ? boxes[j].top() - boxes[i].height() : boxes[j].bottom());
                    moved = true;
                }
        }
    };
    std::sort(boxes.begin(), boxes.end(), [](const QRectF& a, const QRectF& b) { return a.top() > b.top(); });
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        boxes[i].moveBottom(std::min(boxes[i].bottom(), bottom));
        settle(i, -1);
    }
    std::reverse(boxes.begin(), boxes.end());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        boxes[i].moveTop(std::max(boxes[i].top(), top));
        settle(i, +1);
    }
}

}  // namespace

struct LossChart::Impl {
    explicit Impl(LossChart& owner);

    void addRun(const Experiment& experiment, Qt::PenStyle dash, const Points& points);
    void removeRun(std::size_t i);
    void addMark(Mark mark);
    void clearMarks();
    void adopt(const Impl& other);
    void dropDetail();

    void restyle(const Theme& theme, const QFont& font);
    void relabel();
    void boundRange();
    void fitRange();
    void reserveMargins();
    void placeLabels();
    void placeMarks();
    void placeCursor();
    void changed();

    Run* current() { return runs.empty() ? nullptr : &runs.front(); }
    double chance() const { return std::log(runs.front().experiment.model.vocab_size); }
    QCPRange homeX() const;
    QCPRange homeY() const;
    QCPAxisRect* area() const { return plot->axisRect(); }

    LossChart& chart;
    QCustomPlot* plot;
    QCPGraph* raw;
    QCPItemStraightLine* chanceLine;
    QCPItemText* chanceLabel;
    QCPItemText* emptyText;
    QCPItemStraightLine* cursorLine;
    QCPItemEllipse* cursorDot;
    QCPItemText* cursorLabel;

    Theme theme;
    double line = 1;  // grows with the font in pictures

    std::vector<Run> runs;  // the running one, then the ghosts, newest first
    std::vector<Mark> marks;
    std::vector<float> accuracy;  // of every point of `raw`
    int begun = 0;
    bool zoomed = false;
    bool fitting = false;
    std::optional<std::int64_t> cursor;
};

LossChart::Impl::Impl(LossChart& owner) : chart(owner), plot(new QCustomPlot(&owner)) {
    plot->setPlottingHints(QCP::phFastPolylines | QCP::phCacheLabels);
    plot->setNoAntialiasingOnDrag(true);
    plot->setFocusPolicy(Qt::ClickFocus);
    plot->setFocusProxy(&owner);
    plot->addLayer(QStringLiteral("ghosts"), plot->layer(QStringLiteral("main")), QCustomPlot::limBelow);
    plot->addLayer(QStringLiteral("labels"), plot->layer(QStringLiteral("main")), QCustomPlot::limAbove);
    // Only this layer is drawn again when the pointer moves.
    plot->layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmBuffered);
    plot->legend->setVisible(false);

    area()->setAutoMargins(QCP::msLeft | QCP::msBottom);
    area()->setupFullAxesBox();
    for (QCPAxis* axis : {plot->xAxis2, plot->yAxis2}) axis->setVisible(false);
    plot->xAxis->grid()->setVisible(false);
    plot->xAxis->setNumberFormat(QStringLiteral("f"));
    plot->xAxis->setNumberPrecision(0);
    plot->yAxis->setNumberFormat(QStringLiteral("g"));
    for (QCPAxis* axis : {plot->xAxis, plot->yAxis}) {
        axis->setTickLength(0, 0);
        axis->setSubTicks(false);
        axis->ticker()->setTickStepStrategy(QCPAxisTicker::tssReadability);
    }

    const auto text = [this](const char* layer) {
        auto* item = new QCPItemText(plot);
        item->setLayer(QString::fromLatin1(layer));
        item->setSelectable(false);
        item->setClipToAxisRect(false);
        item->position->setType(QCPItemPosition::ptAbsolute);
        item->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        return item;
    };
    const auto straight = [this](const char* layer) {
        auto* item = new QCPItemStraightLine(plot);
        item->setLayer(QString::fromLatin1(layer));
        item->setSelectable(false);
        item->setAntialiased(false);
        return item;
    };
    chanceLine = straight("ghosts");
    chanceLabel = text("labels");
    emptyText = text("labels");
    emptyText->setPositionAlignment(Qt::AlignCenter);
    cursorLine = straight("overlay");
    cursorDot = new QCPItemEllipse(plot);
    cursorDot->setLayer(QStringLiteral("overlay"));
    for (QCPItemPosition* corner : {cursorDot->topLeft, cursorDot->bottomRight})
        corner->setType(QCPItemPosition::ptAbsolute);
    cursorLabel = text("overlay");
    raw = plot->addGraph();
    raw->setSelectable(QCP::stNone);
    raw->setAdaptiveSampling(true);

    plot->setInteractions(QCP::iRangeZoom);
    plot->setSelectionRectMode(QCP::srmZoom);
    QObject::connect(plot, &QCustomPlot::beforeReplot, &chart, [this] { reserveMargins(); });
    QObject::connect(plot, &QCustomPlot::afterLayout, &chart, [this] {
        placeLabels();
        placeMarks();
        placeCursor();
    });
    const auto bound = [this] { boundRange(); };
    QObject::connect(plot->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), &chart, bound);
    QObject::connect(plot->yAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), &chart, bound);
    QObject::connect(plot, &QCustomPlot::mouseDoubleClick, &chart, &LossChart::showAll);
    QObject::connect(plot, &QCustomPlot::mouseMove, &chart, [this](QMouseEvent* event) {
        chart.setCursorStep(std::llround(plot->xAxis->pixelToCoord(event->position().x())));
    });
    plot->installEventFilter(&chart);
}

void LossChart::Impl::addRun(const Experiment& experiment, Qt::PenStyle dash, const Points& points) {
    Run run;
    run.experiment = experiment;
    run.dash = dash;
    run.average = plot->addGraph();
    run.average->setSelectable(QCP::stNone);
    run.average->setAdaptiveSampling(true);
    if (points) run.average->setData(points);
    run.label = new QCPItemText(plot);
    run.label->setLayer(QStringLiteral("labels"));
    run.label->setSelectable(false);
    run.label->setClipToAxisRect(false);
    run.label->position->setType(QCPItemPosition::ptAbsolute);
    run.label->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    runs.insert(runs.begin(), run);
}

void LossChart::Impl::removeRun(std::size_t i) {
    plot->removeGraph(runs[i].average);
    plot->removeItem(runs[i].label);
    runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(i));
}

void LossChart::Impl::addMark(Mark mark) {
    mark.line = new QCPItemStraightLine(plot);
    mark.line->setSelectable(false);
    mark.line->setAntialiased(false);
    mark.line->setLayer(QStringLiteral("ghosts"));
    mark.line->point1->setCoords(static_cast<double>(mark.step), 0);
    mark.line->point2->setCoords(static_cast<double>(mark.step), 1);
    mark.label = new QCPItemText(plot);
    mark.label->setLayer(QStringLiteral("labels"));
    mark.label->setSelectable(false);
    mark.label->setText(mark.text);
    mark.label->position->setType(QCPItemPosition::ptAbsolute);
    marks.push_back(mark);
}

void LossChart::Impl::clearMarks() {
    for (const Mark& mark : marks) {
        plot->removeItem(mark.line);
        plot->removeItem(mark.label);
    }
    marks.clear();
}

void LossChart::Impl::adopt(const Impl& other) {
    for (auto run = other.runs.rbegin(); run != other.runs.rend(); ++run) {
        addRun(run->experiment, run->dash, Points::create(*run->average->data()));
        runs.front().largest = run->largest;
    }
    raw->setData(Points::create(*other.raw->data()));
    accuracy = other.accuracy;
    for (const Mark& mark : other.marks) addMark({mark.step, mark.text, mark.warning});
    relabel();
    zoomed = other.zoomed;
    if (!zoomed) return;
    plot->xAxis->setRange(other.plot->xAxis->range());
    plot->yAxis->setRange(other.plot->yAxis->range());
}

void LossChart::Impl::dropDetail() {
    for (QCPGraph* graph : {raw, runs.front().average}) {
        QCPGraphDataContainer& points = *graph->data();
        const int size = points.size();
        const int old = size - kNewestPoints;
        std::vector<int> places = extremes(points, old, old / 4);
        for (int i = old; i < size; ++i) places.push_back(i);
        if (graph == raw) {
            for (std::size_t i = 0; i < places.size(); ++i)
                accuracy[i] = accuracy[static_cast<std::size_t>(places[i])];
            accuracy.resize(places.size());
        }
        keepOnly(points, places);
    }
}

void LossChart::Impl::restyle(const Theme& new_theme, const QFont& font) {
    theme = new_theme;
    const int pixels = QFontInfo(font).pixelSize();
    line = std::max(1.0, pixels / 13.0);
    QFont small = font;
    small.setPixelSize(std::max(1, static_cast<int>(std::lround(pixels * 0.85))));
    QFont strong = small;
    strong.setWeight(QFont::DemiBold);

    plot->setBackground(theme.card);
    for (QCPAxis* axis : {plot->xAxis, plot->yAxis}) {
        for (const auto setter : {&QCPAxis::setBasePen, &QCPAxis::setTickPen}) (axis->*setter)(Qt::NoPen);
        axis->setLabelColor(theme.mutedText);
        axis->setLabelFont(small);
        axis->setTickLabelColor(theme.mutedText);
        axis->setTickLabelFont(small);
        axis->setTickLabelPadding(static_cast<int>(6 * line));
        axis->grid()->setPen(QPen(theme.gridLine, line));
        axis->grid()->setZeroLinePen(QPen(theme.gridLine, line));
    }
    QColor thin = theme.accent;
    thin.setAlphaF(0.4f);
    raw->setPen(QPen(thin, line));
    chanceLine->setPen(QPen(theme.warning, line, Qt::DashLine));
    chanceLabel->setColor(theme.warning);
    chanceLabel->setFont(small);
    emptyText->setColor(theme.mutedText);
    emptyText->setFont(font);

    QColor veil = theme.card;
    veil.setAlphaF(0.8f);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool ghost = i > 0;
        runs[i].average->setLayer(QString::fromLatin1(ghost ? "ghosts" : "main"));
        runs[i].average->setPen(QPen(ghost ? theme.ghost : theme.accent, (ghost ? 1.6 : 2.2) * line,
                                     ghost ? runs[i].dash : Qt::SolidLine));
        runs[i].label->setFont(ghost ? small : strong);
        runs[i].label->setColor(ghost ? theme.mutedText : theme.accent);
        runs[i].label->setBrush(veil);
        runs[i].label->setPadding(QMargins(1, 0, 1, 0) * static_cast<int>(std::ceil(4 * line)));
    }
    for (const Mark& mark : marks) {
        const QColor color = mark.warning ? theme.warning : theme.mutedText;
        mark.line->setPen(QPen(color, line, Qt::DotLine));
        mark.label->setColor(color);
        mark.label->setFont(small);
        mark.label->setBrush(veil);
        mark.label->setPadding(QMargins(1, 0, 1, 0) * static_cast<int>(std::ceil(4 * line)));
    }
    cursorLine->setPen(QPen(theme.mutedText, line));
    cursorDot->setPen(QPen(theme.card, 1.5 * line));
    cursorDot->setBrush(theme.accent);
    cursorLabel->setColor(chart.palette().color(QPalette::ToolTipText));
    cursorLabel->setBrush(chart.palette().color(QPalette::ToolTipBase));
    cursorLabel->setFont(small);
    cursorLabel->setPadding(QMargins(8, 4, 8, 4));
}

/// Called when runs come, go or change: says of each what sets it apart.
void LossChart::Impl::relabel() {
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const QString difference = differenceText(runs[i].experiment, runs[0].experiment);
        runs[i].label->setText(difference.isEmpty() ? tr("earlier run") : difference);
    }
    if (runs.empty()) return;
    const Experiment& experiment = runs[0].experiment;
    const QString difference = runs.size() > 1 ? differenceText(experiment, runs[1].experiment)
                                               : headCountText(experiment.model.n_heads);
    runs[0].label->setText(difference.isEmpty() ? tr("this run") : difference);
    chanceLabel->setText(tr("chance ln %1 = %2").arg(experiment.model.vocab_size).arg(chance(), 0, 'f', 2));
    for (const double x : {0.0, 1.0})
        (x == 0 ? chanceLine->point1 : chanceLine->point2)->setCoords(x, chance());
}

QCPRange LossChart::Impl::homeX() const {
    const double planned = runs.empty() ? 1 : std::max(1, runs[0].experiment.steps);
    if (raw->data()->isEmpty()) return {0, planned};
    const double last = (raw->data()->constEnd() - 1)->key;
    // By leaps, so that an endless run does not shift the axis at every step.
    return {0, last <= planned ? planned : last * 1.1};
}

QCPRange LossChart::Impl::homeY() const {
    if (runs.empty()) return {0, 1};
    double top = chance();
    for (const Run& run : runs) top = std::max(top, run.largest);
    // The label of the dashed line stands above it.
    const double height =
        std::max(1, plot->viewport().height() - area()->margins().top() - area()->margins().bottom());
    const double label = std::min(0.5, 1.2 * QFontMetricsF(chanceLabel->font()).height() / height);
    return {0, std::max(top * 1.04, chance() / (1 - label))};
}

void LossChart::Impl::fitRange() {
    if (zoomed) return;
    fitting = true;
    plot->xAxis->setRange(homeX());
    plot->yAxis->setRange(homeY());
    fitting = false;
}

/// A zoom never leaves what there is to see; one that shows all of it is none.
void LossChart::Impl::boundRange() {
    if (fitting) return;
    fitting = true;
    const QCPRange home = homeX();
    QCPRange x = plot->xAxis->range();
    const double least = std::min(kFewestSteps, home.size());
    if (x.size() < least) x = {x.center() - least / 2, x.center() + least / 2};
    plot->xAxis->setRange(x.bounded(home.lower, home.upper));
    plot->yAxis->setRange(plot->yAxis->range().bounded(0, homeY().upper));
    zoomed = plot->xAxis->range() != home || plot->yAxis->range() != homeY();
    fitting = false;
}

/// Before the layout: the right margin holds the longest label, the ticks keep their distance.
void LossChart::Impl::reserveMargins() {
    double longest = 0;
    for (const Run& run : runs) longest = std::max(longest, boxOf(*run.label, {}).width());
    const double limit = plot->viewport().width() / 3.0;
    const int right = static_cast<int>(std::ceil(std::max(12 * line, std::min(longest, limit) + 2 * line)));
    area()->setMargins(QMargins(0, static_cast<int>(6 * line), right, 0));
    const QFontMetricsF metrics(plot->xAxis->tickLabelFont());
    const auto count = [](double pixels, double each) {
        return std::clamp(static_cast<int>(pixels / each), 2, 8);
    };
    const double widest = metrics.horizontalAdvance(QString::number(plot->xAxis->range().upper, 'f', 0));
    plot->xAxis->ticker()->setTickCount(
        count(plot->viewport().width() - right, widest + 3 * metrics.height()));
    plot->yAxis->ticker()->setTickCount(count(plot->viewport().height(), 2.2 * metrics.height()));
    fitRange();
}

void LossChart::Impl::placeLabels() {
    const QRectF box = area()->rect();
    const bool drawn = !runs.empty();
    emptyText->setVisible(!drawn);
    emptyText->setText(drawn ? QString() : tr("No run yet. Start one to see its loss fall."));
    emptyText->position->setCoords(box.center());
    chanceLine->setVisible(drawn);
    chanceLabel->setVisible(drawn && plot->yAxis->range().contains(chance()));
    if (drawn) {
        chanceLabel->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
        chanceLabel->position->setCoords(box.right(), plot->yAxis->coordToPixel(chance()) - line);
    }
    std::vector<QRectF> boxes;
    std::vector<std::pair<double, QCPItemText*>> wanted;  // by height, as spread() sorts
    for (const Run& run : runs) {
        const auto end = run.average->data()->findEnd(plot->xAxis->range().upper, false);
        const bool visible =
            end != run.average->data()->constBegin() && (end - 1)->key >= plot->xAxis->range().lower;
        run.label->setVisible(visible);
        if (!visible) continue;
        const QPointF at(plot->xAxis->coordToPixel((end - 1)->key) + 2 * line,
                         plot->yAxis->coordToPixel((end - 1)->value));
        boxes.push_back(boxOf(*run.label, at));
        wanted.emplace_back(boxes.back().top(), run.label);
    }
    std::stable_sort(wanted.begin(), wanted.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    spread(boxes, box.top(), box.bottom());
    for (std::size_t i = 0; i < boxes.size(); ++i)
        wanted[i].second->position->setCoords(boxes[i].left(), boxes[i].center().y());
}

void LossChart::Impl::placeMarks() {
    const QRectF box = area()->rect();
    double y = box.top() + box.height() / 3;  // each a line below the one before, as they may stand close
    for (const Mark& mark : marks) {
        const double x = plot->xAxis->coordToPixel(static_cast<double>(mark.step));
        const bool left = x > box.center().x();
        mark.label->setPositionAlignment((left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        mark.label->position->setCoords(x + (left ? -2 : 2) * line, y);
        y += 1.3 * QFontMetricsF(mark.label->font()).height();
        if (y > box.bottom() - box.height() / 4) y = box.top() + box.height() / 3;
    }
}

void LossChart::Impl::placeCursor() {
    const QRectF box = area()->rect();
    const bool shown = cursor && !raw->data()->isEmpty();
    cursorLine->setVisible(shown);
    cursorDot->setVisible(shown);
    cursorLabel->setVisible(shown);
    if (!shown) return;
    const auto point = raw->data()->findBegin(static_cast<double>(*cursor), false);
    cursorLine->point1->setCoords(point->key, 0);
    cursorLine->point2->setCoords(point->key, 1);
    const QPointF at(plot->xAxis->coordToPixel(point->key), plot->yAxis->coordToPixel(point->value));
    const QPointF radius(4 * line, 4 * line);
    cursorDot->topLeft->setCoords(at - radius);
    cursorDot->bottomRight->setCoords(at + radius);
    cursorLabel->setText(chart.cursorText());
    const double width = boxOf(*cursorLabel, {}).width();
    const double x = at.x() + 10 + width > plot->viewport().right() ? at.x() - 10 - width : at.x() + 10;
    cursorLabel->position->setCoords(std::max(box.left(), x), box.top() + box.height() / 4);
}

void LossChart::Impl::changed() {
    plot->replot(QCustomPlot::rpQueuedReplot);
    chart.announce();
}

LossChart::LossChart(QWidget* parent) : DescribedWidget(parent), m_impl(std::make_unique<Impl>(*this)) {
    setAccessibleName(tr("Loss curve"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_impl->restyle(Theme::of(palette()), font());
}

LossChart::~LossChart() = default;

void LossChart::beginRun(const Experiment& experiment) {
    Impl& d = *m_impl;
    if (Run* old = d.current()) {
        if (old->average->data()->isEmpty())
            d.removeRun(0);
        else if (const int size = old->average->data()->size(); size > 2 * kGhostStretches)
            keepOnly(*old->average->data(), extremes(*old->average->data(), size, kGhostStretches));
    }
    constexpr Qt::PenStyle dashes[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    d.addRun(experiment, dashes[d.begun++ % 4], {});
    while (d.runs.size() > 1 + kGhosts) d.removeRun(d.runs.size() - 1);
    d.clearMarks();
    d.raw->data()->clear();
    d.accuracy.clear();
    d.cursor.reset();
    d.zoomed = false;
    d.relabel();
    d.restyle(d.theme, font());
    d.changed();
}

void LossChart::append(const std::vector<LossPoint>& points) {
    Impl& d = *m_impl;
    Run* run = d.current();
    if (!run) return;
    QVector<QCPGraphData> losses, averages;
    for (const LossPoint& point : points) {
        if (!std::isfinite(point.loss)) continue;
        const double step = static_cast<double>(point.step);
        double average = point.loss;
        if (!averages.isEmpty())
            average = kSmoothing * averages.last().value + (1 - kSmoothing) * point.loss;
        else if (const auto before = smoothedLoss())
            average = kSmoothing * *before + (1 - kSmoothing) * point.loss;
        losses.append({step, point.loss});
        averages.append({step, average});
        d.accuracy.push_back(point.accuracy);
        run->largest = std::max(run->largest, average);
    }
    if (losses.isEmpty()) return;
    d.raw->data()->add(losses, true);
    run->average->data()->add(averages, true);
    if (d.raw->data()->size() > kMostPoints) d.dropDetail();
    d.changed();
}

void LossChart::carryOn(const Experiment& experiment, std::int64_t step) {
    Impl& d = *m_impl;
    Run* run = d.current();
    if (!run) return beginRun(experiment);
    const QString difference = differenceText(experiment, run->experiment);
    if (difference.isEmpty()) return;
    d.addMark({step, difference, false});
    run->experiment = experiment;
    d.relabel();
    d.restyle(d.theme, font());
    d.changed();
}

void LossChart::markDiverged(std::int64_t step) {
    m_impl->addMark({step, tr("diverged at step %1").arg(step), true});
    m_impl->restyle(m_impl->theme, font());
    m_impl->changed();
}

void LossChart::clearGhosts() {
    while (m_impl->runs.size() > 1) m_impl->removeRun(1);
    m_impl->relabel();
    m_impl->changed();
}

bool LossChart::isEmpty() const { return m_impl->raw->data()->isEmpty(); }

std::optional<Experiment> LossChart::experiment() const {
    return m_impl->runs.empty() ? std::nullopt : std::optional(m_impl->runs.front().experiment);
}

int LossChart::ghostCount() const { return std::max(0, static_cast<int>(m_impl->runs.size()) - 1); }

QStringList LossChart::ghostLabels() const {
    QStringList labels;
    for (std::size_t i = 1; i < m_impl->runs.size(); ++i) labels << m_impl->runs[i].label->text();
    return labels;
}

std::optional<double> LossChart::smoothedLoss() const {
    if (isEmpty()) return {};
    return (m_impl->runs.front().average->data()->constEnd() - 1)->value;
}

std::optional<LossPoint> LossChart::lastPoint() const {
    if (isEmpty()) return {};
    const auto last = m_impl->raw->data()->constEnd() - 1;
    return LossPoint{std::llround(last->key), static_cast<float>(last->value), m_impl->accuracy.back()};
}

void LossChart::setCursorStep(std::optional<std::int64_t> step) {
    Impl& d = *m_impl;
    if (step && !isEmpty()) {
        const auto first = d.raw->data()->constBegin();
        const auto last = d.raw->data()->constEnd() - 1;
        step = std::clamp<std::int64_t>(*step, std::llround(first->key), std::llround(last->key));
    }
    if (step == d.cursor) return;
    d.cursor = step;
    d.placeCursor();
    d.plot->layer(QStringLiteral("overlay"))->replot();
    announce();
}

QString LossChart::cursorText() const {
    const Impl& d = *m_impl;
    if (!d.cursor || isEmpty()) return {};
    const auto point = d.raw->data()->findBegin(static_cast<double>(*d.cursor), false);
    const auto index = point - d.raw->data()->constBegin();
    return tr("step %1 · loss %2 · accuracy %3 %")
        .arg(std::llround(point->key))
        .arg(point->value, 0, 'g', 3)
        .arg(std::lround(d.accuracy[static_cast<std::size_t>(index)] * 100));
}

void LossChart::showAll() {
    m_impl->zoomed = false;
    m_impl->plot->replot(QCustomPlot::rpQueuedReplot);
}

std::unique_ptr<LossChart> LossChart::frozenCopy() const {
    auto copy = std::make_unique<LossChart>();
    copy->m_impl->adopt(*m_impl);
    return copy;
}

QImage LossChart::picture(const QSize& pixels, const Theme& theme, const QFont& font) const {
    const auto copy = frozenCopy();
    Impl& d = *copy->m_impl;
    d.restyle(theme, font);
    d.plot->xAxis->setLabel(tr("step"));
    d.plot->yAxis->setLabel(tr("loss (nats)"));
    d.plot->setBufferDevicePixelRatio(1);
    d.plot->setViewport(QRect(QPoint(), pixels));
    d.plot->replot(QCustomPlot::rpImmediateRefresh);
    QImage image(pixels, QImage::Format_RGB32);
    image.fill(theme.card);
    QCPPainter painter(&image);
    d.plot->toPainter(&painter, pixels.width(), pixels.height());
    return image;
}

QString LossChart::description() const {
    const auto last = lastPoint();
    if (!last) return tr("No loss yet.");
    QStringList sentences;
    if (m_impl->cursor) sentences << cursorText() + QLatin1Char('.');
    sentences << tr("Loss %1 at step %2, smoothed %3, accuracy %4 %; chance is %5.")
                     .arg(last->loss, 0, 'g', 3)
                     .arg(last->step)
                     .arg(*smoothedLoss(), 0, 'g', 3)
                     .arg(std::lround(last->accuracy * 100))
                     .arg(m_impl->chance(), 0, 'f', 2);
    for (const Mark& mark : m_impl->marks) sentences << tr("Step %1: %2.").arg(mark.step).arg(mark.text);
    if (ghostCount()) sentences << tr("Earlier runs: %1.").arg(ghostLabels().join(QStringLiteral("; ")));
    return sentences.join(QLatin1Char(' '));
}

QSize LossChart::sizeHint() const { return {640, 170}; }
QSize LossChart::minimumSizeHint() const { return {220, 100}; }

bool LossChart::event(QEvent* event) {
    switch (event->type()) {
        case QEvent::ShortcutOverride:
            switch (static_cast<QKeyEvent*>(event)->key()) {
                case Qt::Key_Left:
                case Qt::Key_Right:
                    event->accept();
                    return true;
                default:
                    break;
            }
            break;
        case QEvent::Show:
        case QEvent::ScreenChangeInternal:
            if (m_impl->plot->bufferDevicePixelRatio() != devicePixelRatioF()) {
                m_impl->plot->setBufferDevicePixelRatio(devicePixelRatioF());
                m_impl->plot->replot(QCustomPlot::rpQueuedReplot);
            }
            break;
        default:
            break;
    }
    return DescribedWidget::event(event);
}

bool LossChart::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Leave && !hasFocus()) setCursorStep({});
    return DescribedWidget::eventFilter(watched, event);
}

void LossChart::resizeEvent(QResizeEvent*) {
    m_impl->plot->setGeometry(rect().adjusted(kFocusRing, kFocusRing, -kFocusRing, -kFocusRing));
}

void LossChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_impl->theme.card);
    if (!hasFocus()) return;
    painter.setPen(QPen(m_impl->theme.accent, kFocusRing));
    painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

void LossChart::changeEvent(QEvent* event) {
    switch (event->type()) {
        case QEvent::LanguageChange:
            m_impl->relabel();
            [[fallthrough]];
        case QEvent::PaletteChange:
        case QEvent::FontChange:
            m_impl->restyle(Theme::of(palette()), font());
            m_impl->plot->replot(QCustomPlot::rpQueuedReplot);
            break;
        default:
            break;
    }
    DescribedWidget::changeEvent(event);
}

void LossChart::keyPressEvent(QKeyEvent* event) {
    if (const auto last = lastPoint()) {
        const std::int64_t at = m_impl->cursor.value_or(last->step);
        switch (event->key()) {
            case Qt::Key_Left:
                return setCursorStep(m_impl->cursor ? at - 1 : at);
            case Qt::Key_Right:
                return setCursorStep(m_impl->cursor ? at + 1 : at);
            case Qt::Key_PageUp:
                return setCursorStep(at - kStepsPerEpoch);
            case Qt::Key_PageDown:
                return setCursorStep(at + kStepsPerEpoch);
            case Qt::Key_Home:
                return setCursorStep(0);
            case Qt::Key_End:
                return setCursorStep(last->step);
            case Qt::Key_Escape:
                if (!m_impl->cursor) break;
                return setCursorStep({});
            default:
                break;
        }
    }
    DescribedWidget::keyPressEvent(event);
}

}  // namespace headscope
