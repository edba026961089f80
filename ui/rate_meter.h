#pragma once

#include <cstdint>
#include <deque>

namespace headscope {

/// Steps per second over about the last second.
class RateMeter {
public:
    /// Forgets all: a new run, or one that stood still.
    void clear() { m_seen.clear(); }
    /// `milliseconds` on any clock that does not go back.
    void add(std::int64_t steps_done, std::int64_t milliseconds);
    /// 0 until there is enough to tell.
    double rate() const;

private:
    struct Seen {
        std::int64_t steps_done;
        std::int64_t milliseconds;
    };
    std::deque<Seen> m_seen;
};

}  // namespace headscope
