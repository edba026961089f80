#include "engine/training/probe_batch.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "engine/inspection/head_ablation.h"
#include "engine/inspection/head_statistics.h"

namespace headscope {
namespace {

/// How many rows to run through the model at once: kGradientRows while that is little memory, fewer (a
/// divisor of their number) where T is large.
int rowsAtOnce(const ModelConfig& model) {
    constexpr std::int64_t kMaxWeights = 1 << 20;
    const std::int64_t row = std::int64_t{model.n_heads} * model.context_length * model.context_length;
    int rows = ProbeBatch::kGradientRows;
    while (rows > 1 && rows * row > kMaxWeights) rows /= 2;
    return rows;
}

LanguageModel<float> modelOf(const Snapshot& snapshot, int rows) {
    LanguageModel<float> model(snapshot.experiment.model, rows);
    model.setHeadModes(snapshot.modes);
    return model;
}

void addTo(std::vector<float>& sums, std::span<const float> values) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += values[i];
}

/// Sequence b of (B·H·T, T).
std::span<const float> sequenceOf(const Matrix<float>& values, std::size_t b, std::size_t size) {
    return {values.data() + b * size, size};
}

}  // namespace

ProbeBatch::ProbeBatch(const Experiment& experiment, const CopyTask& task)
    : m_tokens(static_cast<std::size_t>(kProbeRows * experiment.model.context_length)),
      m_targets(m_tokens.size()) {
    Random random(experiment.seed, RandomStream::Probe);
    task.sample(random, m_tokens, m_targets);
}

bool ProbeBatch::measure(const Parameters<float>& parameters, Snapshot& snapshot,
                         const Cancelled& cancelled) const {
    const ModelConfig& config = snapshot.experiment.model;
    assert(problems(snapshot.probe, config).empty());
    const auto T = static_cast<std::size_t>(config.context_length);
    snapshot.weights.assign(static_cast<std::size_t>(config.n_heads) * T * T, 0);
    snapshot.scores = snapshot.weights;
    if (!measureBatch(parameters, snapshot, cancelled)) return false;
    showRow(parameters, snapshot);
    return true;
}

bool ProbeBatch::measureBatch(const Parameters<float>& parameters, Snapshot& snapshot,
                              const Cancelled& cancelled) const {
    const ModelConfig& config = snapshot.experiment.model;
    const Probe& probe = snapshot.probe;
    const bool mean = probe.row == Probe::kMeanOfRows;
    const int rows = rowsAtOnce(config);
    const auto tokens = static_cast<std::size_t>(rows * config.context_length);
    LanguageModel<float> model = modelOf(snapshot, rows);
    HeadStatistics statistics(config.n_heads, config.context_length);
    HeadAblation ablation(parameters, config.n_heads);
    Parameters<float> gradients(config);
    std::vector<double> without(static_cast<std::size_t>(config.n_heads));
    double loss = 0, accuracy = 0;  // of parts that have equally many targets that count
    for (std::size_t at = 0; at < m_tokens.size(); at += tokens) {
        if (cancelled && cancelled()) return false;
        const auto targets = std::span(m_targets).subspan(at, tokens);
        model.forward(parameters, std::span(m_tokens).subspan(at, tokens));
        const auto measured = model.loss(targets);
        if (at == 0) model.backward(parameters, gradients);
        loss += static_cast<double>(measured.loss);
        accuracy += measured.accuracy;
        const Matrix<float> scores = model.scores();
        statistics.add(model.weights(), scores);
        for (std::size_t b = 0; mean && b < static_cast<std::size_t>(rows); ++b) {
            if (at == 0 && b == 0) continue;  // the row that can be edited: see showRow()
            addTo(snapshot.weights, sequenceOf(model.weights(), b, snapshot.weights.size()));
            addTo(snapshot.scores, sequenceOf(scores, b, snapshot.scores.size()));
        }
        for (int h = 0; h < config.n_heads; ++h) {
            if (cancelled && cancelled()) return false;
            without[static_cast<std::size_t>(h)] +=
                static_cast<double>(ablation.lossWithout(h, model.context(), model.logits(), targets));
        }
    }
    const std::size_t whole_parts = m_tokens.size() / tokens;
    const auto parts = static_cast<double>(whole_parts);
    snapshot.probe_loss = static_cast<float>(loss / parts);
    snapshot.probe_accuracy = static_cast<float>(accuracy / parts);
    for (const double sum : without) snapshot.loss_without.push_back(static_cast<float>(sum / parts));
    snapshot.diagnostics = statistics.diagnostics();
    addGradientNorms(gradients.attn().qkv_proj_weight, snapshot.diagnostics);
    return std::isfinite(snapshot.probe_loss);
}

/// What needs a row of its own: the row shown, its predictions and its ripple; in a mean, row 0.
void ProbeBatch::showRow(const Parameters<float>& parameters, Snapshot& snapshot) const {
    const ModelConfig& config = snapshot.experiment.model;
    const Probe& probe = snapshot.probe;
    const auto T = static_cast<std::size_t>(config.context_length);
    const auto row = static_cast<std::size_t>(std::max(probe.row, 0));
    const auto drawn = std::span(m_tokens).subspan(row * T, T);
    snapshot.tokens.assign(drawn.begin(), drawn.end());
    if (row == 0 && !probe.tokens.empty()) snapshot.tokens = probe.tokens;

    LanguageModel<float> model = modelOf(snapshot, 1);
    Matrix<float> logits = model.forward(parameters, snapshot.tokens);
    addTo(snapshot.weights, sequenceOf(model.weights(), 0, snapshot.weights.size()));
    addTo(snapshot.scores, sequenceOf(model.scores(), 0, snapshot.scores.size()));
    if (probe.row == Probe::kMeanOfRows) {
        for (float& weight : snapshot.weights) weight /= kProbeRows;
        for (float& score : snapshot.scores) score /= kProbeRows;
    }
    if (probe.ripple) {
        std::vector<int> changed = snapshot.tokens;
        changed[static_cast<std::size_t>(probe.ripple->position)] = probe.ripple->token;
        const Matrix<float>& after = model.forward(parameters, changed);
        for (Index t = 0; t < logits.rows(); ++t)
            snapshot.ripple.push_back((after.row(t) - logits.row(t)).cwiseAbs().maxCoeff());
        logits = after;
    }
    for (Index t = 0; t < logits.rows(); ++t) {
        Index best = 0;
        const float largest = logits.row(t).maxCoeff(&best);
        snapshot.predicted.push_back(static_cast<int>(best));
        snapshot.predicted_probability.push_back(1 / (logits.row(t).array() - largest).exp().sum());
    }
}

}  // namespace headscope
