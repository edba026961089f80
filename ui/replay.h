#pragma once

#include <optional>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include "engine/training/run_record.h"
#include "ui/run_marks.h"

namespace headscope {

/// The recorded run, and the place in it that the window shows: live, or a step to go back to.
class Replay : public QObject {
    Q_OBJECT
public:
    /// `budget` of recorded frames, in bytes.
    explicit Replay(QObject* parent = nullptr, std::size_t budget = RunRecord::kBudget);

    /// To be told every update; returns the marks that are new. A run id not seen before begins anew, live.
    std::vector<RunMark> add(const Update& update);

    bool isLive() const { return !m_shown.snapshot; }
    /// The frame gone back to; an empty one while live.
    const Frame& shown() const { return m_shown; }
    const RunRecord& record() const { return m_record; }
    const Recorder& recorder() const { return m_record.recorder; }
    const std::vector<RunMark>& marks() const { return m_marks.all(); }
    std::int64_t plannedSteps() const { return m_planned; }
    std::int64_t stepsDone() const { return m_done; }

    /// Shows the frame nearest to a step; nothing where there is none.
    void goTo(std::int64_t step);
    /// Shows the frame that many places later (earlier where negative); of the live one, counted from the
    /// last.
    void moveBy(int frames);
    void goLive();

    bool isPlaying() const { return m_timer.isActive(); }
    /// Plays from the frame shown; from the first where that is the last or the live one. Stands at the last.
    void setPlaying(bool playing);
    /// Steps per second, positive.
    void setSpeed(double steps_per_second) { m_speed = steps_per_second; }
    double speed() const { return m_speed; }
    /// What the clock does while it plays: that many seconds go by.
    void advance(double seconds);

signals:
    /// More was recorded, or marked.
    void grown();
    /// Another frame is shown, or the live one again.
    void moved();
    void playingChanged(bool playing);

private:
    void show(Frame frame);

    RunRecord m_record;
    RunMarks m_marks;
    std::int64_t m_planned = 1, m_done = 0;
    Frame m_shown;
    double m_speed = 60;
    double m_place = 0;  ///< while playing, in steps
    QTimer m_timer;
    QElapsedTimer m_clock;
};

}  // namespace headscope
