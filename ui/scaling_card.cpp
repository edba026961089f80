#include "ui/scaling_card.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "ui/segmented_control.h"
#include "ui/sentences.h"
#include "ui/toggle_switch.h"

namespace headscope {

ScalingCard::ScalingCard(QWidget* parent)
    : Card(tr("Divide scores by √d_head"), Folding::Fixed, parent),
      m_switch(new ToggleSwitch),
      m_matters(makeLabel({}, "muted")),
      m_onChange(new SegmentedControl({tr("restart"), tr("carry on")})) {
    m_switch->setObjectName(QStringLiteral("scalingSwitch"));
    m_switch->setAccessibleName(tr("Divide scores by √d_head"));
    m_switch->setToolTip(tr("weights = softmax(q·kᵀ / √d_head), or softmax(q·kᵀ) without (S)"));
    addToHeader(m_switch);

    m_matters->setObjectName(QStringLiteral("scalingMatters"));
    m_matters->setWordWrap(true);
    m_matters->setToolTip(
        tr("Measured with token std 1 and Adam at 0.005, on prefix-copy with d_model 128 and on lag-copy "
           "1, 4, 7 with d_model 32 and 128: scores grow with √d_head, so the rows of the softmax saturate "
           "and pass no gradient"));
    body()->addWidget(m_matters);

    m_onChange->setObjectName(QStringLiteral("onChange"));
    m_onChange->setAccessibleName(tr("On a change of heads, scaling or learning rate"));
    auto* restart = m_onChange->button(0);
    restart->setObjectName(QStringLiteral("onChangeRestart"));
    restart->setAccessibleName(tr("On change: restart from the seed"));
    restart->setToolTip(
        tr("Heads, scaling and learning rate: a change restarts from the seed; the old curve stays "
           "as a ghost"));
    auto* carryOn = m_onChange->button(1);
    carryOn->setObjectName(QStringLiteral("onChangeCarryOn"));
    carryOn->setAccessibleName(tr("On change: carry on with these weights"));
    carryOn->setToolTip(
        tr("Heads, scaling and learning rate: a change goes on with these weights; a head count "
           "only splits them anew"));
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(makeLabel(tr("On change"), "muted"));
    row->addWidget(m_onChange, 1);
    body()->addLayout(row);

    connect(m_switch, &QCheckBox::toggled, this, &ScalingCard::chosen);
}

void ScalingCard::setExperiment(const Experiment& experiment) {
    const QSignalBlocker quiet(this);
    m_switch->setChecked(experiment.model.scale_scores);
    m_matters->setText(scalingMatters(experiment));
}

void ScalingCard::toggle() { m_switch->toggle(); }

bool ScalingCard::carriesOn() const { return m_onChange->current() == 1; }

void ScalingCard::setCarriesOn(bool carries_on) { m_onChange->setCurrent(carries_on ? 1 : 0); }

}  // namespace headscope
