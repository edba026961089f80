#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/model/adam.h"
#include "engine/model/copy_tasks.h"
#include "engine/model/language_model.h"
#include "engine/model/parameters.h"
#include "engine/numeric/random.h"
#include "engine/training/checkpoint.h"
#include "engine/training/held_heads.h"
#include "engine/training/probe_batch.h"
#include "engine/training/update.h"

namespace headscope {

/// A training run, step by step: the same experiment gives the same bits, whatever snapshots are taken in
/// between. Knows no thread; use it from one at a time.
class Trainer {
public:
    /// The untrained model. Throws Refusal when the experiment is not valid.
    explicit Trainer(const Experiment& experiment);

    /// Goes on from there with the same bits as the trainer that stood there. Throws Refusal when its
    /// experiment is not valid or its modes are not H.
    explicit Trainer(const TrainerState& state);

    /// Where training stands now.
    TrainerState state() const;

    const Experiment& experiment() const { return m_experiment; }
    const Parameters<float>& parameters() const { return m_parameters; }
    std::int64_t stepsDone() const { return m_steps_done; }  ///< updates made

    /// Draws a batch, measures it and makes one update; allocates nothing after the first. Where the loss is
    /// not finite it makes no update, and the point says so.
    LossPoint step();

    /// Goes on with the weights it has as `experiment`. With another head count every head is trained again.
    /// Throws Refusal, changing nothing, where canCarryOn says no or the experiment is not valid.
    void carryOn(const Experiment& experiment);

    const std::vector<HeadMode>& headModes() const { return m_modes; }  ///< (H), all Trained at first

    /// For the steps and the snapshots to come. Throws Refusal, changing nothing, unless there are H of them.
    void setHeadModes(const std::vector<HeadMode>& modes);

    /// What the heads do as they are. Nothing where the loss on the probe batch is not finite, or when
    /// `cancelled`, asked now and then, says so. Throws Refusal when the probe does not fit the model. Takes
    /// the memory of a few rows of the probe batch and of one more set of parameters, besides the snapshot
    /// itself.
    std::optional<Snapshot> snapshot(const Probe& probe = {},
                                     const ProbeBatch::Cancelled& cancelled = {}) const;

private:
    struct Rows {
        std::vector<int> tokens, targets;  // (rows, T)
    };
    Experiment m_experiment;
    CopyTask m_task;
    Random m_random;
    Random m_dropout_random;
    Rows m_batch;
    ProbeBatch m_probe;
    Parameters<float> m_parameters;
    Parameters<float> m_gradients;
    LanguageModel<float> m_model;
    Adam<float> m_adam;
    std::vector<HeadMode> m_modes;  // (H)
    HeldHeads m_held;
    std::int64_t m_steps_done = 0;
};

}  // namespace headscope
