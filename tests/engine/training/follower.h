#pragma once

#include <algorithm>

#include "engine/inspection/head_patterns.h"
#include "engine/training/trainer.h"

/// Trains on and follows the loss's moving average: 0.9 of the old and 0.1 of the new, from the first loss.
class Follower {
public:
    explicit Follower(const headscope::Experiment& experiment) : m_trainer(experiment) {}

    /// The average after `steps` steps in all, and the least on the way.
    void trainTo(int steps) {
        while (m_trainer.stepsDone() < steps) {
            const double loss = double(m_trainer.step().loss);
            average = m_trainer.stepsDone() == 1 ? loss : 0.9 * average + 0.1 * loss;
            least = std::min(least, average);
        }
    }

    headscope::Snapshot snapshot(const headscope::Probe& probe = {}) const {
        return *m_trainer.snapshot(probe);
    }

    /// Mean weight on the key `lag` back, of the head where it is largest.
    double bestLagScore(int lag) const {
        const headscope::Snapshot now = snapshot();
        const headscope::ModelConfig& model = now.experiment.model;
        const auto scores = headscope::lagScores(now.weights, model.n_heads, model.context_length, lag,
                                                 headscope::firstAnswer(now.experiment));
        return *std::max_element(scores.begin(), scores.end());
    }

    double average = 0, least = 1e9;

private:
    headscope::Trainer m_trainer;
};
