#pragma once

#include <cstdint>
#include <vector>

#include "engine/model/copy_tasks.h"
#include "engine/model/model_config.h"

namespace headscope {

/// Everything that decides a training run: the same experiment gives the same bits.
struct Experiment {
    Task task = Task::Repeat;
    std::vector<int> lags = {1, 4, 7};  ///< used by LagCopy only; ascending, each in 1 … context_length − 1
    ModelConfig model;
    int batch_size = 16;           ///< B, at least 1
    double learning_rate = 5e-3;   ///< Adam's, positive and finite
    double token_std = 0.02;       ///< standard deviation of the initial token embedding
    double position_std = 0.02;    ///< the same for learned positions
    double attention_dropout = 0;  ///< probability of dropping a weight in training, 0 … 1, 1 excluded
    double output_dropout = 0;     ///< the same of an element of attn_out
    std::uint64_t seed = 1;
    int steps = 360;  ///< in the whole run, at least 1

    bool operator==(const Experiment&) const = default;
};

/// Steps in an epoch: the lesson's run is three epochs of this many.
inline constexpr int kStepsPerEpoch = 120;

/// All that is wrong with it, the model's problems first; empty when the experiment can be run.
std::vector<Problem> problems(const Experiment& experiment);

/// Throws the first of problems(), if any.
void requireValid(const Experiment& experiment);

/// What training may take of memory, in units of 10^9 bytes, with all that learns at once.
inline constexpr double kMaxGigabytes = 4;

/// What training takes, about. The experiment must be in all its ranges.
double gigabytesToTrain(const Experiment& experiment);

/// The head counts that a model of this width can have, ascending. d_model at least 1.
std::vector<int> divisors(int d_model);

/// True when a running model can go on as `to` with the weights it has: only the head count, the scaling or
/// the learning rate differ.
bool canCarryOn(const Experiment& from, const Experiment& to);

/// Throws Refusal when `to` is not valid or canCarryOn(from, to) is false.
void requireCarryOn(const Experiment& from, const Experiment& to);

/// True when two runs see the same batches and can be compared step by step: they may differ in what the
/// model is (d_model, n_heads, positions, scaling), how it begins and how fast it learns, but not in task,
/// lags, vocabulary, context length, batch size, seed or steps.
bool canBeTwins(const Experiment& a, const Experiment& b);

/// Throws Refusal when `twin` is not valid, canBeTwins(first, twin) is false, or both together take more than
/// kMaxGigabytes.
void requireTwins(const Experiment& first, const Experiment& twin);

/// How many tokens back the answer stands, for each stripe that attention can draw: T/2 − 1 for PrefixCopy,
/// the lags for LagCopy, nothing for Repeat, whose answer stands everywhere.
std::vector<int> copyLags(const Experiment& experiment);

/// The first query whose target counts: 0 … T−1.
int firstAnswer(const Experiment& experiment);

}  // namespace headscope
