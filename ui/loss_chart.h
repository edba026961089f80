#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QFont>
#include <QStringList>

#include "engine/training/update.h"
#include "ui/look_back.h"
#include "ui/plot_widget.h"
#include "ui/theme.h"

class QCPPainter;

namespace headscope {

struct LossPlot;

/// The loss of the running experiment, live: every batch's as a thin line under its moving average, and the
/// newest runs before it as ghosts, labeled by what set them apart. The loss of guessing, ln V, is dashed.
/// The wheel zooms at the pointer and a drag zooms to a rectangle; a double click shows all again. The
/// pointer or the arrow keys move a cursor that tells step, loss and accuracy; a click or Enter chooses its
/// step.
class LossChart : public PlotWidget {
    Q_OBJECT
public:
    static constexpr int kGhosts = 4;
    /// Of the moving average m ← 0.9 m + 0.1 loss, which begins with the first loss.
    static constexpr double kSmoothing = 0.9;

    explicit LossChart(QWidget* parent = nullptr);
    ~LossChart() override;

    /// The run there was becomes a ghost, unless it has no points; the oldest of more than kGhosts goes.
    /// The curve of a twin is drawn beside it, both named by what sets them apart.
    void beginRun(const Experiment& experiment, const std::optional<Experiment>& twin = {});
    /// Steps ascend. Losses that are not finite are not drawn.
    void append(const std::vector<LossPoint>& points);
    /// The same of the twin; nothing where there is none.
    void appendTwin(const std::vector<LossPoint>& points);
    /// The run goes on as `experiment` from `step` on: a mark says what changed.
    void carryOn(const Experiment& experiment, std::int64_t step);
    /// A mark at the step whose loss was not finite.
    void markDiverged(std::int64_t step);
    /// A mark that something happened at a step; `text` says it in the language that is spoken when it is
    /// called.
    void mark(std::int64_t step, const std::function<QString()>& text);
    void clearGhosts();
    /// The ghosts as they are, newest first, and in place of those there are.
    std::vector<EarlierRun> ghosts() const;
    void setGhosts(const std::vector<EarlierRun>& ghosts);

    bool isEmpty() const;
    std::optional<Experiment> experiment() const;
    int ghostCount() const;
    /// Newest first, as written at their ends.
    QStringList ghostLabels() const;
    /// The running one's and, where there is one, its twin's, as written at their ends.
    QStringList runLabels() const;
    std::optional<double> smoothedTwinLoss() const;
    /// Of the running experiment, up to its last point; no value before the first.
    std::optional<double> smoothedLoss() const;
    std::optional<LossPoint> lastPoint() const;

    /// Moves the cursor to the point nearest to a step; none hides it.
    void setCursorStep(std::optional<std::int64_t> step);
    /// Where the cursor rests while the pointer is elsewhere: a step gone back to; none hides it.
    void restCursorAt(std::optional<std::int64_t> step);
    QString cursorText() const;
    void showAll();

    /// The chart as it is now, which later points do not change. Cheap: the points are shared until then.
    std::unique_ptr<LossChart> frozenCopy() const;
    /// Paints the chart as it is now into `room`, in other colors. `font` is that of the labels.
    void paint(QCPPainter& painter, const QRect& room, const Theme& theme, const QFont& font) const;

    QString description() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// A click, or Enter at the cursor: the user wants to go to this step.
    void stepChosen(std::int64_t step);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void changed();

    std::unique_ptr<LossPlot> m_plot;
    std::optional<std::int64_t> m_rest;  ///< where the cursor returns to
    QPoint m_pressed;
    std::size_t m_begun = 0;  // runs; each has its dash for as long as it is shown
};

}  // namespace headscope
