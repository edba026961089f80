#include "engine/formats/json_reading.h"

#include <stdexcept>
#include <utility>

namespace headscope {

using nlohmann::json;

std::optional<json> parsedJson(std::string_view text, int deepest) {
    const auto watch = [&](int depth, json::parse_event_t, json&) {
        if (depth > deepest) throw std::length_error("too deep");
        return true;
    };
    try {
        return json::parse(text, watch);
    } catch (const json::exception&) {
        return std::nullopt;
    } catch (const std::length_error&) {
        return std::nullopt;
    }
}

std::optional<std::int64_t> wholeNumber(const json& value, std::int64_t low, std::int64_t high) {
    if (!value.is_number_integer()) return std::nullopt;
    if (value.is_number_unsigned() && !std::in_range<std::int64_t>(value.get<std::uint64_t>()))
        return std::nullopt;
    const auto number = value.get<std::int64_t>();
    return low <= number && number <= high ? std::optional(number) : std::nullopt;
}

}  // namespace headscope
