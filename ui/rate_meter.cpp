#include "ui/rate_meter.h"

namespace headscope {
namespace {

constexpr std::int64_t kWindow = 1000;
constexpr std::int64_t kLeast = 200;  // a shorter time tells nothing

}  // namespace

void RateMeter::add(std::int64_t steps_done, std::int64_t milliseconds) {
    m_seen.push_back({steps_done, milliseconds});
    while (m_seen.size() > 2 && milliseconds - m_seen[1].milliseconds >= kWindow) m_seen.pop_front();
}

double RateMeter::rate() const {
    if (m_seen.empty()) return 0;
    const std::int64_t time = m_seen.back().milliseconds - m_seen.front().milliseconds;
    if (time < kLeast) return 0;
    return 1000.0 * double(m_seen.back().steps_done - m_seen.front().steps_done) / double(time);
}

}  // namespace headscope
