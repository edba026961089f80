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

std::vector<RunMark> RunMarks::add(const Update& update) {
    if (update.run != m_run) *this = {};
    m_run = update.run;
    std::vector<RunMark> fresh;
    for (const HeadChange& change : update.head_changes)
        fresh.push_back({change.step, modeText(change), RunMark::Kind::HeadMode});
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
            return mark.kind == RunMark::Kind::Label && (second = !second);
        });
    return fresh;
}

QString RunMarks::modeText(const HeadChange& change) const {
    const auto head = static_cast<std::size_t>(change.head);
    switch (change.mode) {
        case HeadMode::Trained:
            return Text::tr("head %1 trains again").arg(change.head + 1);
        case HeadMode::Uniform:
            return Text::tr("head %1 uniform").arg(change.head + 1);
        case HeadMode::Frozen:
            return Text::tr("head %1 frozen").arg(change.head + 1);
        case HeadMode::Muted:
            break;
    }
    if (!m_last || head >= m_last->loss_without.size()) return Text::tr("head %1 muted").arg(change.head + 1);
    return Text::tr("head %1 muted: loss %2 → %3")
        .arg(change.head + 1)
        .arg(double(m_last->probe_loss), 0, 'g', 2)
        .arg(double(m_last->loss_without[head]), 0, 'g', 2);
}

std::vector<RunMark> RunMarks::labelChanges(const Snapshot& snapshot) {
    std::vector<HeadLabel> labels = headLabels(snapshot);
    std::vector<RunMark> changes;
    // Another probe or other heads show other labels, but nothing has happened to the run.
    const bool comparable = m_last && m_labels.size() == labels.size() && m_last->probe == snapshot.probe;
    for (std::size_t head = 0; comparable && head < labels.size(); ++head)
        if (!sameName(labels[head], m_labels[head]))
            changes.push_back(
                {snapshot.steps_done, Text::tr("head %1: %2").arg(head + 1).arg(patternText(labels[head]))});
    m_labels = std::move(labels);
    return changes;
}

}  // namespace headscope
