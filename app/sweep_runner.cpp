#include "app/sweep_runner.h"

#include <algorithm>
#include <utility>

namespace headscope {

SweepRunner::SweepRunner(std::vector<Experiment> runs, double threshold, int jobs)
    : m_runs(std::move(runs)),
      m_threshold(threshold),
      m_working(std::min(static_cast<std::size_t>(jobs), m_runs.size())) {
    for (std::size_t threads = m_working; threads > 0; --threads)
        m_threads.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

SweepRunner::~SweepRunner() {
    for (std::jthread& thread : m_threads) thread.request_stop();
}

std::vector<SweepRow> SweepRunner::drain() { return drain(std::chrono::milliseconds(0)); }

std::vector<SweepRow> SweepRunner::drain(std::chrono::milliseconds patience) {
    std::unique_lock lock(m_mutex);
    m_came.wait_for(lock, patience, [this] { return !m_rows.empty() || m_working == 0; });
    if (m_failure) std::rethrow_exception(std::exchange(m_failure, nullptr));
    return std::exchange(m_rows, {});
}

void SweepRunner::work(const std::stop_token& stop) {
    std::exception_ptr failure;
    try {
        for (std::size_t i = m_next++; i < m_runs.size() && !stop.stop_requested(); i = m_next++) {
            const auto row = sweepRun(m_runs[i], m_threshold, [&stop] { return stop.stop_requested(); });
            if (!row) break;
            const std::lock_guard lock(m_mutex);
            m_rows.push_back(*row);
            m_came.notify_one();
        }
    } catch (...) {
        failure = std::current_exception();
    }
    const std::lock_guard lock(m_mutex);
    if (failure) m_failure = failure;
    --m_working;
    m_came.notify_one();
}

}  // namespace headscope
