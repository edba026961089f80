#include "ui/loss_chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QApplication>
#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "ui/loss_plot.h"
#include "ui/paint_plot.h"
#include "ui/run_text.h"

namespace headscope {
namespace {

constexpr std::array kDashes = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};

}  // namespace

LossChart::LossChart(QWidget* parent) : PlotWidget(parent), m_plot(std::make_unique<LossPlot>(this)) {
    setAccessibleName(tr("Loss curve"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    m_plot->restyle(Theme::of(palette()), font());
    QCustomPlot* plot = m_plot->plot;
    fillWith(plot);
    plot->installEventFilter(this);
    plot->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(plot, &QWidget::customContextMenuRequested, this, [this, plot](const QPoint& position) {
        emit customContextMenuRequested(plot->mapTo(this, position));
    });
    connect(plot, &QCustomPlot::mouseDoubleClick, this, &LossChart::showAll);
    connect(plot, &QCustomPlot::mouseMove, this, [this, plot](QMouseEvent* event) {
        setCursorStep(std::llround(plot->xAxis->pixelToCoord(event->position().x())));
    });
    connect(plot, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) { m_pressed = event->pos(); });
    connect(plot, &QCustomPlot::mouseRelease, this, [this, plot](QMouseEvent* event) {
        const bool dragged =
            (event->pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance();
        if (event->button() != Qt::LeftButton || dragged || isEmpty()) return;
        setCursorStep(std::llround(plot->xAxis->pixelToCoord(event->position().x())));
        emit stepChosen(*m_plot->cursor);
    });
}

LossChart::~LossChart() = default;

void LossChart::beginRun(const Experiment& experiment, const std::optional<Experiment>& twin) {
    LossPlot& d = *m_plot;
    const bool had_twin = d.twin.has_value();
    d.retireTwin();
    if (isEmpty() && !d.runs.empty())
        for (int i = 0; i <= had_twin; ++i) d.removeRun(0);
    else if (!d.runs.empty())
        for (std::size_t i = 0; i <= std::size_t{had_twin}; ++i) d.thinGhost(i);
    d.addRun(experiment, kDashes[m_begun++ % kDashes.size()], {});
    if (twin) d.addTwin(*twin);
    while (d.runs.size() > 1 + kGhosts) d.removeRun(d.runs.size() - 1);
    d.clearMarks();
    d.raw->data()->clear();
    d.accuracy.clear();
    d.cursor.reset();
    m_rest.reset();
    d.zoomed = false;
    d.relabel();
    d.restyle(d.theme, font());
    changed();
}

void LossChart::append(const std::vector<LossPoint>& points) {
    LossPlot& d = *m_plot;
    if (d.runs.empty()) return;
    LossPlot::Run& run = d.runs.front();
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
        run.largest = std::max(run.largest, average);
    }
    if (losses.isEmpty()) return;
    d.raw->data()->add(losses, true);
    run.average->data()->add(averages, true);
    d.boundDetail();
    changed();
}

void LossChart::appendTwin(const std::vector<LossPoint>& points) {
    LossPlot& d = *m_plot;
    if (!d.twin) return;
    QVector<QCPGraphData> averages;
    std::optional<double> average = smoothedTwinLoss();
    for (const LossPoint& point : points) {
        if (!std::isfinite(point.loss)) continue;
        average = average ? kSmoothing * *average + (1 - kSmoothing) * point.loss : double{point.loss};
        averages.append({static_cast<double>(point.step), *average});
        d.twin->largest = std::max(d.twin->largest, *average);
    }
    if (averages.isEmpty()) return;
    d.twin->average->data()->add(averages, true);
    changed();
}

void LossChart::carryOn(const Experiment& experiment, std::int64_t step) {
    LossPlot& d = *m_plot;
    if (d.runs.empty()) return beginRun(experiment);
    const auto difference = [experiment, before = d.runs.front().experiment] {
        return differenceText(experiment, before);
    };
    if (difference().isEmpty()) return;
    d.addMark({step, difference, false});
    d.runs.front().experiment = experiment;
    d.relabel();
    d.restyle(d.theme, font());
    changed();
}

void LossChart::markDiverged(std::int64_t step) {
    m_plot->addMark({step, [step] { return tr("diverged at step %1").arg(step); }, true});
    m_plot->restyle(m_plot->theme, font());
    changed();
}

void LossChart::mark(std::int64_t step, const std::function<QString()>& text) {
    m_plot->addMark({step, text, false});
    m_plot->restyle(m_plot->theme, font());
    changed();
}

void LossChart::clearGhosts() {
    while (m_plot->runs.size() > 1) m_plot->removeRun(1);
    m_plot->relabel();
    changed();
}

std::vector<EarlierRun> LossChart::ghosts() const {
    std::vector<EarlierRun> ghosts;
    for (std::size_t i = 1; i < m_plot->runs.size(); ++i) {
        const LossPlot::Run& run = m_plot->runs[i];
        EarlierRun& ghost = ghosts.emplace_back(EarlierRun{run.experiment, run.dash, {}});
        for (const QCPGraphData& point : *run.average->data()) ghost.average.append({point.key, point.value});
    }
    return ghosts;
}

void LossChart::setGhosts(const std::vector<EarlierRun>& ghosts) {
    LossPlot& d = *m_plot;
    if (d.runs.empty()) return;
    clearGhosts();
    for (const EarlierRun& ghost : ghosts) d.addGhost(ghost);
    if (!ghosts.empty()) {
        // The dashes go on as they were.
        const auto newest = std::find(kDashes.begin(), kDashes.end(), ghosts.front().dash);
        m_begun = static_cast<std::size_t>(newest - kDashes.begin()) + 1;
        d.runs.front().dash = kDashes[m_begun++ % kDashes.size()];
    }
    d.relabel();
    d.restyle(d.theme, font());
    changed();
}

bool LossChart::isEmpty() const { return m_plot->isEmpty(); }

std::optional<Experiment> LossChart::experiment() const {
    return m_plot->runs.empty() ? std::nullopt : std::optional(m_plot->runs.front().experiment);
}

int LossChart::ghostCount() const { return std::max(0, static_cast<int>(m_plot->runs.size()) - 1); }

QStringList LossChart::ghostLabels() const {
    QStringList labels;
    for (std::size_t i = 1; i < m_plot->runs.size(); ++i) labels << m_plot->runs[i].text;
    return labels;
}

std::optional<double> LossChart::smoothedLoss() const {
    if (isEmpty()) return {};
    return (m_plot->runs.front().average->data()->constEnd() - 1)->value;
}

std::optional<double> LossChart::smoothedTwinLoss() const {
    if (!m_plot->twin || m_plot->twin->average->data()->isEmpty()) return {};
    return (m_plot->twin->average->data()->constEnd() - 1)->value;
}

QStringList LossChart::runLabels() const {
    QStringList labels;
    if (!m_plot->runs.empty()) labels << m_plot->runs.front().text;
    if (m_plot->twin) labels << m_plot->twin->text;
    return labels;
}

std::optional<LossPoint> LossChart::lastPoint() const {
    if (isEmpty()) return {};
    const auto last = m_plot->raw->data()->constEnd() - 1;
    return LossPoint{std::llround(last->key), static_cast<float>(last->value), m_plot->accuracy.back()};
}

void LossChart::changed() {
    m_plot->plot->replot(QCustomPlot::rpQueuedReplot);
    announce();
}

void LossChart::setCursorStep(std::optional<std::int64_t> step) {
    LossPlot& d = *m_plot;
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

void LossChart::restCursorAt(std::optional<std::int64_t> step) {
    m_rest = step;
    setCursorStep(step);
}

QString LossChart::cursorText() const { return m_plot->cursorText(); }

void LossChart::showAll() {
    m_plot->zoomed = false;
    m_plot->plot->replot(QCustomPlot::rpQueuedReplot);
}

std::unique_ptr<LossChart> LossChart::frozenCopy() const {
    auto copy = std::make_unique<LossChart>();
    copy->m_plot->adopt(*m_plot);
    return copy;
}

void LossChart::paint(QCPPainter& painter, const QRect& room, const Theme& theme, const QFont& font) const {
    const auto copy = frozenCopy();
    LossPlot& d = *copy->m_plot;
    d.restyle(theme, font);
    d.plot->xAxis->setLabel(tr("step"));
    d.plot->yAxis->setLabel(tr("loss (nats)"));
    paintPlot(*d.plot, painter, room);
}

QString LossChart::description() const {
    const auto last = lastPoint();
    if (!last) return tr("No loss yet.");
    QStringList sentences;
    if (m_plot->cursor) sentences << cursorText() + QLatin1Char('.');
    sentences << tr("Loss %1 at step %2, smoothed %3, accuracy %4 %; chance is %5.")
                     .arg(last->loss, 0, 'g', 3)
                     .arg(last->step)
                     .arg(*smoothedLoss(), 0, 'g', 3)
                     .arg(std::lround(last->accuracy * 100))
                     .arg(m_plot->chance(), 0, 'f', 2);
    if (const auto twin = smoothedTwinLoss())
        sentences << tr("Its twin, %1: smoothed %2.").arg(m_plot->twin->text).arg(*twin, 0, 'g', 3);
    for (const LossPlot::Mark& mark : m_plot->marks)
        sentences << tr("Step %1: %2.").arg(mark.step).arg(mark.text());
    if (ghostCount()) sentences << tr("Earlier runs: %1.").arg(ghostLabels().join(QStringLiteral("; ")));
    return sentences.join(QLatin1Char(' '));
}

QSize LossChart::sizeHint() const { return {640, 170}; }
QSize LossChart::minimumSizeHint() const { return {220, 80}; }

bool LossChart::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Leave && !hasFocus()) setCursorStep(m_rest);
    // A press that opens a menu begins no zoom.
    if (event->type() == QEvent::MouseButtonPress &&
        static_cast<QMouseEvent*>(event)->button() == Qt::RightButton)
        return true;
    return PlotWidget::eventFilter(watched, event);
}

void LossChart::changeEvent(QEvent* event) {
    switch (event->type()) {
        case QEvent::LanguageChange:
            m_plot->relabel();
            [[fallthrough]];
        case QEvent::PaletteChange:
        case QEvent::FontChange:
            m_plot->restyle(Theme::of(palette()), font());
            m_plot->plot->replot(QCustomPlot::rpQueuedReplot);
            break;
        default:
            break;
    }
    PlotWidget::changeEvent(event);
}

void LossChart::keyPressEvent(QKeyEvent* event) {
    if (const auto last = lastPoint()) {
        const std::int64_t at = m_plot->cursor.value_or(last->step);
        switch (event->key()) {
            case Qt::Key_Left:
                return setCursorStep(m_plot->cursor ? at - 1 : at);
            case Qt::Key_Right:
                return setCursorStep(m_plot->cursor ? at + 1 : at);
            case Qt::Key_PageUp:
                return setCursorStep(at - kStepsPerEpoch);
            case Qt::Key_PageDown:
                return setCursorStep(at + kStepsPerEpoch);
            case Qt::Key_Home:
                return setCursorStep(0);
            case Qt::Key_End:
                return setCursorStep(last->step);
            case Qt::Key_Return:
            case Qt::Key_Enter:
                if (m_plot->cursor) return emit stepChosen(*m_plot->cursor);
                break;
            case Qt::Key_Escape:
                if (!m_plot->cursor) break;
                return setCursorStep({});
            default:
                break;
        }
    }
    PlotWidget::keyPressEvent(event);
}

}  // namespace headscope
