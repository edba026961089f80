#include "app/sweep_driver.h"

#include <algorithm>
#include <chrono>
#include <new>

#include "ui/sentences.h"

namespace headscope {

using namespace std::chrono_literals;

SweepDriver::SweepDriver(SweepDialog& dialog) : QObject(&dialog), m_dialog(dialog) {
    connect(&dialog, &SweepDialog::sweepRequested, this, &SweepDriver::start);
    connect(&dialog, &SweepDialog::cancelRequested, this, &SweepDriver::stop);
    connect(&m_timer, &QTimer::timeout, this, &SweepDriver::pass);
    m_timer.setInterval(50ms);
}

template <class Work>
void SweepDriver::orEnd(Work work) {
    try {
        work();
    } catch (const Refusal& refusal) {
        stop();
        m_dialog.showEnd(sentence(refusal));
    } catch (const std::bad_alloc&) {
        stop();
        m_dialog.showEnd(sentence(Refusal(
            QT_TRANSLATE_NOOP("headscope::Refusal", "there is not enough memory for this experiment"))));
    }
}

void SweepDriver::start(const Sweep& sweep) {
    orEnd([&] {
        std::vector<Experiment> runs = runsOf(sweep);
        m_missing = runs.size();
        // The window and the run in it keep a processor.
        const int processors = static_cast<int>(std::thread::hardware_concurrency()) - 1;
        const int jobs = std::clamp(processors, 1, mostAtOnce(sweep));
        m_runner = std::make_unique<SweepRunner>(std::move(runs), sweep.threshold, jobs);
        m_timer.start();
    });
}

void SweepDriver::pass() {
    orEnd([this] {
        const std::vector<SweepRow> rows = m_runner->drain();
        if (rows.empty()) return;
        m_missing -= rows.size();
        m_dialog.addRows(rows);
        if (m_missing > 0) return;
        stop();
        m_dialog.showEnd();
    });
}

void SweepDriver::stop() {
    m_timer.stop();
    m_runner.reset();
}

void openSweep(const Experiment& experiment, QWidget* window) {
    auto* dialog = new SweepDialog(experiment, window);
    dialog->setObjectName(QStringLiteral("sweepDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    new SweepDriver(*dialog);
    dialog->show();
}

}  // namespace headscope
