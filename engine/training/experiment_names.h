#pragma once

#include <array>

#include "engine/attention/head_mode.h"
#include "engine/training/experiment.h"
#include "engine/training/named.h"

namespace headscope {

// What choices are called on the command line and in files.

inline constexpr std::array kTaskNames = {
    Named<Task>{Task::Repeat, "repeat"},
    Named<Task>{Task::PrefixCopy, "prefix-copy"},
    Named<Task>{Task::LagCopy, "lag-copy"},
};

inline constexpr std::array kPositionsNames = {
    Named<Positions>{Positions::Sinusoidal, "sinusoidal"},
    Named<Positions>{Positions::Learned, "learned"},
    Named<Positions>{Positions::Rotary, "rotary"},
    Named<Positions>{Positions::None, "none"},
};

inline constexpr std::array kHeadModeNames = {
    Named<HeadMode>{HeadMode::Trained, "trained"},
    Named<HeadMode>{HeadMode::Muted, "muted"},
    Named<HeadMode>{HeadMode::Uniform, "uniform"},
    Named<HeadMode>{HeadMode::Frozen, "frozen"},
};

}  // namespace headscope
