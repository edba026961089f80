#pragma once

#include <memory>

#include "engine/training/update.h"
#include "ui/card.h"

class QLineEdit;
class QPushButton;

namespace headscope {

class ChoiceBox;
class SegmentedControl;
class TokenStrip;

/// What the heads are looked at with: one row of tokens, edited in place or drawn anew, or the mean over the
/// probe batch; what the model answers after each token; and which answers move when one token changes. What
/// cannot be probed is kept as it was typed, with the reason below it, and nothing is asked.
class ProbeCard : public Card {
    Q_OBJECT
public:
    explicit ProbeCard(QWidget* parent = nullptr);

    /// The experiment that runs, and the probe asked of it.
    void setProbe(const Experiment& experiment, const Probe& probe);
    void showSnapshot(std::shared_ptr<const Snapshot> snapshot);
    /// Scores instead of weights; choosing the other emits scoresChosen().
    void showScores(bool scores);
    bool showsScores() const;

signals:
    /// Valid for the experiment, and not what was asked before.
    void probeRequested(const headscope::Probe& probe);
    /// Attention after the softmax, or the scores before it.
    void scoresChosen(bool scores);

private:
    void layOut(QPushButton* random, QPushButton* clear);
    void ask(const Probe& probe);
    void chooseRow();
    void readTokens();
    void drawTokens();
    void readRipple();
    void refuse(QLineEdit* field, QLabel* message, const QString& sentence);

    Experiment m_experiment;
    Probe m_probe;
    std::shared_ptr<const Snapshot> m_snapshot;
    ChoiceBox* m_row;
    SegmentedControl* m_values;
    QLineEdit* m_tokens;
    QLabel* m_tokensMessage;
    TokenStrip* m_strip;
    QLabel* m_rippleText;
    QLineEdit* m_ripple;
    QLabel* m_rippleMessage;
    QPushButton* m_clear;
};

}  // namespace headscope
