#pragma once

#include <algorithm>
#include <initializer_list>
#include <memory>

#include "engine/training/update.h"

namespace headscope {

/// Untrained heads: query q spreads 1/(q + 1) over the keys it sees. Token t of the probe row is 10 + t.
inline std::shared_ptr<Snapshot> uniformSnapshot(int n_heads, int length) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->steps_done = 360;
    snapshot->experiment.model.n_heads = n_heads;
    snapshot->experiment.model.context_length = length;
    for (int head = 0; head < n_heads; ++head)
        for (int query = 0; query < length; ++query)
            for (int key = 0; key < length; ++key)
                snapshot->weights.push_back(key <= query ? 1.0f / static_cast<float>(query + 1) : 0);
    for (int t = 0; t < length; ++t) snapshot->tokens.push_back(10 + t);
    return snapshot;
}

inline float& weightAt(Snapshot& snapshot, int head, int query, int key) {
    const int length = snapshot.experiment.model.context_length;
    return snapshot.weights[static_cast<std::size_t>((head * length + query) * length + key)];
}

/// One head of four tokens with no weight but in these cells.
struct MarkedCell {
    int query, key;
    float weight;
};
inline std::shared_ptr<Snapshot> markedSnapshot(std::initializer_list<MarkedCell> cells) {
    auto snapshot = uniformSnapshot(1, 4);
    std::fill(snapshot->weights.begin(), snapshot->weights.end(), 0.f);
    for (const auto& [query, key, weight] : cells) weightAt(*snapshot, 0, query, key) = weight;
    return snapshot;
}

}  // namespace headscope
