#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/model/copy_tasks.h"
#include "engine/model/language_model.h"
#include "engine/model/parameters.h"
#include "engine/training/update.h"

namespace headscope {

/// The kProbeRows rows that a run is looked at with, drawn from its seed: they make snapshots, and nothing
/// that trains knows of them.
class ProbeBatch {
public:
    /// Asked now and then while a snapshot is made; true breaks it off.
    using Cancelled = std::function<bool()>;

    ProbeBatch(const Experiment& experiment, const CopyTask& task);

    /// Fills in what `snapshot` lacks when its experiment, probe and modes are there (assert that they are
    /// valid). False, with the snapshot half made, where the loss on the batch is not finite or `cancelled`
    /// says so. Takes the memory of a few rows, besides the snapshot itself.
    ///
    /// The gradient norms are those of the first few rows' loss: of kGradientRows, or as many as are run
    /// through the model at once where the context is long. A backward pass of all would cost more than
    /// everything else.
    bool measure(const Parameters<float>& parameters, Snapshot& snapshot, const Cancelled& cancelled) const;

    static constexpr int kGradientRows = 8;

private:
    bool measureBatch(const Parameters<float>& parameters, Snapshot& snapshot,
                      const Cancelled& cancelled) const;
    void showRow(const Parameters<float>& parameters, Snapshot& snapshot) const;

    std::vector<int> m_tokens, m_targets;  // (kProbeRows, T)
};

}  // namespace headscope
