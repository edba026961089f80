#include "app/bridge.h"

#include <chrono>
#include <new>
#include <utility>

#include <QCoreApplication>

#include "engine/training/checkpoint.h"
#include "engine/training/weights_file.h"

namespace headscope {

using namespace std::chrono_literals;

Bridge::Bridge(MainWindow& window) : m_window(window) {
    connect(&window, &MainWindow::restartRequested, this,
            [this](const Experiment& experiment) { orSay([&] { m_session.restart(experiment); }); });
    connect(&window, &MainWindow::compareRequested, this,
            [this](const Experiment& experiment, const Experiment& twin) {
                orSay([&] { m_session.restart(experiment, twin); });
            });
    connect(&window, &MainWindow::carryOnRequested, this,
            [this](const Experiment& experiment) { orSay([&] { m_session.carryOn(experiment); }); });
    connect(&window, &MainWindow::headModesRequested, this,
            [this](const std::vector<HeadMode>& modes) { orSay([&] { m_session.setHeadModes(modes); }); });
    connect(&window, &MainWindow::probeRequested, this,
            [this](const Probe& probe) { orSay([&] { m_session.setProbe(probe); }); });
    connect(&window, &MainWindow::weightsRequested, this,
            [this] { orSay([&] { m_weightsOf = m_session.requestCheckpoint(); }); });
    connect(&window, &MainWindow::pauseRequested, this, [this](bool paused) { m_session.setPaused(paused); });
    connect(&window, &MainWindow::stepRequested, this, [this] { m_session.step(); });
    connect(&window, &MainWindow::paceRequested, this, [this](double pace) { m_session.setPace(pace); });
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &Bridge::pass);
    m_timer.start(16ms);
}

void Bridge::start(const Experiment& experiment, double steps_per_second) {
    m_session.setPace(steps_per_second);
    m_window.begin(experiment);
}

void Bridge::open(const StoredSession& stored, const PanelState& panel, bool paused) {
    const RunId run = m_session.resume(std::make_shared<const Checkpoint>(stored.checkpoint), paused);
    m_session.setPace(panel.pace);
    m_opened = run;
    m_window.showPanel(panel);
    m_window.showStory(stored.record, run);
}

RunId Bridge::requestCheckpoint() { return m_session.requestCheckpoint(); }

void Bridge::end() {
    m_timer.stop();
    m_session.end();
    pass();  // up to a checkpoint that was asked for
    pass();  // up to the last
    pass();  // a run that was to follow
}

template <class Command>
void Bridge::orSay(Command command) {
    try {
        command();
    } catch (const Refusal& refusal) {
        m_window.showRefusal(refusal);
    }
}

void Bridge::passWeights(const Update& update) {
    if (m_weightsOf == 0 || update.run < m_weightsOf) return;
    const bool lost =
        update.checkpoint_failed || update.run > m_weightsOf || update.state == RunState::Failed;
    if (!update.checkpoint && !lost) return;
    const RunId wanted = std::exchange(m_weightsOf, 0);
    try {
        if (update.checkpoint && update.run == wanted) {
            const TrainerState& state = update.checkpoint->first;
            return m_window.offerWeights(
                QByteArray::fromStdString(weightsFile(state.parameters, state.experiment)));
        }
    } catch (const std::bad_alloc&) {
        // Said below.
    }
    m_window.showProblem(Refusal(QT_TRANSLATE_NOOP(
        "headscope::Refusal", "the weights cannot be exported: their run has ended, or memory is short")));
}

void Bridge::pass() {
    Update update = m_session.drain();
    passWeights(update);
    if (update.run < m_opened) return;  // it led up to the weights of the run before
    const bool news = update.run != m_shown.run || update.state != m_shown.state ||
                      update.steps_done != m_shown.steps_done || update.experiment != m_shown.experiment ||
                      update.modes != m_shown.modes || !update.points.empty() || update.snapshot ||
                      update.checkpoint || update.checkpoint_failed;
    if (!news) return;
    m_window.showUpdate(update);
    if (update.snapshot) m_session.requestSnapshot();
    emit passed(update);
    update.points.clear();
    update.twin_points.clear();
    update.head_changes.clear();
    update.snapshot.reset();
    update.twin_snapshot.reset();
    update.checkpoint.reset();
    update.checkpoint_failed = false;
    m_shown = std::move(update);
}

}  // namespace headscope
