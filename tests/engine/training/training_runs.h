#pragma once

#include <cstring>
#include <vector>

#include "engine/training/trainer.h"
#include "tests/engine/task_rows.h"

namespace headscope {

inline std::vector<LossPoint> run(Trainer& trainer, int steps) {
    std::vector<LossPoint> points;
    for (int i = 0; i < steps; ++i) points.push_back(trainer.step());
    return points;
}

template <typename T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

inline Experiment lagCopy() {
    Experiment e;
    e.task = Task::LagCopy;
    e.model = {64, 32, 4, 16, Positions::Learned, true};
    e.token_std = e.position_std = 1;
    return e;
}

/// The smallest widths at which prefix-copy is learned, within some ten steps.
inline Experiment smallPrefixCopy() {
    Experiment e;
    e.task = Task::PrefixCopy;
    e.model = {8, 16, 1, 6, Positions::Sinusoidal, true};
    e.token_std = 1;
    return e;
}

inline std::vector<HeadMode> modes(std::size_t heads, HeadMode mode) {
    return std::vector<HeadMode>(heads, mode);
}

inline TaskRows probeRows(const Experiment& e) {
    const CopyTask task(e.task, e.lags, e.model.vocab_size, e.model.context_length);
    return drawRows(task, kProbeRows, e.model.context_length, e.seed, RandomStream::Probe);
}

}  // namespace headscope
