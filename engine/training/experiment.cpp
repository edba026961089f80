#include "engine/training/experiment.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/attention/multi_head_attention.h"

namespace headscope {
namespace {

constexpr int kMaxBatch = 4096;

std::string number(double x) {
    std::string text(32, '\0');
    text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.6g", x)));
    return text;
}

struct Checker {
    std::vector<Problem> found;

    void range(std::string_view field, int value, int low, int high) {
        if (auto refusal = outOfRange(field, value, low, high)) found.push_back({field, *refusal});
    }
    void std(std::string_view field, double value) {
        if (!(value >= 0 && value <= 100))
            refuse(field, "%1 is %2: it must be from 0 to 100", {std::string(field), number(value)});
    }
    void probability(std::string_view field, double value) {
        if (!(value >= 0 && value < 1))
            refuse(field, "%1 is %2: it must be at least 0 and less than 1",
                   {std::string(field), number(value)});
    }
    void refuse(std::string_view field, const char* pattern, std::vector<std::string> arguments) {
        found.push_back({field, Refusal(pattern, std::move(arguments))});
    }
};

void checkLags(Checker& check, const Experiment& e) {
    if (e.lags.empty() || e.lags.size() > 8)
        check.refuse("lags", "lag-copy has %1 lags: it needs from 1 to 8", {std::to_string(e.lags.size())});
    for (std::size_t i = 0; i < e.lags.size(); ++i) {
        const int lag = e.lags[i];
        if (lag < 1 || lag >= e.model.context_length)
            check.refuse("lags",
                         "lag %1 does not fit: it must be at least 1 and less than the context length %2",
                         {std::to_string(lag), std::to_string(e.model.context_length)});
        else if (i > 0 && lag <= e.lags[i - 1])
            check.refuse("lags", "lag %1 follows lag %2: lags must ascend",
                         {std::to_string(lag), std::to_string(e.lags[i - 1])});
    }
    if (!e.lags.empty() && integerRoot(e.model.vocab_size, e.lags.size()) == 0)
        check.refuse("vocab_size",
                     "vocabulary %1 has no whole root of degree %2, which copying at %2 lags needs",
                     {std::to_string(e.model.vocab_size), std::to_string(e.lags.size())});
}

/// To a tenth.
std::string rounded(double gigabytes) { return number(std::round(10 * gigabytes) / 10); }

}  // namespace

// Parameters with gradients, Adam's two moments, a snapshot's gradients and what is held still; attention
// weights and scores of a snapshot and in its making, weights of a batch where the path keeps them; logits
// with their gradients; and some dozen numbers for each feature of each token.
double gigabytesToTrain(const Experiment& e) {
    const double V = e.model.vocab_size, D = e.model.d_model, T = e.model.context_length, B = e.batch_size;
    const double parameters = 6 * (2 * V * D + 4 * D * D + T * D);
    const bool keeps_weights =
        fasterPath(e.model.context_length, e.model.context_length) == AttentionPath::Plain;
    const double weights = ((keeps_weights ? B : 0) + 6) * e.model.n_heads * T * T;
    const double perToken = B * T * (2 * V + 12 * D);
    return sizeof(float) * (parameters + weights + perToken) / 1e9;
}

std::vector<Problem> problems(const Experiment& e) {
    Checker check{problems(e.model)};
    check.range("batch_size", e.batch_size, 1, kMaxBatch);
    check.range("steps", e.steps, 1, 1'000'000'000);
    if (e.task == Task::LagCopy) checkLags(check, e);
    if (e.task == Task::PrefixCopy && e.model.context_length % 2 != 0)
        check.refuse("context_length", "context length %1 is odd: copying a prefix needs an even one",
                     {std::to_string(e.model.context_length)});
    if (!(std::isfinite(e.learning_rate) && e.learning_rate > 0))
        check.refuse("learning_rate", "learning rate %1 is not a positive finite number",
                     {number(e.learning_rate)});
    check.std("token_std", e.token_std);
    check.std("position_std", e.position_std);
    check.probability("attention_dropout", e.attention_dropout);
    check.probability("output_dropout", e.output_dropout);
    if (check.found.empty() && gigabytesToTrain(e) > kMaxGigabytes)
        check.refuse(
            "context_length",
            "training at this size takes %1 GB of memory: at most %2 are allowed; a shorter context, a "
            "smaller batch or fewer heads help",
            {rounded(gigabytesToTrain(e)), number(kMaxGigabytes)});
    return std::move(check.found);
}

void requireValid(const Experiment& experiment) {
    const auto found = problems(experiment);
    if (!found.empty()) throw found.front().refusal;
}

std::vector<int> divisors(int d_model) {
    std::vector<int> found;
    for (int n = 1; n <= d_model; ++n)
        if (d_model % n == 0) found.push_back(n);
    return found;
}

bool canCarryOn(const Experiment& from, const Experiment& to) {
    Experiment same = to;
    same.model.n_heads = from.model.n_heads;
    same.model.scale_scores = from.model.scale_scores;
    same.learning_rate = from.learning_rate;
    return same == from;
}

void requireCarryOn(const Experiment& from, const Experiment& to) {
    requireValid(to);
    if (!canCarryOn(from, to))
        throw Refusal("a running model can carry on with another head count, scaling or learning rate only");
}

bool canBeTwins(const Experiment& a, const Experiment& b) {
    return a.task == b.task && a.lags == b.lags && a.model.vocab_size == b.model.vocab_size &&
           a.model.context_length == b.model.context_length && a.batch_size == b.batch_size &&
           a.seed == b.seed && a.steps == b.steps;
}

void requireTwins(const Experiment& first, const Experiment& twin) {
    requireValid(twin);
    if (!canBeTwins(first, twin))
        throw Refusal(
            "twins must have the same task, lags, vocabulary, context length, batch size, seed and steps");
    const double together = gigabytesToTrain(first) + gigabytesToTrain(twin);
    if (together > kMaxGigabytes)
        throw Refusal(
            "training both at once takes %1 GB of memory: at most %2 are allowed; a shorter context, a "
            "smaller "
            "batch or fewer heads help",
            {rounded(together), number(kMaxGigabytes)});
}

std::vector<int> copyLags(const Experiment& e) {
    switch (e.task) {
        case Task::Repeat:
            return {};
        case Task::PrefixCopy:
            return {e.model.context_length / 2 - 1};
        case Task::LagCopy:
            return e.lags;
    }
    return {};
}

int firstAnswer(const Experiment& experiment) {
    const std::vector<int> lags = copyLags(experiment);
    return lags.empty() ? 0 : lags.back();
}

}  // namespace headscope
