#pragma once

#include <QWidget>

class QPushButton;

namespace headscope {

class ChoiceBox;
class FigureLabel;
class Replay;
class Timeline;

/// The timeline between its controls: play and its speed, what the recording takes of its memory, and back to
/// live.
class ReplayBar : public QWidget {
    Q_OBJECT
public:
    /// The replay must outlive it.
    explicit ReplayBar(Replay& replay, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void follow();
    void showPlaying(bool playing);
    void paintIcon();

    Replay& m_replay;
    Timeline* m_timeline;
    QPushButton* m_play;
    ChoiceBox* m_speed;
    FigureLabel* m_memory;
    QPushButton* m_live;
};

}  // namespace headscope
