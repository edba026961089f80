#include "ui/right_column.h"

#include <algorithm>
#include <array>

#include <QAbstractButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

#include "ui/importance_card.h"
#include "ui/mechanism_card.h"
#include "ui/run_text.h"
#include "ui/segmented_control.h"
#include "ui/shapes_card.h"
#include "ui/similarity_card.h"

namespace headscope {
namespace {

constexpr int kGap = 12;
constexpr int kNarrowest = 300;
constexpr int kScrollBar = 10;  // its room, right of the cards

}  // namespace

RightColumn::RightColumn(QWidget* parent)
    : QWidget(parent),
      m_importance(new ImportanceCard),
      m_mechanism(new MechanismCard),
      m_similarity(new SimilarityCard),
      m_shapes(new ShapesCard),
      m_tabs(new SegmentedControl({tr("Mechanism"), tr("Without"), tr("Alike"), tr("Shapes")})),
      m_side(new SegmentedControl({QString(), QString()})) {
    setObjectName(QStringLiteral("rightColumn"));
    setMinimumWidth(kNarrowest);
    layOut();
    connect(m_tabs, &SegmentedControl::currentChanged, this, &RightColumn::arrange);
    connect(m_side, &SegmentedControl::currentChanged, this, &RightColumn::display);
    connect(m_importance, &ImportanceCard::headModesRequested, this, &RightColumn::headModesRequested);
    connect(m_mechanism, &MechanismCard::stepChosen, this, &RightColumn::stepChosen);
    setExperiment({});
    arrange();
}

void RightColumn::layOut() {
    m_tabs->setObjectName(QStringLiteral("rightTabs"));
    m_side->setObjectName(QStringLiteral("rightSide"));
    m_side->button(0)->setToolTip(tr("Shows the heads of the first run"));
    m_side->button(1)->setToolTip(tr("Shows the heads of its twin"));
    m_side->hide();

    auto* column = new QWidget;
    column->setObjectName(QStringLiteral("column"));
    auto* stacked = new QVBoxLayout(column);
    stacked->setSpacing(kGap);
    for (QWidget* card : cards()) stacked->addWidget(card);
    stacked->addStretch(1);
    auto* scrolled = new QScrollArea;
    scrolled->setObjectName(QStringLiteral("rightScrolled"));
    scrolled->setWidget(column);
    scrolled->setWidgetResizable(true);
    scrolled->setFrameShape(QFrame::NoFrame);
    scrolled->setFocusPolicy(Qt::ClickFocus);
    scrolled->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // The cards keep their width, whether the scroll bar is there or not.
    const auto keepWidth = [stacked, bar = scrolled->verticalScrollBar()](int, int most) {
        const int taken = most > 0 ? bar->sizeHint().width() : 0;
        stacked->setContentsMargins(0, 0, std::max(0, kScrollBar - taken), 0);
    };
    keepWidth(0, 0);
    connect(scrolled->verticalScrollBar(), &QScrollBar::rangeChanged, stacked, keepWidth);

    auto* choices = new QVBoxLayout;
    choices->setContentsMargins(0, 0, kScrollBar, 0);
    choices->addWidget(m_tabs);
    choices->addWidget(m_side);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kGap / 2);
    rows->addLayout(choices);
    rows->addWidget(scrolled, 1);
}

std::array<QWidget*, 4> RightColumn::cards() const {
    return {m_mechanism, m_importance, m_similarity, m_shapes};
}

void RightColumn::setArrangement(Arrangement arrangement) {
    if (arrangement == m_arrangement) return;
    m_arrangement = arrangement;
    arrange();
}

void RightColumn::arrange() {
    const bool tabs = m_arrangement == Arrangement::Tabs;
    m_tabs->setVisible(tabs);
    for (int i = 0; QWidget * card : cards()) card->setVisible(!tabs || i++ == m_tabs->current());
}

void RightColumn::setExperiment(const Experiment& experiment) {
    m_experiment = experiment;
    showShapes();
}

bool RightColumn::showsTwin() const { return m_shown.twin && m_side->current() == 1; }

void RightColumn::showShapes() { m_shapes->setExperiment(showsTwin() ? *m_shown.twin : m_experiment); }

void RightColumn::setColormap(Colormap colormap) { m_similarity->setColormap(colormap); }

void RightColumn::showUpdate(const Update& update) {
    if (update.run != m_shown.run) {
        m_mechanism->beginRun(update.experiment);
        m_importance->beginRun();
        m_live.reset();
        m_liveTwin.reset();
        m_replayed.reset();
        m_replayedTwin.reset();
        m_side->setCurrent(0);
    }
    const bool as_before =
        update.run == m_shown.run && update.experiment == m_shown.experiment && update.twin == m_shown.twin;
    m_shown.run = update.run;
    m_shown.experiment = update.experiment;
    m_shown.twin = update.twin;
    m_side->setVisible(update.twin.has_value());
    if (update.twin) {
        const QString first = differenceText(update.experiment, *update.twin);
        const QString twin = differenceText(*update.twin, update.experiment);
        m_side->button(0)->setText(first.isEmpty() ? tr("first run") : first);
        m_side->button(1)->setText(twin.isEmpty() ? tr("twin") : twin);
    }
    m_importance->showModes(update.modes);
    if (update.snapshot) {
        m_live = update.snapshot;
        m_liveTwin = update.twin_snapshot;
        m_mechanism->append(*m_live, m_liveTwin.get());
    }
    if (!as_before || (update.snapshot && !m_replayed)) display();
}

void RightColumn::showSnapshot(std::shared_ptr<const Snapshot> snapshot,
                               std::shared_ptr<const Snapshot> twin) {
    m_replayed = std::move(snapshot);
    m_replayedTwin = std::move(twin);
    display();
}

void RightColumn::display() {
    const bool of_twin = showsTwin();
    showShapes();
    const auto& first = m_replayed ? m_replayed : m_live;
    const auto& twin = m_replayed ? m_replayedTwin : m_liveTwin;
    const auto& snapshot = of_twin ? twin : first;
    m_similarity->showSnapshot(snapshot);
    if (!snapshot) {
        m_mechanism->clear();
        m_importance->clear();
        return;
    }
    const QString beside = m_shown.twin ? m_side->button(of_twin ? 0 : 1)->text() : QString();
    m_mechanism->showSnapshot(*snapshot, of_twin ? TwinSide::Twin : TwinSide::First, m_replayed != nullptr,
                              beside);
    m_importance->showSnapshot(*snapshot);
}

void RightColumn::requestMode(int head, HeadMode mode) { m_importance->request(head, mode); }

void RightColumn::toggleMute(int head) { m_importance->toggleMute(head); }

void RightColumn::undoHeadModes() { m_importance->undo(); }

std::vector<std::vector<HeadMode>> RightColumn::undoList() const { return m_importance->undoList(); }

void RightColumn::setUndoList(const std::vector<std::vector<HeadMode>>& list) {
    m_importance->setUndoList(list);
}

}  // namespace headscope
