#pragma once

#include "engine/training/update.h"
#include "ui/card.h"

namespace headscope {

class BadgeList;
class ChoiceBox;
class MechanismChart;

/// Why heads learn or do not: one measure of each over the steps, what state each is in, and in words whether
/// the softmax passes gradient.
class MechanismCard : public Card {
    Q_OBJECT
public:
    explicit MechanismCard(QWidget* parent = nullptr);

    void beginRun(const Experiment& experiment);
    /// What came live, to the curves; `twin` is null where there is none.
    void append(const Snapshot& snapshot, const Snapshot* twin);
    /// What is shown: the live snapshot, or a recorded one, marked in the curves. `beside` says what the gray
    /// curve is of; empty without a twin.
    void showSnapshot(const Snapshot& snapshot, TwinSide side, bool recorded, const QString& beside);
    void clear();

signals:
    void stepChosen(std::int64_t step);

private:
    void describe();

    ChoiceBox* m_measure;
    MechanismChart* m_chart;
    QLabel* m_beside;
    BadgeList* m_badges;
    QLabel* m_explanation;
    std::vector<HeadDiagnostics> m_shown;
};

}  // namespace headscope
