#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/training/sweep.h"

namespace headscope {

/// Makes many runs on threads of its own. Which of them makes which run changes no row.
class SweepRunner {
public:
    /// Begins; `jobs` threads, at least 1. The runs must be valid. Throws Refusal where the system gives
    /// fewer threads.
    SweepRunner(std::vector<Experiment> runs, double threshold, int jobs);
    /// Stops the runs in hand, each at its next step, and waits for the threads. Blocks.
    ~SweepRunner();
    SweepRunner(const SweepRunner&) = delete;
    SweepRunner& operator=(const SweepRunner&) = delete;

    /// The rows that came since the last call, as they came. Throws what a run threw, once there is no row
    /// left. Must not block.
    std::vector<SweepRow> drain();

    /// The same, but waits for one to come, until the last has come or this long. Blocks.
    std::vector<SweepRow> drain(std::chrono::milliseconds patience);

    /// Stops the runs in hand, each at its next step, and waits for the threads: drain() then has the last
    /// rows. Blocks.
    void stop();

private:
    void work(const std::stop_token& stop);

    const std::vector<Experiment> m_runs;
    const double m_threshold;
    std::atomic<std::size_t> m_next = 0;
    std::mutex m_mutex;  // guards what follows
    std::condition_variable m_came;
    std::vector<SweepRow> m_rows;
    std::size_t m_working;  // threads that have not ended
    std::exception_ptr m_failure;
    std::vector<std::jthread> m_threads;  // last: they use all the rest
};

}  // namespace headscope
