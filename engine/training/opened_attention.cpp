#include "engine/training/opened_attention.h"

#include <cassert>

namespace headscope {

std::shared_ptr<const Snapshot> snapshotOf(const AttentionMaps& maps, std::size_t layer, std::size_t row,
                                           const std::string& origin) {
    assert(layer < maps.layers && row < maps.rows && !origin.empty());
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->experiment.task = Task::Repeat;  // whose answer stands nowhere in particular
    snapshot->experiment.model.n_heads = static_cast<int>(maps.n_heads);
    snapshot->experiment.model.context_length = static_cast<int>(maps.length);
    snapshot->probe.row = static_cast<int>(row);
    const auto weights = maps.of(layer, row);
    snapshot->weights.assign(weights.begin(), weights.end());
    snapshot->causal = maps.causal;
    snapshot->origin = origin;
    const auto tokens = maps.tokensOf(row);
    snapshot->labels.assign(tokens.begin(), tokens.end());
    return snapshot;
}

}  // namespace headscope
