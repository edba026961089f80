#pragma once

#include "engine/training/experiment.h"
#include "ui/card.h"

namespace headscope {

class SegmentedControl;
class ToggleSwitch;

/// Whether scores are divided by √d_head, how much that will matter, and what a change does to the run.
class ScalingCard : public Card {
    Q_OBJECT
public:
    explicit ScalingCard(QWidget* parent = nullptr);

    void setExperiment(const Experiment& experiment);
    void toggle();
    /// Whether a change of head count, scaling or learning rate goes on with the weights there are.
    bool carriesOn() const;
    void setCarriesOn(bool carries_on);

signals:
    void chosen(bool scale_scores);

private:
    ToggleSwitch* m_switch;
    QLabel* m_matters;
    SegmentedControl* m_onChange;
};

}  // namespace headscope
