#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>

#include <QString>

namespace headscope {

/// How far a long piece of work is, on stderr: a bar that is drawn over itself on a terminal, else a line now
/// and then.
class Progress {
public:
    /// Of so many steps, or runs.
    explicit Progress(std::int64_t total);
    /// Clears the bar away.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Draws only when enough time has passed since the last.
    void show(std::int64_t steps_done, double loss);
    void showRuns(std::int64_t runs_done);
    double stepsPerSecond(std::int64_t steps_done) const;

private:
    using Clock = std::chrono::steady_clock;

    bool isDue();
    void draw(std::int64_t done, const QString& state);

    std::int64_t m_total;
    bool m_terminal;
    bool m_drawn = false;
    Clock::time_point m_begin = Clock::now();
    Clock::time_point m_next;
};

}  // namespace headscope
