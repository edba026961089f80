#include "engine/training/trainer.h"

#include <cmath>

#include "engine/model/initialization.h"
#include "engine/numeric/denormals.h"

namespace headscope {
namespace {

const Experiment& valid(const Experiment& experiment) {
    requireValid(experiment);
    return experiment;
}

std::vector<HeadMode> allTrained(const ModelConfig& model) {
    return std::vector<HeadMode>(static_cast<std::size_t>(model.n_heads), HeadMode::Trained);
}

}  // namespace

Trainer::Trainer(const Experiment& experiment)
    : m_experiment(valid(experiment)),
      m_task(experiment.task, experiment.lags, experiment.model.vocab_size, experiment.model.context_length),
      m_random(experiment.seed, RandomStream::Batches),
      m_dropout_random(experiment.seed, RandomStream::Dropout),
      m_probe(experiment, m_task),
      m_parameters(experiment.model),
      m_gradients(experiment.model),
      m_model(experiment.model, experiment.batch_size,
              fasterPath(experiment.model.context_length, experiment.model.context_length)),
      m_adam(experiment.model),
      m_modes(allTrained(experiment.model)) {
    const auto tokens = static_cast<std::size_t>(experiment.batch_size) *
                        static_cast<std::size_t>(experiment.model.context_length);
    m_batch.tokens.resize(tokens);
    m_batch.targets.resize(tokens);
    Random initialization(experiment.seed, RandomStream::Initialization);
    initialize(m_parameters, experiment.token_std, experiment.position_std, initialization);
}

Trainer::Trainer(const TrainerState& state) : Trainer(state.experiment) {
    m_random = Random(state.batches);
    m_dropout_random = Random(state.dropout);
    m_parameters = state.parameters;
    m_adam = Adam<float>(state.mean, state.variance, state.steps_done);
    setHeadModes(state.modes);
    m_steps_done = state.steps_done;
}

TrainerState Trainer::state() const {
    return {m_experiment, m_steps_done, m_random.state(), m_dropout_random.state(),
            m_modes,      m_parameters, m_adam.mean(),    m_adam.variance()};
}

LossPoint Trainer::step() {
    const DenormalsAreZero faded;
    m_task.sample(m_random, m_batch.tokens, m_batch.targets);
    m_model.setDropout(
        {m_experiment.attention_dropout, m_experiment.output_dropout, m_dropout_random.next()});
    m_model.forward(m_parameters, m_batch.tokens);
    const BatchLoss<float> measured = m_model.loss(m_batch.targets);
    const LossPoint point{m_steps_done, measured.loss, static_cast<float>(measured.accuracy)};
    if (std::isfinite(measured.loss)) {
        m_model.backward(m_parameters, m_gradients);
        m_adam.step(m_parameters, m_gradients, m_experiment.learning_rate);
        m_held.restore(m_parameters);
        ++m_steps_done;
    }
    return point;
}

void Trainer::carryOn(const Experiment& experiment) {
    requireCarryOn(m_experiment, experiment);
    m_model.setConfig(experiment.model);
    const bool same_heads = experiment.model.n_heads == m_experiment.model.n_heads;
    m_experiment = experiment;
    setHeadModes(same_heads ? m_modes : allTrained(experiment.model));
}

void Trainer::setHeadModes(const std::vector<HeadMode>& modes) {
    m_model.setHeadModes(modes);
    m_modes = modes;
    m_held.hold(m_modes, m_parameters);
}

std::optional<Snapshot> Trainer::snapshot(const Probe& probe, const ProbeBatch::Cancelled& cancelled) const {
    requireValid(probe, m_experiment.model);
    Snapshot snapshot;
    snapshot.steps_done = m_steps_done;
    snapshot.experiment = m_experiment;
    snapshot.probe = probe;
    snapshot.modes = m_modes;
    if (!m_probe.measure(m_parameters, snapshot, cancelled)) return std::nullopt;
    return snapshot;
}

}  // namespace headscope
