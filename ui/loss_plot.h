#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <QFont>
#include <qcustomplot.h>

#include "engine/training/experiment.h"
#include "ui/look_back.h"
#include "ui/theme.h"

namespace headscope {

/// The drawing inside a LossChart: its graphs, labels and marks, where they are and how they look. It says
/// nothing to the outside and asks for no replot; the chart does.
struct LossPlot {
    using Points = QSharedPointer<QCPGraphDataContainer>;

    /// One run: the moving average and its label, which stands at the curve's end or, of a ghost, right of
    /// all curves, at the height of its end, after a sample of its line.
    struct Run {
        Experiment experiment;
        QString text;  ///< of the label, which shows as much of it as there is room for
        QCPGraph* average = nullptr;
        QCPItemText* label = nullptr;
        QCPItemLine* sample = nullptr;
        Qt::PenStyle dash = Qt::SolidLine;
        double largest = 0;  ///< of the moving average
    };

    /// Something that happened at a step of the running experiment.
    struct Mark {
        std::int64_t step = 0;
        std::function<QString()> text;  ///< in the language that is spoken when it is called
        bool warning = false;
        QCPItemStraightLine* line = nullptr;
        QCPItemText* label = nullptr;
    };

    explicit LossPlot(QWidget* parent);
    LossPlot(const LossPlot&) = delete;
    LossPlot& operator=(const LossPlot&) = delete;

    // What is drawn: loss_plot.cpp.
    void addRun(const Experiment& experiment, Qt::PenStyle dash, const Points& points);
    /// Older than all there are.
    void addGhost(const EarlierRun& ghost);
    void removeRun(std::size_t i);
    /// The twin of the running one.
    void addTwin(const Experiment& experiment);
    /// The twin becomes the newest ghost, if there is one.
    void retireTwin();
    void addMark(Mark mark);
    void clearMarks();
    /// Draws what `other` draws now; the points are shared until one of the two changes.
    void adopt(const LossPlot& other);
    /// A ghost keeps the extremes of 10,000 stretches.
    void thinGhost(std::size_t i);
    /// Once there are very many points, all but the newest keep the extremes of 50,000 stretches: a run stays
    /// quick to draw and bounded in memory however long it is.
    void boundDetail();

    // How it looks: loss_plot_style.cpp.
    void restyle(const Theme& theme, const QFont& font);
    /// To be called when runs come, go or change: says of each what sets it apart.
    void relabel();

    // Where it is, settled at each replot: loss_plot_layout.cpp.
    void placeCursor();
    QString cursorText() const;

    bool isEmpty() const { return raw->data()->isEmpty(); }
    double chance() const { return std::log(runs.front().experiment.model.vocab_size); }

    QCustomPlot* plot;  ///< owned by the parent
    QCPGraph* raw;
    QCPItemStraightLine* chanceLine;
    QCPItemText* chanceLabel;
    QCPItemText* emptyText;
    QCPItemStraightLine* cursorLine;
    QCPItemEllipse* cursorDot;
    QCPItemText* cursorLabel;

    Theme theme;
    double line = 1;  ///< width of the thinnest; grows with the font in pictures

    std::vector<Run> runs;    ///< the running one, then the ghosts, newest first
    std::optional<Run> twin;  ///< of the running one
    std::vector<Mark> marks;
    std::vector<float> accuracy;         ///< of every point of `raw`
    std::optional<std::int64_t> cursor;  ///< a step
    bool zoomed = false;

private:
    struct PlacedLabel {
        const Run* run;
        QRectF box;  ///< with the sample
    };

    Run makeRun(const Experiment& experiment, Qt::PenStyle dash);
    std::vector<const Run*> drawn() const;  ///< all, the twin after the running one
    bool isGhost(const Run& run) const;
    double labelGap(const Run& run) const { return (isGhost(run) ? 8 : 2) * line; }
    double sampleLength() const { return 20 * line; }
    void boundRange();
    void fitRange();
    void reserveMargins();
    void placeLabels();
    std::vector<PlacedLabel> wantedPlaces() const;
    void placeChanceLabel(const std::vector<PlacedLabel>& labels);
    void placeMarks();
    QRectF placeOfBubble(const QPointF& at) const;
    QCPRange homeX() const;
    QCPRange homeY() const;
    QCPAxisRect* area() const { return plot->axisRect(); }

    bool m_fitting = false;
};

/// The rectangle of a label with that text, the middle of whose left edge is a point.
QRectF labelBox(const QCPItemText& label, const QString& text, const QPointF& left_center);

}  // namespace headscope
