// What the main window shows of a run, and what it asks of it.

#include "ui/card.h"
#include "ui/compare_panel.h"
#include "ui/experiment_card.h"
#include "ui/head_grid.h"
#include "ui/heads_card.h"
#include "ui/heads_view.h"
#include "ui/lesson_card.h"
#include "ui/loss_chart.h"
#include "ui/main_window.h"
#include "ui/probe_card.h"
#include "ui/replay.h"
#include "ui/right_column.h"
#include "ui/run_toolbar.h"
#include "ui/scaling_card.h"
#include "ui/sentences.h"
#include "ui/status_strip.h"
#include "ui/twin_choice.h"

namespace headscope {

void MainWindow::showUpdate(const Update& update) {
    const bool begins = update.run != m_shown.run;
    const bool changed = begins || update.experiment != m_shown.experiment;
    if (begins) {
        m_chart->beginRun(update.experiment, update.twin);
        m_twin = update.twin;
        m_toolbar->showComparing(m_twin.has_value());
    }
    if (changed && !begins) m_chart->carryOn(update.experiment, m_shown.steps_done);
    if (changed) {
        adopt(update.experiment);
        m_view->setTwin(update.experiment, update.twin);
    }

    if (!update.points.empty()) m_chart->append(update.points);
    if (!update.twin_points.empty()) m_chart->appendTwin(update.twin_points);
    if (update.state == RunState::Diverged && (begins || m_shown.state != RunState::Diverged))
        m_chart->markDiverged(update.steps_done);
    m_view->grid()->follow(update);
    if (update.twin) m_view->twinGrid()->follow(update, TwinSide::Twin);
    m_right->showUpdate(update);

    m_toolbar->showState(update.state);
    std::shared_ptr<const Snapshot> snapshot = update.snapshot, twin = update.twin_snapshot;
    if (!begins && !snapshot) {
        snapshot = m_shown.snapshot;
        twin = m_shown.twin_snapshot;
    }
    m_shown = update;
    m_shown.points.clear();
    m_shown.twin_points.clear();
    m_shown.snapshot = snapshot;
    m_shown.twin_snapshot = twin;
    for (const RunMark& mark : m_replay->add(update))
        if (!mark.isLabel()) m_chart->mark(mark.step, [mark] { return mark.text(); });
    m_status->showUpdate(update);
    if (update.snapshot && m_replay->isLive() && updatesEnabled()) showFrame();
}

void MainWindow::showFrame() {
    const bool live = m_replay->isLive();
    const Frame frame = live ? Frame{m_shown.snapshot, m_shown.twin_snapshot} : m_replay->shown();
    const Frame replayed = m_replay->shown();
    m_right->showSnapshot(replayed.snapshot, replayed.twin);
    m_chart->restCursorAt(live ? std::nullopt : std::optional(frame.snapshot->steps_done));
    if (!frame.snapshot) return;
    m_view->show(frame);
    m_probeCard->showSnapshot(frame.snapshot);
    const QString what = frame.snapshot->probe.row == Probe::kMeanOfRows
                             ? tr("mean over %1 probe rows").arg(kProbeRows)
                             : tr("probe row %1").arg(frame.snapshot->probe.row + 1);
    m_gridCard->setNote(tr("%1 · step %2").arg(what).arg(frame.snapshot->steps_done));
}

void MainWindow::showRefusal(const Refusal& refusal) {
    m_status->showRefusal(sentence(refusal));
    if (m_shown.run == 0) return;
    m_twin = m_shown.twin;
    m_toolbar->showComparing(m_twin.has_value());
    adopt(m_shown.experiment);
}

void MainWindow::startOrPause() {
    switch (m_shown.state) {
        case RunState::Running:
            emit pauseRequested(true);
            break;
        case RunState::Paused:
            emit pauseRequested(false);
            break;
        default:
            restart();
    }
}

void MainWindow::step() {
    if (m_shown.state == RunState::Running) emit pauseRequested(true);
    if (m_shown.state == RunState::Running || m_shown.state == RunState::Paused) emit stepRequested();
}

void MainWindow::restart() {
    if (m_twin)
        emit compareRequested(m_experiment, *m_twin);
    else
        emit restartRequested(m_experiment);
    // A run begins with the probe of its own rows; what fits it of what was asked before is asked again.
    if (!problems(m_probe, m_experiment.model).empty()) m_probe = {};
    if (m_probe != Probe{}) emit probeRequested(m_probe);
}

void MainWindow::compare() {
    if (!m_twin) return m_comparePanel->open(m_experiment, m_toolbar->compareButton());
    m_twin.reset();
    restart();
}

void MainWindow::ask(const Experiment& experiment) {
    const bool alive =
        m_shown.run != 0 && m_shown.state != RunState::Diverged && m_shown.state != RunState::Failed;
    const bool carriesOn = alive && m_scaling->carriesOn() && canCarryOn(m_experiment, experiment);
    if (m_twin && !carriesOn) followWithTwin(experiment);
    adopt(experiment);
    if (carriesOn)
        emit carryOnRequested(experiment);
    else
        restart();
}

void MainWindow::followWithTwin(const Experiment& experiment) {
    m_twin = twinAlong(experiment, m_experiment, *m_twin);
    if (*m_twin != experiment && canBeTwins(experiment, *m_twin) && problems(*m_twin).empty()) return;
    m_twin.reset();
    m_toolbar->showComparing(false);
    m_status->showHint(tr("The comparison has ended: the two would not differ, or could not be compared"));
}

void MainWindow::adopt(const Experiment& experiment) {
    m_experiment = experiment;
    m_heads->setExperiment(experiment);
    m_scaling->setExperiment(experiment);
    m_training->setExperiment(experiment);
    m_lessonCard->setExperiment(experiment);
    m_right->setExperiment(experiment);
    m_probeCard->setProbe(experiment, problems(m_probe, experiment.model).empty() ? m_probe : Probe{});
}

}  // namespace headscope
