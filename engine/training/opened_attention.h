#pragma once

#include <memory>
#include <string>

#include "engine/formats/attention_maps.h"
#include "engine/training/update.h"

namespace headscope {

/// One layer of attention out of a file, for one row of its batch, as the views of a run's heads show it.
/// `origin` is not empty; layer and row are in range (assert).
std::shared_ptr<const Snapshot> snapshotOf(const AttentionMaps& maps, std::size_t layer, std::size_t row,
                                           const std::string& origin);

}  // namespace headscope
