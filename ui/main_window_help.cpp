// The Help menu.

#include <QApplication>
#include <QClipboard>
#include <QMenuBar>

#include "engine/training/experiment_json.h"
#include "ui/about_dialog.h"
#include "ui/card.h"
#include "ui/keys_dialog.h"
#include "ui/main_window.h"
#include "ui/scaling_card.h"
#include "ui/status_strip.h"
#include "ui/tour.h"

namespace headscope {

void MainWindow::startTour() {
    if (m_lecture || findChild<Tour*>()) return;
    auto* tour = new Tour(
        {{m_gridCard, tr("What am I seeing?"),
          tr("One causal triangle a head. A row is a query, a column a key it may look at: the lighter the "
             "cell, "
             "the larger the weight, and each row sums to 1. Above the diagonal is the future: nothing is "
             "there.")},
         {m_lossCard, tr("The loss falls"),
          tr("The dashed line is what guessing costs, ln V. The pale curve is every batch, the bold one "
             "their "
             "moving average. As it falls, the triangles above take their shape.")},
         {m_scaling, tr("What lecturers switch off"),
          tr("weights = softmax(q·kᵀ / √d_head). Without the division the scores grow with √d_head, the "
             "softmax "
             "saturates, and wide heads stop learning. How much it matters here is told beforehand.")},
         {m_status, tr("Nothing is lost"),
          tr("The whole run is recorded. Drag back along the timeline, and the heads, the curve and the "
             "mechanism "
             "go with you; Live returns. Other lessons are in the bar above, and F1 lists the keys.")}},
        this);
    connect(this, &MainWindow::lectureModeChanged, tour, &Tour::end);
}

void MainWindow::showKeys() {
    auto* dialog = new KeysDialog(*menuBar(), this);
    dialog->setObjectName(QStringLiteral("keysDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

void MainWindow::setOtherLibraries(std::vector<Library> libraries) {
    m_otherLibraries = std::move(libraries);
}

QString MainWindow::diagnostics() const {
    return systemFacts(m_otherLibraries) +
           QStringLiteral("Window: %1 × %2 at %3, run %4 at step %5, lesson %6\n")
               .arg(width())
               .arg(height())
               .arg(devicePixelRatioF())
               .arg(m_shown.run)
               .arg(m_shown.steps_done)
               .arg(lesson().isEmpty() ? QStringLiteral("none") : lesson()) +
           (m_twin ? QStringLiteral("Twin: ") + QString::fromStdString(toJson(*m_twin)) : QString()) +
           QStringLiteral("Experiment: ") + QString::fromStdString(toJson(m_experiment));
}

void MainWindow::copyDiagnostics() {
    QGuiApplication::clipboard()->setText(diagnostics());
    m_status->showHint(tr("Copied: paste it into your report"));
}

void MainWindow::showAbout() {
    auto* dialog = new AboutDialog(m_otherLibraries, diagnostics(), this);
    dialog->setObjectName(QStringLiteral("aboutDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

}  // namespace headscope
