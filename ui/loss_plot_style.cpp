#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QFontInfo>

#include "ui/loss_plot.h"
#include "ui/run_text.h"

namespace headscope {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(LossChart)
};

QString twinLabel(const Experiment& experiment, const Experiment& other) {
    const QString difference = differenceText(experiment, other);
    return difference.isEmpty() ? Text::tr("the same") : difference;
}

}  // namespace

void LossPlot::restyle(const Theme& new_theme, const QFont& font) {
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
    veil.setAlphaF(0.8f * veil.alphaF());
    const auto dress = [&](const Run& run, bool ghost, const QColor& color, Qt::PenStyle dash) {
        run.average->setLayer(QString::fromLatin1(ghost ? "ghosts" : "main"));
        run.average->setPen(QPen(color, (ghost ? 1.6 : 2.2) * line, dash));
        run.sample->setPen(run.average->pen());
        run.label->setFont(ghost ? small : strong);
        run.label->setColor(ghost ? theme.mutedText : color);
        run.label->setBrush(veil);
        run.label->setPadding(QMargins(1, 0, 1, 0) * static_cast<int>(std::ceil(4 * line)));
    };
    for (std::size_t i = 0; i < runs.size(); ++i)
        dress(runs[i], i > 0, i > 0 ? theme.ghost : theme.accent, i > 0 ? runs[i].dash : Qt::SolidLine);
    if (twin) dress(*twin, false, theme.heads[1], twin->dash);
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
    cursorLabel->setColor(theme.palette().color(QPalette::ToolTipText));
    cursorLabel->setBrush(theme.palette().color(QPalette::ToolTipBase));
    cursorLabel->setFont(small);
    cursorLabel->setPadding(QMargins(8, 4, 8, 4));
}

void LossPlot::relabel() {
    for (const Mark& mark : marks) mark.label->setText(mark.text());
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const QString difference = differenceText(runs[i].experiment, runs[0].experiment);
        runs[i].text = difference.isEmpty() ? Text::tr("earlier run") : difference;
    }
    if (runs.empty()) return;
    const Experiment& experiment = runs[0].experiment;
    if (twin) twin->text = twinLabel(twin->experiment, experiment);
    const QString difference = twin              ? twinLabel(experiment, twin->experiment)
                               : runs.size() > 1 ? differenceText(experiment, runs[1].experiment)
                                                 : headCountText(experiment.model.n_heads);
    runs[0].text = difference.isEmpty() ? Text::tr("this run") : difference;
    for (const Run* run : drawn()) run->label->setText(run->text);
    chanceLabel->setText(
        Text::tr("chance ln %1 = %2").arg(experiment.model.vocab_size).arg(chance(), 0, 'f', 2));
    for (const double x : {0.0, 1.0})
        (x == 0 ? chanceLine->point1 : chanceLine->point2)->setCoords(x, chance());
}

}  // namespace headscope
