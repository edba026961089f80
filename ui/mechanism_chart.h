#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/training/update.h"
#include "ui/mechanism_text.h"
#include "ui/plot_widget.h"

class QCPGraph;
class QCPItemStraightLine;
class QCPPainter;
class QCustomPlot;

namespace headscope {

/// One measure of every head over the steps of a run, a line each (see headPen()), against its reference,
/// dashed. A twin's mean over its heads is a gray line beside them. Values that are not finite leave a gap.
/// A click or the arrow keys choose a step.
class MechanismChart : public PlotWidget {
    Q_OBJECT
public:
    /// About as many points are kept as a narrow chart has pixels.
    static constexpr int kPoints = 300;

    struct Point {
        std::int64_t step = 0;
        std::vector<HeadDiagnostics> heads;
    };

    explicit MechanismChart(QWidget* parent = nullptr);

    /// Forgets everything.
    void beginRun(const Experiment& experiment);
    /// Steps ascend; another head count begins anew. `twin` is null where there is none.
    void append(const Snapshot& snapshot, const Snapshot* twin);
    /// Whose heads have the lines; the other side's mean is the gray one.
    void setSide(TwinSide side);
    void setMeasure(Measure measure);
    Measure measure() const { return m_measure; }
    /// A line at the step that is shown; none hides it.
    void setCursorStep(std::optional<std::int64_t> step);

    const std::vector<Point>& points() const { return shown().points; }
    std::optional<Reference> reference() const;

    /// Paints the chart into `room` in its own palette and font, with its axes named. Nothing else shows it.
    void paint(QCPPainter& painter, const QRect& room);

    QString description() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void stepChosen(std::int64_t step);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct History {
        std::vector<Point> points;
        int context_length = 1;
        void add(const Snapshot& snapshot, int planned_steps);
    };

    const History& shown() const { return m_side == TwinSide::Twin ? m_twin : m_first; }
    const History& beside() const { return m_side == TwinSide::Twin ? m_first : m_twin; }
    const Point* nearest(std::int64_t step) const;
    void changed();
    void fill();
    void restyle();

    QCustomPlot* m_plot;
    QCPItemStraightLine* m_reference;
    QCPItemStraightLine* m_cursorLine;
    QCPGraph* m_besideMean;
    std::vector<QCPGraph*> m_heads;
    History m_first, m_twin;
    TwinSide m_side = TwinSide::First;
    Measure m_measure = Measure::RowEntropy;
    int m_plannedSteps = 1;
    std::optional<std::int64_t> m_cursor;
    bool m_stale = true;
};

}  // namespace headscope
