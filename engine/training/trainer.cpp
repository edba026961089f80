#include "engine/training/trainer.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/model/initialization.h"

namespace headscope {
namespace {

const Experiment& valid(const Experiment& experiment) {
    requireValid(experiment);
    return experiment;
}

/// How many rows of the probe batch to run through the model at once: all while that is little memory, fewer
/// (a divisor of their number) where T is large.
int probeChunk(const ModelConfig& model) {
    constexpr std::int64_t kMaxWeights = 1 << 20;
    const std::int64_t row = std::int64_t{model.n_heads} * model.context_length * model.context_length;
    int rows = kProbeRows;
    while (rows > 1 && rows * row > kMaxWeights) rows /= 2;
    return rows;
}

}  // namespace

Trainer::Rows Trainer::rows(const Experiment& e, int count) {
    const auto size = static_cast<std::size_t>(count) * static_cast<std::size_t>(e.model.context_length);
    return {std::vector<int>(size), std::vector<int>(size)};
}

Trainer::Trainer(const Experiment& experiment)
    : m_experiment(valid(experiment)),
      m_task(experiment.task, experiment.lags, experiment.model.vocab_size, experiment.model.context_length),
      m_random(experiment.seed, RandomStream::Batches),
      m_batch(rows(experiment, experiment.batch_size)),
      m_probe(rows(experiment, kProbeRows)),
      m_parameters(experiment.model),
      m_gradients(experiment.model),
      m_model(experiment.model, experiment.batch_size),
      m_adam(experiment.model) {
    Random initialization(experiment.seed, RandomStream::Initialization);
    initialize(m_parameters, experiment.token_std, experiment.position_std, initialization);
    Random probe(experiment.seed, RandomStream::Probe);
    m_task.sample(probe, m_probe.tokens, m_probe.targets);
}

LossPoint Trainer::step() {
    m_task.sample(m_random, m_batch.tokens, m_batch.targets);
    m_model.forward(m_parameters, m_batch.tokens);
    const BatchLoss<float> measured = m_model.loss(m_batch.targets);
    const LossPoint point{m_steps_done, measured.loss, static_cast<float>(measured.accuracy)};
    if (std::isfinite(measured.loss)) {
        m_model.backward(m_parameters, m_gradients);
        m_adam.step(m_parameters, m_gradients, m_experiment.learning_rate);
        ++m_steps_done;
    }
    return point;
}

void Trainer::carryOn(const Experiment& experiment) {
    requireCarryOn(m_experiment, experiment);
    m_model.setConfig(experiment.model);
    m_experiment = experiment;
}

std::optional<Snapshot> Trainer::snapshot(const std::function<bool()>& cancelled) const {
    const ModelConfig& config = m_experiment.model;
    const auto T = static_cast<std::size_t>(config.context_length);
    const std::size_t size = static_cast<std::size_t>(config.n_heads) * T * T;
    Snapshot snapshot{m_steps_done, m_experiment, std::vector<float>(size), {}, 0, 0};
    snapshot.tokens.assign(m_probe.tokens.begin(), m_probe.tokens.begin() + config.context_length);

    const int chunk = probeChunk(config);
    const std::size_t chunkTokens = static_cast<std::size_t>(chunk) * T;
    LanguageModel<float> model(config, chunk);
    double loss = 0, accuracy = 0;
    for (std::size_t at = 0; at < m_probe.tokens.size(); at += chunkTokens) {
        if (cancelled && cancelled()) return std::nullopt;
        model.forward(m_parameters, std::span(m_probe.tokens).subspan(at, chunkTokens));
        const auto measured = model.loss(std::span(m_probe.targets).subspan(at, chunkTokens));
        loss += static_cast<double>(measured.loss);  // chunks have equally many targets that count
        accuracy += measured.accuracy;
        for (int row = 0; row < chunk; ++row) {
            const float* weights = model.weights().data() + static_cast<std::size_t>(row) * size;
            for (std::size_t i = 0; i < size; ++i) snapshot.weights[i] += weights[i];
        }
    }
    for (float& weight : snapshot.weights) weight /= kProbeRows;
    snapshot.probe_loss = static_cast<float>(loss * chunk / kProbeRows);
    snapshot.probe_accuracy = static_cast<float>(accuracy * chunk / kProbeRows);
    if (!std::isfinite(snapshot.probe_loss)) return std::nullopt;
    return snapshot;
}

}  // namespace headscope
