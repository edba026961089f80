#pragma once

#include <cstdint>
#include <optional>

#include <QElapsedTimer>
#include <QFrame>
#include <QLabel>

#include "engine/training/update.h"
#include "ui/rate_meter.h"

namespace headscope {

class FigureLabel;
class Replay;

/// The state of the run in a word or two, with a dot in its color.
class StateChip : public QLabel {
    Q_OBJECT
public:
    explicit StateChip(QWidget* parent = nullptr);
    void showState(RunState state, const QString& text);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    RunState m_state = RunState::Idle;
};

/// A line that gives way: cut short with an ellipsis where there is no room, whole in the tool tip.
class HintLabel : public QLabel {
    Q_OBJECT
public:
    explicit HintLabel(QWidget* parent = nullptr);
    QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// The foot of the window: step, timeline, state; loss, accuracy, pace, epoch, and what to do next. While the
/// replay is not live, step and state are those of the frame it shows.
class StatusStrip : public QFrame {
    Q_OBJECT
public:
    /// The replay must outlive it.
    explicit StatusStrip(Replay& replay, QWidget* parent = nullptr);

    void showUpdate(const Update& update);
    /// Say something beside the facts, or why what was asked for was not done; until the state changes.
    void showHint(const QString& sentence);
    void showRefusal(const QString& sentence);
    /// What is under way stands there instead of all else until it is over: an empty sentence.
    void showBusy(const QString& sentence);

private:
    void showState(const Update& update);
    void showFacts(const Update& update);
    void showPlace();
    void say(const QString& sentence, bool warns);
    void showSaid();

    Replay& m_replay;
    std::optional<RunState> m_state;
    QString m_stateWord;
    std::int64_t m_stepsDone = 0;
    RunId m_run = 0;
    std::optional<LossPoint> m_last;
    RateMeter m_rate;
    QElapsedTimer m_clock;
    FigureLabel* m_step;
    FigureLabel* m_of;
    StateChip* m_chip;
    FigureLabel* m_facts;
    HintLabel* m_hint;
    QString m_said, m_busy;
    bool m_saidWarns = false;
};

}  // namespace headscope
