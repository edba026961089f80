#include "engine/training/pace.h"

#include <algorithm>
#include <cmath>

namespace headscope {

TimePoint Pacer::due(TimePoint now, double steps_per_second) const {
    if (std::isinf(steps_per_second)) return now;
    const TimePoint next = m_last + Seconds(1 / steps_per_second);
    return next < now - kPatience ? now : next;
}

void RateMeter::made(TimePoint now) {
    if (m_start == TimePoint::min()) {
        m_start = now;
        return;
    }
    ++m_steps;
    const Seconds passed = now - m_start;
    if (passed < kWindow && m_complete) return;
    m_rate = m_steps / std::max(passed.count(), 1e-9);
    if (passed >= kWindow) {
        m_start = now;
        m_steps = 0;
        m_complete = true;
    }
}

}  // namespace headscope
