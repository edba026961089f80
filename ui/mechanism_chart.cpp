#include "ui/mechanism_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QFontInfo>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <qcustomplot.h>

#include "ui/head_pen.h"
#include "ui/paint_plot.h"

namespace headscope {
namespace {

double finiteOrGap(double value) {
    return std::isfinite(value) ? value : std::numeric_limits<double>::quiet_NaN();
}

double meanOf(const MechanismChart::Point& point, Measure measure) {
    double sum = 0;
    for (const HeadDiagnostics& head : point.heads) sum += double{valueOf(head, measure)};
    return sum / static_cast<double>(std::max<std::size_t>(1, point.heads.size()));
}

}  // namespace

void MechanismChart::History::add(const Snapshot& snapshot, int planned_steps) {
    if (snapshot.diagnostics.empty()) return;
    if (!points.empty() && points.back().heads.size() != snapshot.diagnostics.size()) points.clear();
    context_length = snapshot.experiment.model.context_length;
    Point point{snapshot.steps_done, snapshot.diagnostics};
    // The newest point stands until the next one is far enough from the one before it.
    const std::size_t n = points.size();
    const double spacing = static_cast<double>(planned_steps) / kPoints;
    const bool replaces =
        n > 0 && (points[n - 1].step == point.step ||
                  (n > 1 && static_cast<double>(points[n - 1].step - points[n - 2].step) < spacing));
    if (replaces)
        points.back() = std::move(point);
    else
        points.push_back(std::move(point));
}

MechanismChart::MechanismChart(QWidget* parent) : PlotWidget(parent), m_plot(new QCustomPlot(this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    fillWith(m_plot);
    m_plot->setFocusPolicy(Qt::ClickFocus);
    m_plot->setFocusProxy(this);
    m_plot->setPlottingHints(QCP::phFastPolylines | QCP::phCacheLabels);
    m_plot->setInteractions({});
    m_plot->xAxis->setNumberFormat(QStringLiteral("f"));
    m_plot->xAxis->setNumberPrecision(0);
    m_plot->xAxis->grid()->setVisible(false);
    m_plot->yAxis->setNumberFormat(QStringLiteral("g"));
    m_plot->yAxis->setNumberPrecision(3);
    m_plot->axisRect()->setMinimumMargins({0, 4, 18, 0});
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setTickLength(0, 0);
        axis->setSubTicks(false);
        axis->ticker()->setTickCount(3);
    }
    const auto straight = [this] {
        auto* line = new QCPItemStraightLine(m_plot);
        line->setAntialiased(false);
        return line;
    };
    m_reference = straight();
    m_cursorLine = straight();
    m_besideMean = m_plot->addGraph();
    connect(m_plot, &QCustomPlot::beforeReplot, this, &MechanismChart::fill);
    connect(m_plot, &QCustomPlot::mousePress, this, [this](QMouseEvent* event) {
        if (event->button() != Qt::LeftButton) return;
        const double step = m_plot->xAxis->pixelToCoord(event->position().x());
        if (const Point* point = nearest(std::llround(step))) emit stepChosen(point->step);
    });
    setMeasure(m_measure);
    restyle();
}

void MechanismChart::beginRun(const Experiment& experiment) {
    m_first = {};
    m_twin = {};
    m_plannedSteps = std::max(1, experiment.steps);
    m_first.context_length = m_twin.context_length = experiment.model.context_length;
    m_cursor.reset();
    changed();
}

void MechanismChart::append(const Snapshot& snapshot, const Snapshot* twin) {
    m_first.add(snapshot, m_plannedSteps);
    if (twin) m_twin.add(*twin, m_plannedSteps);
    changed();
}

void MechanismChart::setSide(TwinSide side) {
    m_side = side;
    changed();
}

void MechanismChart::setMeasure(Measure measure) {
    m_measure = measure;
    setAccessibleName(tr("%1 per head").arg(measureName(measure)));
    setToolTip(measureFormula(measure));
    changed();
}

void MechanismChart::setCursorStep(std::optional<std::int64_t> step) {
    if (step == m_cursor) return;
    m_cursor = step;
    changed();
}

std::optional<Reference> MechanismChart::reference() const {
    return referenceOf(m_measure, shown().context_length);
}

const MechanismChart::Point* MechanismChart::nearest(std::int64_t step) const {
    const auto& points = shown().points;
    const auto nearer = [step](const Point& a, const Point& b) {
        return std::abs(a.step - step) < std::abs(b.step - step);
    };
    const auto found = std::min_element(points.begin(), points.end(), nearer);
    return found == points.end() ? nullptr : &*found;
}

void MechanismChart::changed() {
    m_stale = true;
    if (isVisible()) m_plot->replot(QCustomPlot::rpQueuedReplot);
    announce();
}

/// Just before it is drawn: what comes between two replots costs nothing.
void MechanismChart::fill() {
    if (!m_stale) return;
    m_stale = false;
    const auto& points = shown().points;
    const std::size_t n_heads = points.empty() ? 0 : points.back().heads.size();
    while (m_heads.size() > n_heads) {
        m_plot->removeGraph(m_heads.back());
        m_heads.pop_back();
    }
    while (m_heads.size() < n_heads) m_heads.push_back(m_plot->addGraph());

    double top = 0;
    const auto draw = [&top](QCPGraph* graph, const std::vector<Point>& of, const auto& value) {
        QVector<QCPGraphData> curve;
        curve.reserve(static_cast<qsizetype>(of.size()));
        for (const Point& point : of) {
            curve.append({static_cast<double>(point.step), finiteOrGap(value(point))});
            if (std::isfinite(curve.last().value)) top = std::max(top, curve.last().value);
        }
        graph->data()->set(curve, true);
    };
    for (std::size_t head = 0; head < n_heads; ++head)
        draw(m_heads[head], points,
             [&](const Point& point) { return double{valueOf(point.heads[head], m_measure)}; });
    draw(m_besideMean, beside().points, [&](const Point& point) { return meanOf(point, m_measure); });

    const auto against = reference();
    m_reference->setVisible(against.has_value());
    if (against) {
        top = std::max(top, against->value);
        m_reference->point1->setCoords(0, against->value);
        m_reference->point2->setCoords(1, against->value);
    }
    m_cursorLine->setVisible(m_cursor.has_value());
    if (m_cursor) {
        m_cursorLine->point1->setCoords(static_cast<double>(*m_cursor), 0);
        m_cursorLine->point2->setCoords(static_cast<double>(*m_cursor), 1);
    }
    m_plot->xAxis->setRange(0, m_plannedSteps);
    m_plot->yAxis->setRange(0, top > 0 ? 1.08 * top : 1);
    restyle();
}

void MechanismChart::restyle() {
    const Theme theme = Theme::of(palette());
    const int pixels = QFontInfo(font()).pixelSize();
    const double line = std::max(1.0, pixels / 13.0);
    QFont small = font();
    small.setPixelSize(std::max(1, static_cast<int>(std::lround(pixels * 0.85))));
    m_plot->setBackground(theme.card);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setBasePen(Qt::NoPen);
        axis->setTickPen(Qt::NoPen);
        axis->setTickLabelColor(theme.mutedText);
        axis->setTickLabelFont(small);
        axis->grid()->setPen(QPen(theme.gridLine, line));
        axis->grid()->setZeroLinePen(QPen(theme.gridLine, line));
    }
    const auto against = reference();
    m_reference->setPen(
        QPen(against && against->warning ? theme.warning : theme.mutedText, line, Qt::DashLine));
    m_cursorLine->setPen(QPen(theme.mutedText, line));
    m_besideMean->setPen(QPen(theme.ghost, 1.6 * line));
    for (int head = 0; QCPGraph * graph : m_heads) graph->setPen(headPen(theme, head++, 1.8 * line));
}

void MechanismChart::paint(QCPPainter& painter, const QRect& room) {
    fill();
    m_plot->xAxis->setLabel(tr("step"));
    m_plot->yAxis->setLabel(measureName(m_measure));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setLabelColor(axis->tickLabelColor());
        axis->setLabelFont(axis->tickLabelFont());
        axis->ticker()->setTickCount(6);
    }
    paintPlot(*m_plot, painter, room);
}

QString MechanismChart::description() const {
    const auto& points = shown().points;
    if (points.empty()) return tr("No steps yet.");
    const Point& point = m_cursor ? *nearest(*m_cursor) : points.back();
    QStringList values;
    for (int head = 0; const HeadDiagnostics& diagnostics : point.heads)
        values << tr("head %1: %2").arg(++head).arg(shortNumber(double{valueOf(diagnostics, m_measure)}));
    const auto against = reference();
    return tr("%1 at step %2: %3.")
               .arg(measureName(m_measure))
               .arg(point.step)
               .arg(values.join(QStringLiteral(", "))) +
           (against ? QStringLiteral(" ") + against->text + QLatin1Char('.') : QString());
}

QSize MechanismChart::sizeHint() const { return {260, 9 * QFontInfo(font()).pixelSize() + 18}; }
QSize MechanismChart::minimumSizeHint() const { return {160, sizeHint().height()}; }

void MechanismChart::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        restyle();
        changed();
    } else if (event->type() == QEvent::LanguageChange) {
        setMeasure(m_measure);
    }
    PlotWidget::changeEvent(event);
}

void MechanismChart::keyPressEvent(QKeyEvent* event) {
    const auto& points = shown().points;
    if (!points.empty()) {
        const Point* at = m_cursor ? nearest(*m_cursor) : &points.back();
        switch (event->key()) {
            case Qt::Key_Left:
                return emit stepChosen(at == &points.front() ? at->step : (at - 1)->step);
            case Qt::Key_Right:
                return emit stepChosen(at == &points.back() ? at->step : (at + 1)->step);
            case Qt::Key_Home:
                return emit stepChosen(points.front().step);
            case Qt::Key_End:
                return emit stepChosen(points.back().step);
            default:
                break;
        }
    }
    PlotWidget::keyPressEvent(event);
}

}  // namespace headscope
