#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/numeric/refusal.h"

/// What every target defines: reads the bytes as a hostile file. Anything but a Refusal out of it, and
/// anything a sanitizer finds, is a bug.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace headscope::fuzz {

inline std::vector<std::byte> bytesOf(const std::uint8_t* data, std::size_t size) {
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    return {bytes, bytes + size};
}

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// Calls `read`, which may refuse.
template <typename Read>
int tryTo(const Read& read) {
    try {
        read();
    } catch (const Refusal&) {
        // What is not a file of this kind is refused.
    }
    return 0;
}

}  // namespace headscope::fuzz
