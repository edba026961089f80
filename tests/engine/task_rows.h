#pragma once

#include <vector>

#include "engine/model/copy_tasks.h"

namespace headscope {

struct TaskRows {
    std::vector<int> tokens, targets;  ///< (rows, T)
};

inline TaskRows drawRows(const CopyTask& task, int rows, int context_length, std::uint64_t seed,
                         RandomStream stream) {
    Random random(seed, stream);
    const auto n = static_cast<std::size_t>(rows * context_length);
    TaskRows drawn{std::vector<int>(n), std::vector<int>(n)};
    task.sample(random, drawn.tokens, drawn.targets);
    return drawn;
}

}  // namespace headscope
