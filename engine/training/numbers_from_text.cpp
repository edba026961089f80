#include "engine/training/numbers_from_text.h"

#include <charconv>
#include <optional>
#include <string>

#include "engine/numeric/refusal.h"

namespace headscope {
namespace {

/// Nothing where the text is no number of the kind.
template <typename Number>
std::optional<Number> read(std::string_view name, std::string_view text) {
    Number value{};
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
    if (error != std::errc{})
        throw Refusal("%1 is %2: that is out of range", {std::string(name), std::string(text)});
    return value;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Calls `take` with every part between commas, without the blanks around it.
template <typename Take>
void forEachPart(std::string_view text, const Take& take) {
    for (std::size_t comma = text.find(','); comma != text.npos; comma = text.find(',')) {
        take(trimmed(text.substr(0, comma)));
        text.remove_prefix(comma + 1);
    }
    take(trimmed(text));
}

}  // namespace

int intFromText(std::string_view name, std::string_view text) {
    if (const auto number = read<int>(name, text)) return *number;
    throw Refusal("%1 is '%2': it must be a whole number", {std::string(name), std::string(text)});
}

double doubleFromText(std::string_view name, std::string_view text) {
    if (const auto number = read<double>(name, text)) return *number;
    throw Refusal("%1 is '%2': it must be a number", {std::string(name), std::string(text)});
}

std::uint64_t seedFromText(std::string_view name, std::string_view text) {
    if (const auto number = read<std::uint64_t>(name, text)) return *number;
    throw Refusal("%1 is '%2': it must be a whole number, 0 or more", {std::string(name), std::string(text)});
}

std::vector<int> intsFromText(std::string_view name, std::string_view text) {
    std::vector<int> numbers;
    forEachPart(text, [&](std::string_view part) {
        const auto number = read<int>(name, part);
        if (!number)
            throw Refusal("%1 has '%2' in it: it must be whole numbers with commas between",
                          {std::string(name), std::string(part)});
        numbers.push_back(*number);
    });
    return numbers;
}

std::vector<std::uint64_t> seedsFromText(std::string_view name, std::string_view text) {
    constexpr std::uint64_t kMost = 10'000;
    std::vector<std::uint64_t> seeds;
    forEachPart(text, [&](std::string_view part) {
        const std::size_t dots = part.find(".."), more = part.rfind("..");
        const std::uint64_t first = seedFromText(name, part.substr(0, dots));
        const std::uint64_t last = dots == part.npos ? first : seedFromText(name, part.substr(more + 2));
        if (dots != more || last < first || last - first >= kMost)
            throw Refusal("%1 has '%2' in it: a range must be such as 1..5, of at most %3",
                          {std::string(name), std::string(part), std::to_string(kMost)});
        for (std::uint64_t i = 0; i <= last - first; ++i) seeds.push_back(first + i);
    });
    return seeds;
}

}  // namespace headscope
