#include "ui/mute_log.h"

#include <algorithm>

namespace headscope {

void MuteLog::add(const Update& update, TwinSide side) {
    if (update.run != m_run) *this = {};
    m_run = update.run;
    const auto& snapshot = side == TwinSide::Twin ? update.twin_snapshot : update.snapshot;
    if (!snapshot) return;
    if (m_last && m_last->modes.size() != snapshot->modes.size()) {
        m_entries.clear();
        m_last.reset();
    }
    if (m_last && m_last->loss_without.size() == snapshot->modes.size()) {
        for (std::size_t head = 0; head < snapshot->modes.size(); ++head) {
            if (snapshot->modes[head] != HeadMode::Muted || m_last->modes[head] == HeadMode::Muted) continue;
            m_entries.push_back({snapshot->steps_done,
                                 static_cast<int>(head),
                                 {m_last->probe_loss, m_last->loss_without[head]}});
        }
    }
    m_last = snapshot;
}

std::optional<MutedLoss> MuteLog::at(int head, std::int64_t step) const {
    const auto found = std::find_if(m_entries.rbegin(), m_entries.rend(), [&](const Entry& entry) {
        return entry.head == head && entry.step <= step;
    });
    return found == m_entries.rend() ? std::nullopt : std::optional(found->loss);
}

}  // namespace headscope
