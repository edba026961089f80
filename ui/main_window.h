#pragma once

#include <QMainWindow>

#include "engine/training/update.h"
#include "ui/lesson.h"

class QLabel;

namespace headscope {

class Card;
class ExperimentCard;
class HeadGrid;
class HeadsCard;
class LossChart;
class RunToolbar;
class ScalingCard;
class StatusStrip;
enum class Colormap;
enum class PictureKind;

/// The whole window. It is told what the engine did by showUpdate() and says what the user wants by its
/// signals; it never sees a session or a thread. What it shows of a run comes from the last update: a click
/// only asks.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);

    /// What the toolbar offers; choosing one sets all controls and emits paceRequested and restartRequested.
    void setLessons(std::vector<Lesson> lessons);
    /// The same, by id; false where there is no such lesson.
    bool chooseLesson(const QString& id);
    /// Shows a lesson as the one in hand, with its text, and asks for nothing.
    bool showLesson(const QString& id);
    /// Shows a pace that was set elsewhere, such as on the command line; emits nothing.
    void showPace(double steps_per_second);

public slots:
    /// A run id not seen before begins a new curve; the one before stays as a ghost.
    void showUpdate(const headscope::Update& update);
    /// What was asked for last was not done: says why, and shows again what is running.
    void showRefusal(const headscope::Refusal& refusal);

signals:
    /// Start anew from the seed.
    void restartRequested(const headscope::Experiment& experiment);
    /// Go on with the weights there are; only what canCarryOn() allows differs from the running experiment.
    void carryOnRequested(const headscope::Experiment& experiment);
    void pauseRequested(bool paused);
    void stepRequested();
    /// Steps per second; kUnlimitedPace is as fast as it goes.
    void paceRequested(double steps_per_second);

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void layOut();
    void connectControls();
    void makeMenus();
    void makeExportMenu(QMenu* menu);
    void makeColorMenu(QMenu* menu);

    void startOrPause();
    void step();
    void restart();
    /// Restarts or carries on, as the change and the switch beside the scaling have it.
    void ask(const Experiment& experiment);
    void adopt(const Experiment& experiment);
    void exportPicture(PictureKind kind, int head);
    void copyPicture(PictureKind kind, int head);
    int chosenHead() const;
    void showAbout();

    std::vector<Lesson> m_lessons;
    Experiment m_experiment;  ///< last asked for or told
    Update m_shown;           ///< the last, without its points and snapshot
    Colormap m_colormap;
    RunToolbar* m_toolbar;
    HeadsCard* m_heads;
    ScalingCard* m_scaling;
    ExperimentCard* m_training;
    Card* m_lookFor;
    QLabel* m_lookForText;
    QWidget* m_controls;
    Card* m_gridCard;
    HeadGrid* m_grid;
    LossChart* m_chart;
    StatusStrip* m_status;
};

}  // namespace headscope
