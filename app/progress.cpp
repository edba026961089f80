#include "app/progress.h"

#include <unistd.h>

#include <QCoreApplication>

namespace headscope {
namespace {

using namespace std::chrono_literals;

constexpr int kBarWidth = 30;

}  // namespace

Progress::Progress(std::int64_t total) : m_total(total), m_terminal(isatty(STDERR_FILENO)) {
    m_next = m_begin + (m_terminal ? 100ms : 10s);
}

Progress::~Progress() {
    if (m_drawn && m_terminal) std::fputs("\r\033[K", stderr);
}

void Progress::show(std::int64_t steps_done, double loss) {
    if (!isDue()) return;
    draw(steps_done, QCoreApplication::translate("headscope::Progress", "step %1 of %2, loss %3, %4 steps/s")
                         .arg(steps_done)
                         .arg(m_total)
                         .arg(loss, 0, 'f', 3)
                         .arg(stepsPerSecond(steps_done), 0, 'f', 0));
}

void Progress::showRuns(std::int64_t runs_done) {
    if (!isDue()) return;
    draw(runs_done,
         QCoreApplication::translate("headscope::Progress", "%1 of %2 runs").arg(runs_done).arg(m_total));
}

bool Progress::isDue() {
    const Clock::time_point now = Clock::now();
    if (now < m_next) return false;
    m_next = now + (m_terminal ? 100ms : 10s);
    return true;
}

void Progress::draw(std::int64_t done, const QString& state) {
    m_drawn = true;
    if (m_terminal) {
        const auto filled = static_cast<qsizetype>(kBarWidth * done / m_total);
        const QString bar = QString(filled, u'#') + QString(kBarWidth - filled, u'.');
        std::fprintf(stderr, "\r[%s] %s\033[K", qPrintable(bar), qPrintable(state));
    } else {
        std::fprintf(stderr, "%s\n", qPrintable(state));
    }
    std::fflush(stderr);
}

double Progress::stepsPerSecond(std::int64_t steps_done) const {
    const std::chrono::duration<double> passed = Clock::now() - m_begin;
    return static_cast<double>(steps_done) / std::max(passed.count(), 1e-9);
}

}  // namespace headscope
