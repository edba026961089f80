#include "ui/sweep_picture.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <qcustomplot.h>

#include "ui/run_text.h"

namespace headscope {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(SweepPicture)
};

/// Round steps that cut the axis into four to eight pieces.
int tickStep(int largest) {
    int step = 1;
    for (int decade = 1;; decade *= 10)
        for (const int factor : {1, 2, 5}) {
            step = factor * decade;
            if (largest / step <= 8) return step;
        }
}

/// Where everything is.
struct Plan {
    Plan(const QRectF& rect, const Sweep& sweep, std::span<const SweepRow> rows, const QFont& font);

    double column(int d_head) const;
    double y(int step) const { return axis.bottom() - axis.height() * step / top; }

    QFontMetricsF metrics;
    std::vector<int> d_heads;  // ascending, one a column
    QRectF axis, band;         // learned, and never
    double columnWidth;
    int tick, top;
};

Plan::Plan(const QRectF& rect, const Sweep& sweep, std::span<const SweepRow> rows, const QFont& font)
    : metrics(font) {
    for (const int n_heads : sweep.heads) d_heads.push_back(sweep.base.model.d_model / n_heads);
    std::sort(d_heads.begin(), d_heads.end());
    int largest = 0;
    for (const SweepRow& row : rows)
        if (row.outcome == SweepOutcome::Learned) largest = std::max(largest, row.step);
    if (largest == 0) largest = sweep.base.steps;  // nothing to fit the axis to
    tick = tickStep(largest);
    top = (largest / tick + 1) * tick;
    const double em = metrics.height();
    const double left = metrics.horizontalAdvance(Text::tr("never")) +
                        metrics.horizontalAdvance(QString::number(top)) * 0.2 + 2.2 * em;
    const QRectF inner = rect.adjusted(left, 2 * em, -0.5 * em, -2.8 * em);
    band = QRectF(inner.left(), inner.top(), inner.width(), std::max(2.2 * em, inner.height() * 0.12));
    axis = inner.adjusted(0, band.height() + 0.6 * em, 0, 0);
    columnWidth = axis.width() / double(d_heads.size());
}

double Plan::column(int d_head) const {
    const auto i = std::find(d_heads.begin(), d_heads.end(), d_head) - d_heads.begin();
    return axis.left() + columnWidth * (double(i) + 0.5);
}

class Painting {
public:
    Painting(QPainter& painter, const Plan& plan, const Sweep& sweep, const Theme& theme)
        : m_painter(painter), m_plan(plan), m_sweep(sweep), m_theme(theme), m_em(plan.metrics.height()) {}

    void frame() {
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(m_theme.ground);
        m_painter.drawRect(m_plan.band);
        write(besideAxis(m_plan.band.center().y()), Qt::AlignRight | Qt::AlignVCenter, Text::tr("never"));
        for (int step = 0; step <= m_plan.top; step += m_plan.tick) {
            m_painter.setPen(QPen(m_theme.gridLine, m_em / 16));
            m_painter.drawLine(QPointF(m_plan.axis.left(), m_plan.y(step)),
                               QPointF(m_plan.axis.right(), m_plan.y(step)));
            write(besideAxis(m_plan.y(step)), Qt::AlignRight | Qt::AlignVCenter, QString::number(step));
        }
        for (const int d_head : m_plan.d_heads) {
            const QRectF below(m_plan.column(d_head) - m_plan.columnWidth / 2, m_plan.axis.bottom(),
                               m_plan.columnWidth, 1.5 * m_em);
            write(below, Qt::AlignCenter, QString::number(d_head));
        }
    }

    void titles(const QRectF& rect) {
        const QRectF below(m_plan.axis.left(), m_plan.axis.bottom() + 1.3 * m_em, m_plan.axis.width(),
                           1.5 * m_em);
        write(below, Qt::AlignCenter, Text::tr("d_head = %1 / heads").arg(m_sweep.base.model.d_model));
        m_painter.save();
        m_painter.translate(rect.left() + 0.8 * m_em, m_plan.axis.center().y());
        m_painter.rotate(-90);
        write(QRectF(-m_plan.axis.height() / 2, -0.8 * m_em, m_plan.axis.height(), 1.6 * m_em),
              Qt::AlignCenter, Text::tr("steps to loss %1").arg(m_sweep.threshold));
        m_painter.restore();
        double x = m_plan.axis.left();
        const double y = rect.top() + m_em;
        for (const bool scaled : m_sweep.scaling) {
            const QString text = scaled ? Text::tr("scores divided by √d_head") : Text::tr("not divided");
            dot(QPointF(x + 0.5 * m_em, y), scaled);
            const double width = m_plan.metrics.horizontalAdvance(text);
            write(QRectF(x + 1.3 * m_em, y - m_em, width + 1, 2 * m_em), Qt::AlignVCenter, text);
            x += width + 3.5 * m_em;
        }
    }

    void row(const SweepRow& row) {
        const bool learned = row.outcome == SweepOutcome::Learned;
        const double y = learned ? m_plan.y(row.step) : m_plan.band.center().y();
        dot(QPointF(place(row), y), row.scale_scores);
    }

    /// Of the runs of one column; a run that never learned counts as more than any step.
    void median(int d_head, bool scaled, std::vector<SweepRow> column) {
        if (column.empty()) return;
        const auto steps = [](const SweepRow& r) {
            return r.outcome == SweepOutcome::Learned ? double(r.step) : HUGE_VAL;
        };
        std::sort(column.begin(), column.end(),
                  [&](const SweepRow& a, const SweepRow& b) { return steps(a) < steps(b); });
        const double middle = (steps(column[(column.size() - 1) / 2]) + steps(column[column.size() / 2])) / 2;
        if (!std::isfinite(middle)) return;
        const double x = center(d_head, scaled), half = m_plan.columnWidth * 0.2;
        const double y = m_plan.axis.bottom() - m_plan.axis.height() * middle / m_plan.top;
        QColor soft = color(scaled);
        soft.setAlphaF(0.45F);
        m_painter.setPen(QPen(soft, m_em / 6, Qt::SolidLine, Qt::FlatCap));
        m_painter.drawLine(QPointF(x - half, y), QPointF(x + half, y));
    }

private:
    QColor color(bool scaled) const { return scaled ? m_theme.accent : m_theme.warning; }

    void dot(const QPointF& center, bool scaled) {
        const double radius = 0.26 * m_em;
        m_painter.setPen(QPen(color(scaled), m_em / 9));
        m_painter.setBrush(scaled ? QBrush(color(scaled)) : QBrush(m_theme.card));
        m_painter.drawEllipse(center, radius, radius);
    }

    /// Scaled runs stand left of the column's middle and the others right of it.
    double center(int d_head, bool scaled) const {
        const double aside = m_sweep.scaling.size() > 1 ? m_plan.columnWidth * (scaled ? -0.22 : 0.22) : 0;
        return m_plan.column(d_head) + aside;
    }

    /// Beside each other in the order of the seeds, so that no dot hides one.
    double place(const SweepRow& row) const {
        const auto& seeds = m_sweep.seeds;
        const double i = double(std::find(seeds.begin(), seeds.end(), row.seed) - seeds.begin());
        const double shift = (i + 0.5) / double(seeds.size()) - 0.5;
        return center(row.d_head, row.scale_scores) + shift * m_plan.columnWidth * 0.36;
    }

    QRectF besideAxis(double y) const {
        return {m_plan.axis.left() - 10 * m_em, y - m_em, 9.6 * m_em, 2 * m_em};
    }

    void write(const QRectF& rect, int flags, const QString& text) {
        m_painter.setPen(m_theme.text);
        m_painter.drawText(rect, flags, text);
    }

    QPainter& m_painter;
    const Plan& m_plan;
    const Sweep& m_sweep;
    const Theme& m_theme;
    double m_em;
};

}  // namespace

void paintSweep(QPainter& painter, const QRectF& rect, const Sweep& sweep, std::span<const SweepRow> rows,
                const Theme& theme, const QFont& font) {
    painter.setFont(font);
    painter.setRenderHint(QPainter::Antialiasing);
    const Plan plan(rect, sweep, rows, font);
    Painting painting(painter, plan, sweep, theme);
    painting.frame();
    painting.titles(rect);
    for (const int d_head : plan.d_heads)
        for (const bool scaled : sweep.scaling) {
            std::vector<SweepRow> column;
            std::copy_if(rows.begin(), rows.end(), std::back_inserter(column), [&](const SweepRow& row) {
                return row.d_head == d_head && row.scale_scores == scaled;
            });
            painting.median(d_head, scaled, column);
            for (const SweepRow& row : column) painting.row(row);
        }
}

Picture sweepPicture(const Sweep& sweep, const std::vector<SweepRow>& rows) {
    return [=](QCPPainter& painter, const QRectF& room, const HeadGridStyle& style) {
        paintSweep(painter, room, sweep, rows, style.theme, style.font);
    };
}

QString sweepCaption(const Sweep& sweep) {
    const Experiment& e = sweep.base;
    return Text::tr(
               "%1 · D = %2 · V = %3 · T = %4 · B = %5 · Adam %6 · a dot a seed · first step at which the "
               "moving average (%7) of the loss is below %8; never: not within %9 steps")
        .arg(taskText(e))
        .arg(e.model.d_model)
        .arg(e.model.vocab_size)
        .arg(e.model.context_length)
        .arg(e.batch_size)
        .arg(e.learning_rate)
        .arg(kSweepSmoothing)
        .arg(sweep.threshold)
        .arg(e.steps);
}

}  // namespace headscope
