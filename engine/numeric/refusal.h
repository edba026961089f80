#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// The pattern with %1, %2 … replaced by its arguments, each once: a % inside an argument stays what it is.
std::string fill(std::string_view pattern, const std::vector<std::string>& arguments);

/// Invalid input, refused early: one sentence that names the thing, the value and what is allowed.
///
/// The sentence is kept as a pattern with %1, %2 … and its arguments, so that the window can say it in the
/// user's language; what() is the English sentence. `pattern` must be a string literal.
class Refusal : public std::invalid_argument {
public:
    explicit Refusal(const char* pattern, std::vector<std::string> arguments = {});

    const char* pattern() const { return m_pattern; }
    const std::vector<std::string>& arguments() const { return m_arguments; }

private:
    const char* m_pattern;
    std::vector<std::string> m_arguments;
};

}  // namespace headscope
