#include "engine/training/probe.h"

#include <string>

namespace headscope {

std::vector<Problem> problems(const Probe& probe, const ModelConfig& model) {
    std::vector<Problem> found;
    const auto range = [&](std::string_view field, std::string_view name, int value, int low, int high) {
        if (auto refusal = outOfRange(name, value, low, high)) found.push_back({field, *refusal});
    };
    range("row", "probe row", probe.row, Probe::kMeanOfRows, kProbeRows - 1);
    const auto T = static_cast<std::size_t>(model.context_length);
    if (!probe.tokens.empty() && probe.tokens.size() != T)
        found.push_back({"tokens", Refusal("%1 probe tokens for a context length of %2",
                                           {std::to_string(probe.tokens.size()), std::to_string(T)})});
    for (const int token : probe.tokens) range("tokens", "probe token", token, 0, model.vocab_size - 1);
    if (probe.ripple) {
        range("ripple", "ripple position", probe.ripple->position, 0, model.context_length - 1);
        range("ripple", "ripple token", probe.ripple->token, 0, model.vocab_size - 1);
    }
    return found;
}

void requireValid(const Probe& probe, const ModelConfig& model) {
    const auto found = problems(probe, model);
    if (!found.empty()) throw found.front().refusal;
}

}  // namespace headscope
