#pragma once

#include <memory>

#include "engine/training/experiment.h"
#include "ui/card.h"
#include "ui/lesson.h"

namespace headscope {

class FusedQkvPanel;
class MaskedRowsPanel;

/// What a lesson shows besides a run: facts of the attention block, measured anew whenever the experiment
/// changes. Hidden where a lesson has none.
class LessonCard : public Card {
    Q_OBJECT
public:
    explicit LessonCard(QWidget* parent = nullptr);

    void showPanel(LessonPanel panel);
    void setExperiment(const Experiment& experiment);

private:
    void measure();

    LessonPanel m_panel = LessonPanel::None;
    Experiment m_experiment;
    FusedQkvPanel* m_fusedQkv;
    MaskedRowsPanel* m_maskedRows;
};

}  // namespace headscope
