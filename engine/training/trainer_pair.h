#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/training/trainer.h"

namespace headscope {

/// A run's model and, where it has one, the twin in lockstep beside it. What the first does is what it would
/// do alone, bit for bit. Knows no thread; use it from one at a time.
class TrainerPair {
public:
    /// Asked now and then: whether what is being done is still wanted.
    using Cancelled = ProbeBatch::Cancelled;

    /// The untrained models. Throws Refusal when an experiment is not valid.
    TrainerPair(const Experiment& experiment, const std::optional<Experiment>& twin);

    /// Goes on from there. Throws Refusal as Trainer does.
    explicit TrainerPair(const Checkpoint& checkpoint);

    const Trainer& first() const { return m_first; }

    struct Points {
        LossPoint first;
        std::optional<LossPoint> twin;

        std::optional<TwinSide> diverged() const;  ///< whose loss is not finite
    };
    /// One step of both. Nothing when it was cancelled between the two: the twin is left a step behind.
    std::optional<Points> step(const Cancelled& cancelled = {});

    /// False where the twin was left a step behind.
    bool inLockstep() const;

    /// The first goes on as `experiment`, the twin as it is. Throws Refusal as Trainer::carryOn does.
    void carryOn(const Experiment& experiment);

    /// (H) of the first, and of the twin where it has as many heads. Throws Refusal, changing nothing, unless
    /// there are H of them.
    void setHeadModes(const std::vector<HeadMode>& modes);

    struct Snapshots {
        std::shared_ptr<const Snapshot> first, twin;  ///< `twin` is null without one
    };
    /// Of both. Nothing where that of either is nothing: see Trainer::snapshot.
    std::optional<Snapshots> snapshots(const Probe& probe = {}, const Cancelled& cancelled = {}) const;

    /// Where both stand. `diverged` says whose next loss is not finite.
    Checkpoint checkpoint(std::optional<TwinSide> diverged) const;

private:
    Trainer m_first;
    std::optional<Trainer> m_twin;
};

}  // namespace headscope
