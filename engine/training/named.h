#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace headscope {

/// A choice and what it is called on the command line and in files.
template <typename Value>
struct Named {
    Value value;
    std::string_view name;
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

/// "repeat, prefix-copy, lag-copy": for sentences.
template <typename Value, std::size_t n>
std::string allNames(const std::array<Named<Value>, n>& names) {
    std::string all;
    for (const auto& named : names) all += (all.empty() ? "" : ", ") + std::string(named.name);
    return all;
}

}  // namespace headscope
