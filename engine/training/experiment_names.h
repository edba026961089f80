#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "engine/attention/head_mode.h"
#include "engine/training/experiment.h"

namespace headscope {

/// A choice and what it is called on the command line and in files.
template <typename Value>
struct Named {
    Value value;
    std::string_view name;
};

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

/// `value` is in the table.
template <typename Value, std::size_t n>
constexpr std::string_view nameOf(const std::array<Named<Value>, n>& names, Value value) {
    for (const auto& named : names)
        if (named.value == value) return named.name;
    return {};
}

template <typename Value, std::size_t n>
constexpr std::optional<Value> valueOf(const std::array<Named<Value>, n>& names, std::string_view name) {
    for (const auto& named : names)
        if (named.name == name) return named.value;
    return std::nullopt;
}

}  // namespace headscope
