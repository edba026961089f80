#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "engine/numeric/refusal.h"

namespace headscope {

inline std::vector<std::byte> bytesOfText(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

/// The values as they lie in memory.
template <class T>
std::string raw(std::initializer_list<T> values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    std::memcpy(bytes.data(), std::data(values), bytes.size());
    return bytes;
}

/// The sentence with which `act` refuses.
inline std::string complaint(const std::function<void()>& act) {
    try {
        act();
    } catch (const Refusal& refusal) {
        return refusal.what();
    }
    return "nothing was refused";
}

}  // namespace headscope
