#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/training/update.h"

namespace headscope {

/// What muting a head did to the probe loss, with the weights there were.
struct MutedLoss {
    float before = 0;  ///< with that head
    float after = 0;   ///< without it
    bool operator==(const MutedLoss&) const = default;
};

/// Remembers, while a run is live, what each muting of a head cost.
class MuteLog {
public:
    /// To be told every update. A run id not seen before, or another head count, begins anew.
    void add(const Update& update, TwinSide side = TwinSide::First);

    /// What the last muting of `head` up to `step` did; nothing where none was seen.
    std::optional<MutedLoss> at(int head, std::int64_t step) const;

private:
    struct Entry {
        std::int64_t step;
        int head;
        MutedLoss loss;
    };
    RunId m_run = 0;
    std::shared_ptr<const Snapshot> m_last;
    std::vector<Entry> m_entries;
};

}  // namespace headscope
