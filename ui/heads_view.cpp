#include "ui/heads_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/card.h"
#include "ui/head_grid.h"
#include "ui/run_text.h"
#include "ui/sentences.h"
#include "ui/theme.h"

namespace headscope {
namespace {

QWidget* makePart(QLabel* caption, HeadGrid* grid) {
    caption->setWordWrap(true);
    auto* part = new QWidget;
    auto* rows = new QVBoxLayout(part);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(4);
    rows->addWidget(caption);
    rows->addWidget(grid, 1);
    return part;
}

}  // namespace

HeadsView::HeadsView(QWidget* parent)
    : QWidget(parent),
      m_caption(makeLabel({}, "strong")),
      m_twinCaption(makeLabel({}, "strong")),
      m_grid(new HeadGrid),
      m_twinGrid(new HeadGrid),
      m_twinPart(makePart(m_twinCaption, m_twinGrid)) {
    m_grid->setObjectName(QStringLiteral("headGrid"));
    m_twinGrid->setObjectName(QStringLiteral("twinGrid"));
    m_grid->matchWith(m_twinGrid);
    m_twinGrid->matchWith(m_grid);
    m_twinGrid->setAccessibleName(tr("Attention of each head of the twin"));
    m_caption->setObjectName(QStringLiteral("headCaption"));
    m_twinCaption->setObjectName(QStringLiteral("twinCaption"));
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(16);
    columns->addWidget(makePart(m_caption, m_grid), 1);
    columns->addWidget(m_twinPart, 1);
    setTwin({}, {});
}

void HeadsView::setTwin(const std::optional<Experiment>& first, const std::optional<Experiment>& twin) {
    const bool both = first && twin;
    m_caption->setVisible(both);
    m_twinPart->setVisible(both);
    if (!both) return m_twinGrid->showSnapshot(nullptr);
    m_caption->setText(twinCaption(*first, *twin));
    m_twinCaption->setText(twinCaption(*twin, *first));
}

void HeadsView::show(const Frame& frame) {
    m_grid->showSnapshot(frame.snapshot);
    m_twinGrid->showSnapshot(frame.twin);
}

void HeadsView::setColormap(Colormap colormap) {
    m_grid->setColormap(colormap);
    m_twinGrid->setColormap(colormap);
}

void HeadsView::setKind(HeatmapKind kind) {
    m_grid->setKind(kind);
    m_twinGrid->setKind(kind);
}

QString twinCaption(const Experiment& experiment, const Experiment& other) {
    QString difference = differenceText(experiment, other);
    if (difference.isEmpty()) return HeadsView::tr("the same experiment");
    const ModelConfig& model = experiment.model;
    if (model.scale_scores != other.model.scale_scores || model.d_head() != other.model.d_head())
        return HeadsView::tr("%1 · d_head %2, %3")
            .arg(difference)
            .arg(model.d_head())
            .arg(rootOf(model.d_head()));
    return difference;
}

}  // namespace headscope
