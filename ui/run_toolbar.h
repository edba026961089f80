#pragma once

#include <vector>

#include <QFrame>

#include "engine/training/update.h"
#include "ui/lesson.h"

class QLabel;
class QMenu;
class QPushButton;

namespace headscope {

class ChoiceBox;
class FigureLabel;
class TickSlider;

/// Start or pause, step, restart, pace, lesson, compare, export, lecture mode.
class RunToolbar : public QFrame {
    Q_OBJECT
public:
    explicit RunToolbar(QWidget* parent = nullptr);

    void showState(RunState state);
    double pace() const { return m_steps_per_second; }
    /// Shows a pace without emitting it.
    void setPace(double steps_per_second);
    /// The chooser is there only when there are lessons; it names none until one is chosen.
    void setLessons(const std::vector<Lesson>& lessons);
    void setLesson(int index);
    /// −1 where none is chosen.
    int lesson() const;
    void setExportMenu(QMenu* menu);
    /// Whether there is a twin: the button then ends the comparison.
    void showComparing(bool comparing);
    const QWidget& compareButton() const;

signals:
    void startOrPauseClicked();
    void stepClicked();
    void restartClicked();
    void paceChosen(double steps_per_second);
    void lessonChosen(int index);
    void compareClicked();
    void lectureClicked();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void layOut();
    void connectControls();
    void paintIcon();

    RunState m_state = RunState::Idle;
    bool m_comparing = false;
    double m_steps_per_second = 60;
    QPushButton* m_start;
    QPushButton* m_step;
    QPushButton* m_restart;
    TickSlider* m_pace;
    FigureLabel* m_paceText;
    QWidget* m_lessonPart;
    QLabel* m_lessonLabel;
    ChoiceBox* m_lesson;
    QPushButton* m_compare;
    QPushButton* m_export;
    QPushButton* m_lecture;
};

}  // namespace headscope
