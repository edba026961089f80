#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <QString>

#include "engine/inspection/head_patterns.h"
#include "engine/training/update.h"

namespace headscope {

/// Something that happened to a head of a run, for the timeline and the loss curve to point at.
struct RunMark {
    /// It was put in another mode; muting has what it does to the loss, where that is known.
    struct Mode {
        HeadMode mode = HeadMode::Trained;
        std::optional<std::pair<float, float>> loss;  ///< with the head, and without
        bool operator==(const Mode&) const = default;
    };

    std::int64_t step = 0;
    int head = 0;                        ///< 0 … H−1
    std::variant<HeadLabel, Mode> what;  ///< or it took up another pattern
    bool operator==(const RunMark&) const = default;

    bool isLabel() const { return std::holds_alternative<HeadLabel>(what); }
    /// In the language that is spoken now.
    QString text() const;
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
    RunMark modeMark(const HeadChange& change) const;
    std::vector<RunMark> labelChanges(const Snapshot& snapshot);

    RunId m_run = 0;
    std::shared_ptr<const Snapshot> m_last;
    std::vector<HeadLabel> m_labels;
    std::vector<RunMark> m_marks;
};

}  // namespace headscope
