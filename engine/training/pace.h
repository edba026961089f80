#pragma once

#include <chrono>
#include <limits>

namespace headscope {

using Seconds = std::chrono::duration<double>;
using TimePoint = std::chrono::time_point<std::chrono::steady_clock, Seconds>;

/// Says when steps are due at so many a second: on a grid that does not drift, however late single steps
/// come. Knows no clock.
class Pacer {
public:
    /// When the next step is due: `now` where the pace is unlimited, for the first step, and after a stay
    /// away of more than kPatience, which is not made up for. May lie in the past.
    TimePoint due(TimePoint now, double steps_per_second) const;

    /// A step is made that was due then.
    void made(TimePoint due) { m_last = due; }

    static constexpr Seconds kPatience{0.1};

private:
    TimePoint m_last = TimePoint::min();
};

/// Keeps what interrupts training to a thirtieth of the time.
class Budget {
public:
    static constexpr double kShare = 1. / 30;

    bool allows(TimePoint now) const { return now >= m_again; }
    void spent(TimePoint from, TimePoint to) { m_again = to + (to - from) * (1 / kShare - 1); }

private:
    TimePoint m_again = TimePoint::min();
};

/// How fast steps come, measured over the last half second or, where steps are rarer, the last one.
class RateMeter {
public:
    void made(TimePoint now);
    double stepsPerSecond() const { return m_rate; }  ///< 0 before there are two steps

private:
    static constexpr Seconds kWindow{0.5};

    TimePoint m_start = TimePoint::min();
    int m_steps = 0;
    bool m_complete = false;  // a whole window has been measured
    double m_rate = 0;
};

}  // namespace headscope
