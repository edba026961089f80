#include "engine/model/model_config.h"

#include <string>

namespace headscope {
namespace {

// Far beyond what can be seen, and small enough that no product of two overflows an int.
constexpr int kMaxVocab = 32768;
constexpr int kMaxWidth = 4096;
constexpr int kMaxContext = 4096;

}  // namespace

std::optional<Refusal> outOfRange(std::string_view field, int value, int low, int high) {
    if (value >= low && value <= high) return std::nullopt;
    return Refusal("%1 is %2: it must be from %3 to %4",
                   {std::string(field), std::to_string(value), std::to_string(low), std::to_string(high)});
}

std::vector<Problem> problems(const ModelConfig& m) {
    std::vector<Problem> found;
    const auto range = [&](std::string_view field, int value, int low, int high) {
        if (auto refusal = outOfRange(field, value, low, high)) found.push_back({field, *refusal});
    };
    range("vocab_size", m.vocab_size, 2, kMaxVocab);
    range("d_model", m.d_model, 1, kMaxWidth);
    range("n_heads", m.n_heads, 1, kMaxWidth);
    range("context_length", m.context_length, 1, kMaxContext);
    if (m.n_heads >= 1 && m.d_model >= 1 && m.d_model % m.n_heads != 0)
        found.push_back({"n_heads", Refusal("n_heads %1 does not divide d_model %2",
                                            {std::to_string(m.n_heads), std::to_string(m.d_model)})});
    if (m.positions == Positions::Sinusoidal && m.d_model % 2 != 0)
        found.push_back({"d_model", Refusal("d_model %1 is odd: sinusoidal positions need an even one",
                                            {std::to_string(m.d_model)})});
    if (m.positions == Positions::Rotary && found.empty() && m.d_head() % 2 != 0)
        found.push_back({"n_heads", Refusal("d_head %1 is odd: rotary positions need an even one",
                                            {std::to_string(m.d_head())})});
    return found;
}

void requireValid(const ModelConfig& config) {
    const auto found = problems(config);
    if (!found.empty()) throw found.front().refusal;
}

}  // namespace headscope
