#include "ui/mechanism_card.h"

#include <QLabel>
#include <QVBoxLayout>

#include "ui/badge_list.h"
#include "ui/choice_box.h"
#include "ui/mechanism_chart.h"

namespace headscope {

MechanismCard::MechanismCard(QWidget* parent)
    : Card(tr("Mechanism"), Folding::Folds, parent),
      m_measure(new ChoiceBox),
      m_chart(new MechanismChart),
      m_beside(makeLabel({}, "muted")),
      m_badges(new BadgeList),
      m_explanation(makeLabel({}, "muted")) {
    setObjectName(QStringLiteral("mechanismCard"));
    m_measure->setObjectName(QStringLiteral("mechanismMeasure"));
    m_measure->setAccessibleName(tr("What is drawn of each head"));
    for (const Measure measure : kMeasures) m_measure->addItem(measureName(measure));
    for (int i = 0; const Measure measure : kMeasures)
        m_measure->setItemData(i++, measureFormula(measure), Qt::ToolTipRole);
    m_chart->setObjectName(QStringLiteral("mechanismChart"));
    m_beside->setObjectName(QStringLiteral("mechanismBeside"));
    m_beside->hide();
    m_badges->setObjectName(QStringLiteral("mechanismBadges"));
    m_explanation->setObjectName(QStringLiteral("mechanismText"));
    m_explanation->setWordWrap(true);
    m_explanation->setToolTip(badgeRule(HeadBadge::Saturated));
    for (QWidget* part :
         {static_cast<QWidget*>(m_measure), static_cast<QWidget*>(m_chart), static_cast<QWidget*>(m_beside),
          static_cast<QWidget*>(m_badges), static_cast<QWidget*>(m_explanation)})
        body()->addWidget(part);
    body()->setSpacing(6);

    connect(m_measure, &ChoiceBox::currentIndexChanged, this, &MechanismCard::describe);
    connect(m_chart, &MechanismChart::stepChosen, this, &MechanismCard::stepChosen);
    describe();
}

void MechanismCard::beginRun(const Experiment& experiment) {
    m_chart->beginRun(experiment);
    clear();
}

void MechanismCard::append(const Snapshot& snapshot, const Snapshot* twin) {
    m_chart->append(snapshot, twin);
}

void MechanismCard::showSnapshot(const Snapshot& snapshot, TwinSide side, bool recorded,
                                 const QString& beside) {
    m_chart->setSide(side);
    m_chart->setCursorStep(recorded ? std::optional(snapshot.steps_done) : std::nullopt);
    m_beside->setText(tr("gray: %1, mean of its heads").arg(beside));
    m_beside->setVisible(!beside.isEmpty());
    m_shown = snapshot.diagnostics;
    describe();
}

void MechanismCard::clear() {
    m_shown.clear();
    m_chart->setCursorStep({});
    m_beside->hide();
    describe();
}

void MechanismCard::describe() {
    const Measure measure = kMeasures[static_cast<std::size_t>(m_measure->currentIndex())];
    if (measure != m_chart->measure()) m_chart->setMeasure(measure);
    m_measure->setToolTip(measureFormula(measure));
    const auto reference = m_chart->reference();
    setNote(reference ? reference->text : QString());
    m_badges->show(m_shown, measure);
    m_badges->setVisible(!m_shown.empty());
    m_explanation->setText(m_shown.empty() ? tr("Start a run to see what its heads do.")
                                           : explanationOf(m_shown));
}

}  // namespace headscope
