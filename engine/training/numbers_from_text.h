#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace headscope {

// What a person has typed as the value of the option or field `name`: numbers as in C, whatever the locale.
// All throw Refusal, naming both, for anything else, and for a number that the type cannot hold.

int intFromText(std::string_view name, std::string_view text);
double doubleFromText(std::string_view name, std::string_view text);
std::uint64_t seedFromText(std::string_view name, std::string_view text);

/// "1,4,7": one or more, with blanks around each or without.
std::vector<int> intsFromText(std::string_view name, std::string_view text);

/// "1..5", "1,2,7", or both together; a range has 10 000 at most.
std::vector<std::uint64_t> seedsFromText(std::string_view name, std::string_view text);

}  // namespace headscope
