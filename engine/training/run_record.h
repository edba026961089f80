#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "engine/training/recorder.h"
#include "engine/training/update.h"

namespace headscope {

/// The loss and the accuracy of every step of a run, from step 0 on.
struct LossCurve {
    std::vector<float> loss, accuracy;  ///< (steps)

    std::size_t size() const { return loss.size(); }
    void add(const std::vector<LossPoint>& points);
    std::vector<LossPoint> points(std::size_t from, std::size_t to) const;
    bool operator==(const LossCurve&) const = default;
};

/// A run went on from `step` (updates made) as another experiment, or with a head in another mode.
struct RunChange {
    std::int64_t step = 0;
    std::variant<Experiment, HeadChange> what;
    bool operator==(const RunChange&) const = default;
};

/// All that a run has told: what a window shows of it, and what a session file keeps. A value; copies share
/// the snapshots. Knows no thread; use it from one.
struct RunRecord {
    /// Of recorded frames, in bytes.
    static constexpr std::size_t kBudget = std::size_t{256} << 20;

    explicit RunRecord(std::size_t budget = kBudget) : recorder(budget) {}

    /// To be told every update. A run id not seen before begins anew.
    void add(const Update& update);

    /// Tells the story again, from the beginning to `until`, as updates of a run with that id: as many as
    /// there are frames and changes, and one to end with.
    void tell(RunId id, const std::function<void(const Update&)>& listener) const;

    RunId run = 0;
    Experiment began;       ///< as it was at step 0
    Experiment experiment;  ///< as it is now
    std::optional<Experiment> twin;
    LossCurve curve, twin_curve;     ///< the twin's as long, or empty without one
    std::vector<RunChange> changes;  ///< steps ascend
    Recorder recorder;
};

}  // namespace headscope
