// The run in the window as a file: the File menu, what is dropped on it, and what of the window goes into it.

#include <algorithm>

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QUrl>

#include "ui/card.h"
#include "ui/look_back.h"
#include "ui/loss_chart.h"
#include "ui/main_window.h"
#include "ui/menu_entry.h"
#include "ui/offer_bar.h"
#include "ui/probe_card.h"
#include "ui/replay.h"
#include "ui/right_column.h"
#include "ui/run_toolbar.h"
#include "ui/save_dialog.h"
#include "ui/scaling_card.h"
#include "ui/sentences.h"
#include "ui/status_strip.h"

namespace headscope {
namespace {

/// The one file that is being dragged; empty where it is another thing, or several.
QString fileIn(const QMimeData& data) {
    const QList<QUrl> urls = data.urls();
    return urls.size() == 1 ? urls.front().toLocalFile() : QString();
}

}  // namespace

void MainWindow::makeFileMenu(QMenu* menu) {
    add(menu, tr("&Open…"), "openAction", {QKeySequence::Open}, [this] { askWhatToOpen(); });
    m_recent = menu->addMenu(tr("Open &Recent"));
    m_recent->setObjectName(QStringLiteral("recentMenu"));
    m_lastSitting = add(menu, tr("Reopen the Last Sitti&ng"), "lastSittingAction", {},
                        [this] { emit lastSittingRequested(); });
    m_lastSitting->setEnabled(false);
    add(menu, tr("&Save"), "saveAction", {QKeySequence::Save}, [this] { save(); });
    add(menu, tr("Save &As…"), "saveAsAction", {QKeySequence(tr("Ctrl+Shift+S"))}, [this] { saveAs(); });
    setRecentFiles({});
}

void MainWindow::setRecentFiles(const QStringList& paths) {
    m_recent->clear();
    for (const QString& path : paths) {
        QString text = QFileInfo(path).fileName();
        QAction* action = m_recent->addAction(text.replace(u'&', QStringLiteral("&&")));
        action->setToolTip(path);
        action->setStatusTip(path);
        connect(action, &QAction::triggered, this, [this, path] { emit openRequested(path); });
    }
    m_recent->setToolTipsVisible(true);
    m_recent->setEnabled(!paths.isEmpty());
}

void MainWindow::setHasLastSitting(bool has) { m_lastSitting->setEnabled(has); }

void MainWindow::setFile(const QString& path, bool modified) {
    m_file = path;
    // A program's name is added by Qt to what is not the name itself.
    const QString title = path.isEmpty() ? QStringLiteral("Headscope") : QFileInfo(path).fileName();
    setWindowTitle(title + QStringLiteral("[*]"));
    setWindowModified(modified && !path.isEmpty());
}

void MainWindow::showHint(const QString& sentence) { m_status->showHint(sentence); }

void MainWindow::showBusy(const QString& sentence) { m_status->showBusy(sentence); }

void MainWindow::showProblem(const Refusal& refusal) { m_problem->warn(sentence(refusal), tr("Close")); }

void MainWindow::clearProblem() { m_problem->hide(); }

void MainWindow::offerToRestore() {
    m_offer->open(tr("Headscope ended unexpectedly. The run it was at can be restored."), tr("Restore"),
                  tr("Discard"));
}

void MainWindow::askWhatToOpen() {
    auto* dialog = new QFileDialog(this, tr("Open"), m_file.isEmpty() ? QString() : QFileInfo(m_file).path());
    dialog->setObjectName(QStringLiteral("openDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters(
        {tr("Runs, attention and weights (%1)").arg(QStringLiteral("*.headscope *.npy *.npz *.safetensors")),
         tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openRequested);
    dialog->open();
}

void MainWindow::save() {
    if (m_file.isEmpty()) return saveAs();
    emit saveRequested(m_file);
}

void MainWindow::saveAs() {
    const QString name = m_file.isEmpty() ? tr("run") + QStringLiteral(".headscope") : m_file;
    askWhereToSave(this, tr("Save"), tr("Run of Headscope (*.headscope)"), name,
                   [this](const QString& path) { emit saveRequested(path); });
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!fileIn(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QString path = fileIn(*event->mimeData());
    if (path.isEmpty()) return;
    event->acceptProposedAction();
    emit openRequested(path);
}

const RunRecord& MainWindow::record() const { return m_replay->record(); }

PanelState MainWindow::panelState() const {
    PanelState state;
    state.lesson = lesson();
    state.pace = m_toolbar->pace();
    state.shows_scores = m_probeCard->showsScores();
    state.colormap = m_colormap;
    state.carries_on = m_scaling->carriesOn();
    state.controls = m_lecture ? m_before.controls : m_controlsAction->isChecked();
    state.probe_card = m_probeAction->isChecked();
    state.folded = foldedCards();
    return state;
}

void MainWindow::showPanel(const PanelState& state) {
    if (!showLesson(state.lesson)) {
        setLessons(m_lessons);
        m_twin.reset();
    }
    m_toolbar->setPace(state.pace);
    m_probeCard->showScores(state.shows_scores);
    setColormap(state.colormap);
    m_scaling->setCarriesOn(state.carries_on);
    if (!m_lecture) m_controlsAction->setChecked(state.controls);
    m_probeAction->setChecked(state.probe_card);
    foldCards(state.folded);
}

void MainWindow::showStory(const RunRecord& record, RunId run) {
    setUpdatesEnabled(false);  // of all its frames only the last is to be seen
    record.tell(run, [this](const Update& update) { showUpdate(update); });
    m_chart->clearGhosts();
    setUpdatesEnabled(true);
    showFrame();
    const std::vector<Frame>& frames = record.recorder.frames();
    m_probe = frames.empty() ? Probe{} : frames.back().snapshot->probe;
    adopt(m_experiment);
    if (m_probe != Probe{}) emit probeRequested(m_probe);
}

LookBack MainWindow::lookBack() const {
    LookBack now{m_chart->ghosts(), {}, m_right->undoList()};
    if (!m_replay->isLive()) now.step = m_replay->shown().snapshot->steps_done;
    return now;
}

void MainWindow::showLookBack(const LookBack& before) {
    m_chart->setGhosts(before.ghosts);
    m_right->setUndoList(before.undo);
    if (before.step) m_replay->goTo(*before.step);
}

}  // namespace headscope
