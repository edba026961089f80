#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/training/update.h"

namespace headscope {

/// What was shown at one step: a run's snapshot and, with a twin, its twin's of the same step.
struct Frame {
    std::shared_ptr<const Snapshot> snapshot;
    std::shared_ptr<const Snapshot> twin;  ///< null without one
};

/// Keeps what was shown of a run, to go back to: the first frame and the last always, and of those between as
/// many as fit into the memory, spread evenly over the steps: the middle thins out as the run grows. Knows no
/// thread; use it from one.
class Recorder {
public:
    /// In bytes. Two frames are kept even where they are larger.
    explicit Recorder(std::size_t budget) : m_budget(budget) {}

    /// Takes a frame that is not of an earlier step than the last one (assert); of the same step it takes its
    /// place: what was seen last at a step is what that step shows.
    void add(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const Snapshot> twin = {});

    /// Forgets everything: another run begins.
    void clear();

    /// The frame nearest to a step, the earlier of two as near; an empty one when there is none.
    Frame nearest(std::int64_t step) const;

    const std::vector<Frame>& frames() const { return m_frames; }  ///< steps ascend
    std::vector<std::int64_t> steps() const;                       ///< of the frames there are, ascending
    /// About as many frames as fit into less memory, spread evenly over the steps; all where they fit.
    Recorder thinnedTo(std::size_t bytes) const;
    std::size_t size() const { return m_frames.size(); }
    std::size_t bytes() const { return m_bytes; }
    std::size_t budget() const { return m_budget; }

private:
    void thin();

    std::size_t m_budget;
    std::size_t m_bytes = 0;
    std::vector<Frame> m_frames;
};

/// What a snapshot takes of memory.
std::size_t bytesOf(const Snapshot& snapshot);

}  // namespace headscope
