#include "engine/training/trainer_pair.h"

#include <cmath>
#include <utility>

namespace headscope {

TrainerPair::TrainerPair(const Experiment& experiment, const std::optional<Experiment>& twin)
    : m_first(experiment) {
    if (twin) m_twin.emplace(*twin);
}

TrainerPair::TrainerPair(const Checkpoint& checkpoint) : m_first(checkpoint.first) {
    if (checkpoint.twin) m_twin.emplace(*checkpoint.twin);
}

std::optional<TwinSide> TrainerPair::Points::diverged() const {
    const bool first_did = !std::isfinite(first.loss), twin_did = twin && !std::isfinite(twin->loss);
    if (first_did) return twin_did ? TwinSide::Both : TwinSide::First;
    return twin_did ? std::optional(TwinSide::Twin) : std::nullopt;
}

std::optional<TrainerPair::Points> TrainerPair::step(const Cancelled& cancelled) {
    Points points{m_first.step(), std::nullopt};
    if (m_twin) {
        if (cancelled && cancelled()) return std::nullopt;
        points.twin = m_twin->step();
    }
    return points;
}

bool TrainerPair::inLockstep() const { return !m_twin || m_twin->stepsDone() == m_first.stepsDone(); }

void TrainerPair::carryOn(const Experiment& experiment) { m_first.carryOn(experiment); }

void TrainerPair::setHeadModes(const std::vector<HeadMode>& modes) {
    m_first.setHeadModes(modes);
    if (m_twin && m_twin->headModes().size() == modes.size()) m_twin->setHeadModes(modes);
}

std::optional<TrainerPair::Snapshots> TrainerPair::snapshots(const Probe& probe,
                                                             const Cancelled& cancelled) const {
    const auto of = [&](const Trainer& trainer) -> std::shared_ptr<const Snapshot> {
        auto snapshot = trainer.snapshot(probe, cancelled);
        return snapshot ? std::make_shared<const Snapshot>(std::move(*snapshot)) : nullptr;
    };
    Snapshots made{of(m_first), nullptr};
    if (!made.first) return std::nullopt;
    if (m_twin) {
        made.twin = of(*m_twin);
        if (!made.twin) return std::nullopt;
    }
    return made;
}

Checkpoint TrainerPair::checkpoint(std::optional<TwinSide> diverged) const {
    Checkpoint made{m_first.state(), std::nullopt, diverged};
    if (m_twin) made.twin = m_twin->state();
    return made;
}

}  // namespace headscope
