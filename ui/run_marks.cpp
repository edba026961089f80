#include "ui/run_marks.h"

#include <algorithm>

#include <QCoreApplication>

#include "engine/training/head_labels.h"
#include "ui/head_titles.h"

namespace headscope {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(RunMarks)
};

bool sameName(const HeadLabel& a, const HeadLabel& b) { return a.pattern == b.pattern && a.lag == b.lag; }

}  // namespace

QString RunMark::text() const {
    if (const auto* label = std::get_if<HeadLabel>(&what))
        return Text::tr("head %1: %2").arg(head + 1).arg(patternText(*label));
    const Mode& change = std::get<Mode>(what);
    switch (change.mode) {
        case HeadMode::Trained:
            return Text::tr("head %1 trains again").arg(head + 1);
        case HeadMode::Uniform:
            return Text::tr("head %1 uniform").arg(head + 1);
        case HeadMode::Frozen:
            return Text::tr("head %1 frozen").arg(head + 1);
        case HeadMode::Muted:
            break;
    }
    if (!change.loss) return Text::tr("head %1 muted").arg(head + 1);
    return Text::tr("head %1 muted: loss %2 → %3")
        .arg(head + 1)
        .arg(double(change.loss->first), 0, 'g', 2)
        .arg(double(change.loss->second), 0, 'g', 2);
}

std::vector<RunMark> RunMarks::add(const Update& update) {
    if (update.run != m_run) *this = {};
    m_run = update.run;
    std::vector<RunMark> fresh;
    for (const HeadChange& change : update.head_changes) fresh.push_back(modeMark(change));
    if (update.snapshot) {
        for (RunMark& mark : labelChanges(*update.snapshot)) fresh.push_back(std::move(mark));
        m_last = update.snapshot;
    }
    if (fresh.empty()) return fresh;
    m_marks.insert(m_marks.end(), fresh.begin(), fresh.end());
    std::stable_sort(m_marks.begin(), m_marks.end(),
                     [](const RunMark& a, const RunMark& b) { return a.step < b.step; });
    if (m_marks.size() > kMost)
        std::erase_if(m_marks, [second = false](const RunMark& mark) mutable {
            return mark.isLabel() && (second = !second);
        });
    return fresh;
}

RunMark RunMarks::modeMark(const HeadChange& change) const {
    RunMark::Mode mode{change.mode, std::nullopt};
    const auto head = static_cast<std::size_t>(change.head);
    if (change.mode == HeadMode::Muted && m_last && head < m_last->loss_without.size())
        mode.loss = {m_last->probe_loss, m_last->loss_without[head]};
    return {change.step, change.head, mode};
}

std::vector<RunMark> RunMarks::labelChanges(const Snapshot& snapshot) {
    std::vector<HeadLabel> labels = headLabels(snapshot);
    std::vector<RunMark> changes;
    // Another probe or other heads show other labels, but nothing has happened to the run.
    const bool comparable = m_last && m_labels.size() == labels.size() && m_last->probe == snapshot.probe;
    for (std::size_t head = 0; comparable && head < labels.size(); ++head)
        if (!sameName(labels[head], m_labels[head]))
            changes.push_back({snapshot.steps_done, static_cast<int>(head), labels[head]});
    m_labels = std::move(labels);
    return changes;
}

}  // namespace headscope
