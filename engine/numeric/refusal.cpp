#include "engine/numeric/refusal.h"

namespace headscope {
namespace {

std::string fill(const char* pattern, const std::vector<std::string>& arguments) {
    std::string sentence;
    for (const char* c = pattern; *c != '\0'; ++c) {
        const bool placeholder = *c == '%' && c[1] >= '1' && c[1] <= '9';
        if (placeholder && static_cast<std::size_t>(c[1] - '1') < arguments.size()) {
            sentence += arguments[static_cast<std::size_t>(c[1] - '1')];
            ++c;
        } else {
            sentence += *c;
        }
    }
    return sentence;
}

}  // namespace

Refusal::Refusal(const char* pattern, std::vector<std::string> arguments)
    : std::invalid_argument(fill(pattern, arguments)),
      m_pattern(pattern),
      m_arguments(std::move(arguments)) {}

}  // namespace headscope
