#include "engine/numeric/refusal.h"

namespace headscope {
std::string fill(std::string_view pattern, const std::vector<std::string>& arguments) {
    std::string sentence;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const std::size_t argument =
            pattern[i] == '%' && i + 1 < pattern.size() ? static_cast<std::size_t>(pattern[i + 1] - '1') : 9;
        if (argument < arguments.size()) {
            sentence += arguments[argument];
            ++i;
        } else {
            sentence += pattern[i];
        }
    }
    return sentence;
}

Refusal::Refusal(const char* pattern, std::vector<std::string> arguments)
    : std::invalid_argument(fill(pattern, arguments)),
      m_pattern(pattern),
      m_arguments(std::move(arguments)) {}

}  // namespace headscope
