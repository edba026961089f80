#pragma once

#include <vector>

#include "engine/training/experiment.h"
#include "ui/card.h"

class QLabel;

namespace headscope {

class TickSlider;

/// How many heads: only counts that d_model and the positions allow can be chosen.
class HeadsCard : public Card {
    Q_OBJECT
public:
    explicit HeadsCard(QWidget* parent = nullptr);

    void setExperiment(const Experiment& experiment);
    /// To the next larger (+1) or smaller (−1) divisor, where there is one.
    void moveBy(int places);

signals:
    void chosen(int n_heads);
    /// The slider passes it while it is dragged.
    void previewed(int n_heads);

private:
    void describe(int place);

    ModelConfig m_model;
    std::vector<int> m_choices;
    QLabel* m_count;
    QLabel* m_width;
    TickSlider* m_slider;
};

}  // namespace headscope
