#include "app/sweep_runner.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "engine/numeric/refusal.h"

namespace headscope {

SweepRunner::SweepRunner(std::vector<Experiment> runs, double threshold, int jobs)
    : m_runs(std::move(runs)),
      m_threshold(threshold),
      m_working(std::min(static_cast<std::size_t>(jobs), m_runs.size())) {
    const std::size_t wanted = m_working;  // the threads change it
    try {
        while (m_threads.size() < wanted)
            m_threads.emplace_back([this](const std::stop_token& stop) { work(stop); });
    } catch (const std::system_error&) {
        throw Refusal("the system starts %1 threads of the %2 wanted: fewer jobs at once may do",
                      {std::to_string(m_threads.size()), std::to_string(wanted)});
    }
}

SweepRunner::~SweepRunner() { stop(); }

void SweepRunner::stop() {
    for (std::jthread& thread : m_threads) thread.request_stop();
    m_threads.clear();
}

std::vector<SweepRow> SweepRunner::drain() { return drain(std::chrono::milliseconds(0)); }

std::vector<SweepRow> SweepRunner::drain(std::chrono::milliseconds patience) {
    std::unique_lock lock(m_mutex);
    m_came.wait_for(lock, patience, [this] { return !m_rows.empty() || m_working == 0; });
    if (m_rows.empty() && m_failure) std::rethrow_exception(std::exchange(m_failure, nullptr));
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
