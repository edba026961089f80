#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <QString>

#include "engine/inspection/head_patterns.h"
#include "engine/training/update.h"

namespace headscope {

/// Something that happened to the heads of a run, for the timeline and the loss curve to point at.
struct RunMark {
    enum class Kind { Label, HeadMode };

    std::int64_t step = 0;
    QString text;
    Kind kind = Kind::Label;
    bool operator==(const RunMark&) const = default;
};

/// Finds the marks of a run while it is live: heads that take up another pattern or leave one, and heads put
/// in another mode, muting with what it does to the loss.
class RunMarks {
public:
    /// Beyond so many, every second change of a label is forgotten: a long run stays bounded.
    static constexpr std::size_t kMost = 1000;

    /// To be told every update; returns what is new in it. A run id not seen before begins anew.
    std::vector<RunMark> add(const Update& update);

    /// By step, ascending.
    const std::vector<RunMark>& all() const { return m_marks; }

private:
    QString modeText(const HeadChange& change) const;
    std::vector<RunMark> labelChanges(const Snapshot& snapshot);

    RunId m_run = 0;
    std::shared_ptr<const Snapshot> m_last;
    std::vector<HeadLabel> m_labels;
    std::vector<RunMark> m_marks;
};

}  // namespace headscope
