// The menus of the main window, and what their entries do.

#include <new>
#include <utility>

#include <QActionGroup>
#include <QDir>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>

#include "ui/card.h"
#include "ui/export_dialog.h"
#include "ui/head_grid.h"
#include "ui/heads_card.h"
#include "ui/heads_view.h"
#include "ui/loss_chart.h"
#include "ui/main_window.h"
#include "ui/menu_entry.h"
#include "ui/output_files.h"
#include "ui/probe_card.h"
#include "ui/replay.h"
#include "ui/right_column.h"
#include "ui/run_data.h"
#include "ui/run_toolbar.h"
#include "ui/save_dialog.h"
#include "ui/scaling_card.h"
#include "ui/sentences.h"
#include "ui/status_strip.h"

namespace headscope {

void MainWindow::makeMenus() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    makeFileMenu(file);
    file->addSeparator();
    QMenu* exports = file->addMenu(tr("&Export"));
    makeExportMenu(exports);
    m_toolbar->setExportMenu(exports);
    makeDataMenu(file->addMenu(tr("Export &Data")));
    file->addSeparator();
    add(file, tr("&Quit"), "quitAction", {QKeySequence(tr("Ctrl+Q"))}, [this] {
        close();
    })->setMenuRole(QAction::QuitRole);

    makeRunMenu(menuBar()->addMenu(tr("&Run")));
    makeViewMenu(menuBar()->addMenu(tr("&View")));
    makeHelpMenu(menuBar()->addMenu(tr("&Help")));
    keepShortcuts(*this);
}

void MainWindow::makeRunMenu(QMenu* menu) {
    add(menu, tr("&Start or Pause"), "startAction", {Qt::Key_Space}, [this] { startOrPause(); });
    add(menu, tr("One S&tep"), "stepAction", {Qt::Key_Right, Qt::Key_N}, [this] { step(); });
    add(menu, tr("&Restart from the Seed"), "restartAction", {Qt::Key_R}, [this] { restart(); });
    menu->addSeparator();
    add(menu, tr("S&caling On or Off"), "scalingAction", {Qt::Key_S}, [this] { m_scaling->toggle(); });
    add(menu, tr("&More Heads"), "moreHeadsAction", {Qt::Key_Plus, Qt::Key_Equal},
        [this] { m_heads->moveBy(+1); });
    add(menu, tr("&Fewer Heads"), "fewerHeadsAction", {Qt::Key_Minus}, [this] { m_heads->moveBy(-1); });
    makeHeadMenu(menu->addMenu(tr("M&ute or Train")));
    add(menu, tr("&Undo Muting"), "undoModesAction", {QKeySequence::Undo},
        [this] { m_right->undoHeadModes(); });
    menu->addSeparator();
    add(menu, tr("&Compare with a Twin, or End It"), "compareAction", {Qt::Key_C}, [this] { compare(); });
    add(menu, tr("&Play the Recorded Run"), "replayAction", {Qt::Key_P},
        [this] { m_replay->setPlaying(!m_replay->isPlaying()); });
    add(menu, tr("Back to &Live"), "liveAction", {Qt::Key_L}, [this] { m_replay->goLive(); });
    menu->addSeparator();
    add(menu, tr("S&weep…"), "sweepAction", {}, [this] { emit sweepRequested(m_experiment); });
}

void MainWindow::makeViewMenu(QMenu* menu) {
    makeThemeMenu(menu->addMenu(tr("&Theme")));
    makeColorMenu(menu->addMenu(tr("&Color Scale")));
    m_languages = menu->addMenu(tr("La&nguage"));
    m_languages->setObjectName(QStringLiteral("languageMenu"));
    m_controlsAction = menu->addAction(tr("C&ontrols"));
    m_controlsAction->setObjectName(QStringLiteral("controlsAction"));
    m_controlsAction->setCheckable(true);
    m_controlsAction->setChecked(true);
    m_controlsAction->setShortcut(tr("Ctrl+B"));
    connect(m_controlsAction, &QAction::toggled, m_left, &QWidget::setVisible);
    add(menu, tr("Forget the &Ghosts"), "clearGhostsAction", {}, [this] { m_chart->clearGhosts(); });
    add(menu, tr("Whole Loss C&urve"), "showAllAction", {QKeySequence(tr("Ctrl+0"))},
        [this] { m_chart->showAll(); });
    offerProbe(menu);
    menu->addSeparator();
    offerLectureMode(menu);
    menu->addSeparator();
    add(menu, tr("Reset Setti&ngs…"), "resetAction", {}, [this] { askToReset(); });
}

void MainWindow::offerProbe(QMenu* menu) {
    m_probeAction = menu->addAction(tr("&Probe"));
    m_probeAction->setObjectName(QStringLiteral("probeAction"));
    m_probeAction->setCheckable(true);
    m_probeAction->setShortcut(tr("Ctrl+P"));
    connect(m_probeAction, &QAction::toggled, m_probeCard, &QWidget::setVisible);
    auto* probeButton = new QPushButton(tr("Probe"));
    probeButton->setObjectName(QStringLiteral("probeButton"));
    probeButton->setProperty("compact", true);
    probeButton->setCheckable(true);
    probeButton->setFocusPolicy(Qt::TabFocus);
    probeButton->setToolTip(tr("The tokens the heads are looked at with, and what is predicted (Ctrl+P)"));
    connect(probeButton, &QPushButton::toggled, m_probeAction, &QAction::setChecked);
    connect(m_probeAction, &QAction::toggled, probeButton, &QPushButton::setChecked);
    m_gridCard->addToHeader(probeButton);
}

void MainWindow::offerLectureMode(QMenu* menu) {
    QAction* lecture = menu->addAction(tr("&Lecture Mode"));
    lecture->setObjectName(QStringLiteral("lectureAction"));
    lecture->setCheckable(true);
    lecture->setShortcut(Qt::Key_F11);
    connect(lecture, &QAction::toggled, this, &MainWindow::setLectureMode);
    connect(this, &MainWindow::lectureModeChanged, lecture, &QAction::setChecked);
    QAction* leave = add(menu, tr("L&eave Lecture Mode"), "leaveLectureAction", {Qt::Key_Escape},
                         [this] { setLectureMode(false); });
    leave->setEnabled(false);
    connect(this, &MainWindow::lectureModeChanged, leave, &QAction::setEnabled);
}

void MainWindow::makeHelpMenu(QMenu* menu) {
    add(menu, tr("&What Am I Seeing?"), "tourAction", {}, [this] { startTour(); });
    add(menu, tr("&Keys"), "keysAction", {Qt::Key_F1}, [this] { showKeys(); });
    menu->addSeparator();
    add(menu, tr("Copy &Diagnostics"), "diagnosticsAction", {}, [this] { copyDiagnostics(); });
    add(menu, tr("&About Headscope"), "aboutAction", {}, [this] {
        showAbout();
    })->setMenuRole(QAction::AboutRole);
}

void MainWindow::makeExportMenu(QMenu* menu) {
    const auto exports = [this](PictureKind kind) {
        return [this, kind] { exportPicture(kind, chosenGrid(), chosenHead()); };
    };
    const auto copies = [this](PictureKind kind) {
        return [this, kind] { copyPicture(kind, chosenGrid(), chosenHead()); };
    };
    add(menu, tr("&Heads…"), "exportHeadsAction", {Qt::Key_E, QKeySequence(tr("Ctrl+E"))},
        exports(PictureKind::HeadGrid));
    add(menu, tr("&One Head…"), "exportHeadAction", {QKeySequence(tr("Ctrl+Shift+E"))},
        exports(PictureKind::Head));
    add(menu, tr("One Head at Several &Steps…"), "exportFilmstripAction", {},
        exports(PictureKind::Filmstrip));
    add(menu, tr("Run and &Twin…"), "exportTwinAction", {}, exports(PictureKind::Twin));
    add(menu, tr("&Loss Curve…"), "exportLossAction", {QKeySequence(tr("Ctrl+L"))},
        exports(PictureKind::LossCurve));
    add(menu, tr("&Mechanism…"), "exportMechanismAction", {}, exports(PictureKind::Mechanism));
    add(menu, tr("&Animation…"), "exportAnimationAction", {}, [this] {
        if (requireRecorded())
            emit animationRequested(pictureSource(PictureKind::HeadGrid, *m_view->grid(), chosenHead()));
    });
    menu->addSeparator();
    add(menu, tr("&Copy Heads"), "copyHeadsAction", {QKeySequence::Copy}, copies(PictureKind::HeadGrid));
    add(menu, tr("Copy One H&ead"), "copyHeadAction", {QKeySequence(tr("Ctrl+Shift+C"))},
        copies(PictureKind::Head));
    add(menu, tr("Copy Loss C&urve"), "copyLossAction", {QKeySequence(tr("Ctrl+Shift+L"))},
        copies(PictureKind::LossCurve));
}

void MainWindow::makeDataMenu(QMenu* menu) {
    const QString csv = tr("Table of comma-separated values (*.csv)");
    add(menu, tr("&Loss as CSV…"), "lossDataAction", {}, [this, csv] {
        if (record().curve.size() == 0)
            return m_status->showHint(tr("There is no picture yet: press Start (Space)"));
        const auto all = [](const LossCurve& curve) { return curve.points(0, curve.size()); };
        saveData(csv, QStringLiteral("loss.csv"),
                 [points = all(record().curve), twin = all(record().twin_curve)](const QString&) {
                     return lossCsv(points, twin);
                 });
    });
    add(menu, tr("&Mechanism as CSV…"), "mechanismDataAction", {}, [this, csv] {
        if (!requireRecorded()) return;
        saveData(csv, QStringLiteral("mechanism.csv"),
                 [frames = m_replay->recorder().frames()](const QString&) { return mechanismCsv(frames); });
    });
    add(menu, tr("&Attention as NPY…"), "attentionDataAction", {}, [this] {
        const auto snapshot = m_view->grid()->snapshot();
        if (!snapshot) return m_status->showHint(tr("There is no picture yet: press Start (Space)"));
        saveData(tr("NumPy array (*.npy)"), QStringLiteral("attention.npy"),
                 [snapshot](const QString&) { return attentionNpy(*snapshot); });
    });
    add(menu, tr("&Recorded Run…"), "recordedDataAction", {}, [this] {
        if (!requireRecorded()) return;
        saveData(tr("NumPy arrays (*.npz);;safetensors (*.safetensors)"), QStringLiteral("run.npz"),
                 [frames = m_replay->recorder().frames()](const QString& path) {
                     const bool npz = !path.endsWith(u".safetensors", Qt::CaseInsensitive);
                     return recordedRunFile(frames, npz ? ArraysFormat::Npz : ArraysFormat::Safetensors);
                 });
    });
    add(menu, tr("&Weights as safetensors…"), "weightsDataAction", {}, [this] {
        if (requireRecorded()) emit weightsRequested();
    });
}

void MainWindow::offerWeights(const QByteArray& file) {
    saveData(tr("safetensors (*.safetensors)"), QStringLiteral("weights.safetensors"),
             [file](const QString&) { return file; });
}

void MainWindow::saveData(const QString& filter, const QString& name,
                          const std::function<QByteArray(const QString& path)>& content) {
    askWhereToSave(this, tr("Save data"), filter, name, [this, content](const QString& path) {
        try {
            writeFile(path, content(path));
            m_status->showHint(tr("Saved %1.").arg(QDir::toNativeSeparators(path)));
        } catch (const Refusal& refusal) {
            showProblem(refusal);
        } catch (const std::bad_alloc&) {
            showProblem(
                Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "there is not enough memory for this file")));
        }
    });
}

bool MainWindow::requireRecorded() {
    if (m_replay->recorder().size() > 0) return true;
    m_status->showHint(tr("There is no recorded run yet: press Start (Space)"));
    return false;
}

void MainWindow::makeHeadMenu(QMenu* menu) {
    for (int head = 0; head < 9; ++head)
        add(menu, tr("Head &%1").arg(head + 1), qPrintable(QStringLiteral("muteHead%1Action").arg(head + 1)),
            {QKeySequence(Qt::Key_1 + head)}, [this, head] { m_right->toggleMute(head); });
}

bool MainWindow::ruled(const HeadGrid& grid) const {
    return grid.snapshot() && grid.snapshot()->experiment.model.n_heads == m_shown.experiment.model.n_heads;
}

void MainWindow::openHeadMenu(HeadGrid* grid, const QPoint& position) {
    const auto cursor = grid->cursor();
    const auto head = cursor ? cursor->head : grid->headAt(position);
    if (!head) return;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("headMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Head %1").arg(*head + 1))->setEnabled(false);
    menu->addSeparator();
    const std::pair<QString, HeadMode> modes[] = {{tr("As &Trained"), HeadMode::Trained},
                                                  {tr("&Mute"), HeadMode::Muted},
                                                  {tr("Attend &Uniformly"), HeadMode::Uniform},
                                                  {tr("&Freeze"), HeadMode::Frozen}};
    auto* group = new QActionGroup(menu);
    for (const auto& [text, mode] : modes) {
        QAction* action = group->addAction(text);
        menu->addAction(action);
        action->setCheckable(true);
        action->setEnabled(ruled(*grid));
        if (ruled(*grid)) action->setChecked(m_shown.modes[static_cast<std::size_t>(*head)] == mode);
        connect(action, &QAction::triggered, this,
                [this, head, asked = mode] { m_right->requestMode(*head, asked); });
    }
    menu->addSeparator();
    connect(menu->addAction(tr("&Export This Head…")), &QAction::triggered, this,
            [this, grid, head] { exportPicture(PictureKind::Head, *grid, *head); });
    connect(menu->addAction(tr("&Copy This Head")), &QAction::triggered, this,
            [this, grid, head] { copyPicture(PictureKind::Head, *grid, *head); });
    menu->popup(grid->mapToGlobal(cursor ? grid->cellRect(*cursor).center().toPoint() : position));
}

void MainWindow::openLossMenu(const QPoint& position) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("lossMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const char* name : {"exportLossAction", "copyLossAction", "showAllAction"})
        menu->addAction(findChild<QAction*>(QLatin1String(name)));
    menu->popup(m_chart->mapToGlobal(position));
}

const HeadGrid& MainWindow::chosenGrid() const {
    return m_view->twinGrid()->cursor() ? *m_view->twinGrid() : *m_view->grid();
}

int MainWindow::chosenHead() const {
    const auto cursor = chosenGrid().cursor();
    return cursor ? cursor->head : 0;
}

PictureSource MainWindow::pictureSource(PictureKind kind, const HeadGrid& grid, int head) const {
    PictureSource source;
    source.frame = {m_view->grid()->snapshot(), m_view->twinGrid()->snapshot()};
    source.muteLog = m_view->grid()->muteLog();
    source.twinMuteLog = m_view->twinGrid()->muteLog();
    source.values = m_view->grid()->kind();
    source.recorded = m_replay->recorder().frames();
    source.chart = m_chart->frozenCopy();
    source.kind = kind;
    source.head = head;
    source.steps = evenSteps(source, 1);
    source.theme = Theme::of(palette());
    source.colormap = m_colormap;
    const bool heads = kind == PictureKind::HeadGrid || kind == PictureKind::Head;
    if (heads && &grid == m_view->twinGrid()) {
        std::swap(source.frame.snapshot, source.frame.twin);
        std::swap(source.muteLog, source.twinMuteLog);
    }
    return source;
}

/// Whether there is such a picture; says what to do where there is none.
bool MainWindow::requireAvailable(const PictureSource& source) {
    if (isAvailable(source)) return true;
    m_status->showHint(source.kind == PictureKind::Twin && source.frame.snapshot
                           ? tr("There is no twin: press Compare (C)")
                           : tr("There is no picture yet: press Start (Space)"));
    return false;
}

void MainWindow::exportPicture(PictureKind kind, const HeadGrid& grid, int head) {
    PictureSource source = pictureSource(kind, grid, head);
    if (!requireAvailable(source)) return;
    source.steps.clear();
    auto* dialog = new ExportDialog(std::move(source), m_spoken, this);
    dialog->setObjectName(QStringLiteral("exportDialog"));
    dialog->setLook(*m_exportLook);
    connect(dialog, &ExportDialog::used, this, [this](const PictureOptions& options) {
        setExportLook(options);
        emit exportLookUsed(options);
    });
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

void MainWindow::copyPicture(PictureKind kind, const HeadGrid& grid, int head) {
    const PictureSource source = pictureSource(kind, grid, head);
    if (!requireAvailable(source)) return;
    PictureOptions options;
    options.caption = captionOf(source);
    options.theme = source.theme;
    options.colormap = source.colormap;
    copyToClipboard(pictureOf(source), options);
    m_status->showHint(tr("Copied: paste it into a slide"));
}

}  // namespace headscope
