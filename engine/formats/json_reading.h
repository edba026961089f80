#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <nlohmann/json.hpp>

namespace headscope {

/// JSON that is not trusted; nothing where it is none, or where lists and objects lie in each other more than
/// `deepest` deep.
std::optional<nlohmann::json> parsedJson(std::string_view text, int deepest);

/// The whole number that a value is; nothing where it is none from `low` to `high`.
std::optional<std::int64_t> wholeNumber(const nlohmann::json& value, std::int64_t low, std::int64_t high);

}  // namespace headscope
