#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headscope {

/// No larger file is read: all of one is held in memory.
inline constexpr std::uint64_t kLargestFile = std::uint64_t{2} << 30;

/// All bytes of a file. Throws Refusal, naming it, where the path is no readable regular file of 1 to
/// kLargestFile bytes. Blocks.
std::vector<std::byte> readFile(const std::filesystem::path& path);

/// A name out of a file, fit for a one-line message: “name”, cut where it is long.
std::string quoted(std::string text);

}  // namespace headscope
