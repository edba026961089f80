#pragma once

#include <string>
#include <string_view>

#include "engine/training/sweep.h"

namespace headscope {

/// Which sweep, and which part of it, a directory holds.
struct SweepPart {
    Sweep sweep;
    Shard shard;
    bool operator==(const SweepPart&) const = default;
};

/// A JSON object with the valid sweep's lists, its threshold, the part ("i/n") and, as in experiment_json.h,
/// its first run. Ends with a newline.
std::string toJson(const SweepPart& part);

/// The part that such an object describes; its base is the sweep's first run. Throws Refusal for what
/// toJson() cannot have written.
SweepPart sweepPartFromJson(std::string_view json);

/// "2/5". Throws Refusal, naming the text, where it is no valid part.
Shard shardFromText(std::string_view text);

}  // namespace headscope
