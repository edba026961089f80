#include "ui/loss_plot.h"

#include <algorithm>

namespace headscope {
namespace {

/// Where the smallest and the largest of each of `stretches` equally long stretches of steps are among the
/// first `size` points, ascending.
std::vector<int> extremes(const QCPGraphDataContainer& points, int size, int stretches) {
    const auto begin = points.constBegin();
    const auto end = begin + size;
    const double first = begin->key;
    const double length = ((end - 1)->key - first) / stretches;
    const auto key_below = [](const QCPGraphData& point, double step) { return point.key < step; };
    const auto value_below = [](const QCPGraphData& a, const QCPGraphData& b) { return a.value < b.value; };
    std::vector<int> places;
    auto from = begin;
    for (int i = 1; i <= stretches; ++i) {
        const auto until = i == stretches ? end : std::lower_bound(from, end, first + i * length, key_below);
        if (from == until) continue;
        const auto [low, high] = std::minmax_element(from, until, value_below);
        places.push_back(static_cast<int>(std::min(low, high) - begin));
        if (low != high) places.push_back(static_cast<int>(std::max(low, high) - begin));
        from = until;
    }
    return places;
}

void keepOnly(QCPGraphDataContainer& points, const std::vector<int>& places) {
    QVector<QCPGraphData> kept;
    kept.reserve(static_cast<qsizetype>(places.size()));
    for (const int place : places) kept.append(*(points.constBegin() + place));
    points.set(kept, true);
}

}  // namespace

LossPlot::LossPlot(QWidget* parent) : plot(new QCustomPlot(parent)) {
    plot->setPlottingHints(QCP::phFastPolylines | QCP::phCacheLabels);
    plot->setFocusPolicy(Qt::ClickFocus);
    plot->setFocusProxy(parent);
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
        item->setClipToAxisRect(false);
        item->position->setType(QCPItemPosition::ptAbsolute);
        item->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        return item;
    };
    const auto straight = [this](const char* layer) {
        auto* item = new QCPItemStraightLine(plot);
        item->setLayer(QString::fromLatin1(layer));
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

    plot->setInteractions(QCP::iRangeZoom);
    plot->setSelectionRectMode(QCP::srmZoom);
    QObject::connect(plot, &QCustomPlot::beforeReplot, plot, [this] { reserveMargins(); });
    QObject::connect(plot, &QCustomPlot::afterLayout, plot, [this] {
        placeLabels();
        placeMarks();
        placeCursor();
    });
    const auto bound = [this] { boundRange(); };
    QObject::connect(plot->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), plot, bound);
    QObject::connect(plot->yAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), plot, bound);
}

LossPlot::Run LossPlot::makeRun(const Experiment& experiment, Qt::PenStyle dash) {
    Run run;
    run.experiment = experiment;
    run.dash = dash;
    run.average = plot->addGraph();
    run.label = new QCPItemText(plot);
    run.label->setLayer(QStringLiteral("labels"));
    run.label->setClipToAxisRect(false);
    run.label->position->setType(QCPItemPosition::ptAbsolute);
    run.label->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    run.sample = new QCPItemLine(plot);
    run.sample->setLayer(QStringLiteral("labels"));
    run.sample->setClipToAxisRect(false);
    for (QCPItemPosition* end : {run.sample->start, run.sample->end})
        end->setType(QCPItemPosition::ptAbsolute);
    return run;
}

void LossPlot::addRun(const Experiment& experiment, Qt::PenStyle dash, const Points& points) {
    Run run = makeRun(experiment, dash);
    if (points) run.average->setData(points);
    runs.insert(runs.begin(), run);
}

void LossPlot::addGhost(const EarlierRun& ghost) {
    Run run = makeRun(ghost.experiment, ghost.dash);
    for (const QPointF& point : ghost.average) {
        run.average->addData(point.x(), point.y());
        run.largest = std::max(run.largest, point.y());
    }
    runs.push_back(run);
}

void LossPlot::addTwin(const Experiment& experiment) { twin = makeRun(experiment, Qt::DashLine); }

void LossPlot::retireTwin() {
    if (!twin) return;
    runs.insert(runs.begin() + 1, *twin);
    twin.reset();
}

std::vector<const LossPlot::Run*> LossPlot::drawn() const {
    std::vector<const Run*> all;
    for (const Run& run : runs) {
        all.push_back(&run);
        if (all.size() == 1 && twin) all.push_back(&*twin);
    }
    return all;
}

bool LossPlot::isGhost(const Run& run) const {
    return run.average != runs.front().average && !(twin && run.average == twin->average);
}

void LossPlot::removeRun(std::size_t i) {
    plot->removeGraph(runs[i].average);
    plot->removeItem(runs[i].label);
    plot->removeItem(runs[i].sample);
    runs.erase(runs.begin() + static_cast<std::ptrdiff_t>(i));
}

void LossPlot::addMark(Mark mark) {
    mark.line = new QCPItemStraightLine(plot);
    mark.line->setAntialiased(false);
    mark.line->setLayer(QStringLiteral("ghosts"));
    mark.line->point1->setCoords(static_cast<double>(mark.step), 0);
    mark.line->point2->setCoords(static_cast<double>(mark.step), 1);
    mark.label = new QCPItemText(plot);
    mark.label->setLayer(QStringLiteral("labels"));
    mark.label->setText(mark.text());
    mark.label->position->setType(QCPItemPosition::ptAbsolute);
    marks.push_back(mark);
}

void LossPlot::clearMarks() {
    for (const Mark& mark : marks) {
        plot->removeItem(mark.line);
        plot->removeItem(mark.label);
    }
    marks.clear();
}

void LossPlot::adopt(const LossPlot& other) {
    for (auto run = other.runs.rbegin(); run != other.runs.rend(); ++run) {
        addRun(run->experiment, run->dash, Points::create(*run->average->data()));
        runs.front().largest = run->largest;
    }
    if (other.twin) {
        addTwin(other.twin->experiment);
        twin->average->setData(Points::create(*other.twin->average->data()));
        twin->largest = other.twin->largest;
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

void LossPlot::thinGhost(std::size_t i) {
    constexpr int kStretches = 10'000;
    QCPGraphDataContainer& points = *runs[i].average->data();
    if (points.size() > 2 * kStretches) keepOnly(points, extremes(points, points.size(), kStretches));
}

void LossPlot::boundDetail() {
    constexpr int kMostPoints = 400'000;
    constexpr int kNewestPoints = 200'000;
    constexpr int kStretches = 50'000;
    if (std::max(raw->data()->size(), runs.front().average->data()->size()) <= kMostPoints) return;
    std::vector<QCPGraph*> graphs = {raw, runs.front().average};
    if (twin) graphs.push_back(twin->average);
    for (QCPGraph* graph : graphs) {
        QCPGraphDataContainer& points = *graph->data();
        const int size = points.size();
        const int old = size - kNewestPoints;
        std::vector<int> places = extremes(points, old, kStretches);
        for (int i = old; i < size; ++i) places.push_back(i);
        if (graph == raw) {
            for (std::size_t i = 0; i < places.size(); ++i)
                accuracy[i] = accuracy[static_cast<std::size_t>(places[i])];
            accuracy.resize(places.size());
        }
        keepOnly(points, places);
    }
}

}  // namespace headscope
