#include "engine/training/recorder.h"

#include <algorithm>
#include <cassert>

namespace headscope {
namespace {

std::int64_t stepOf(const Frame& frame) { return frame.snapshot->steps_done; }

std::size_t bytesOf(const Frame& frame) {
    return bytesOf(*frame.snapshot) + (frame.twin ? bytesOf(*frame.twin) : 0);
}

}  // namespace

std::size_t bytesOf(const Snapshot& s) {
    const auto of = [](const auto& values) { return values.capacity() * sizeof(values[0]); };
    return sizeof(Snapshot) + of(s.weights) + of(s.tokens) + of(s.scores) + of(s.diagnostics) + of(s.modes) +
           of(s.loss_without) + of(s.predicted) + of(s.predicted_probability) + of(s.ripple) +
           of(s.experiment.lags) + of(s.probe.tokens);
}

void Recorder::add(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const Snapshot> twin) {
    const Frame frame{std::move(snapshot), std::move(twin)};
    if (!m_frames.empty() && stepOf(m_frames.back()) == stepOf(frame)) {
        m_bytes -= bytesOf(m_frames.back());
        m_frames.pop_back();
    }
    assert(m_frames.empty() || stepOf(m_frames.back()) < stepOf(frame));
    m_bytes += bytesOf(frame);
    m_frames.push_back(frame);
    while (m_bytes > m_budget && m_frames.size() > 2) thin();
}

void Recorder::clear() {
    m_frames.clear();
    m_bytes = 0;
}

/// Drops the frame between the first and the last that leaves the smallest gap, the earliest of such.
void Recorder::thin() {
    const auto gap = [&](std::size_t i) { return stepOf(m_frames[i + 1]) - stepOf(m_frames[i - 1]); };
    std::size_t least = 1;
    for (std::size_t i = 2; i + 1 < m_frames.size(); ++i)
        if (gap(i) < gap(least)) least = i;
    m_bytes -= bytesOf(m_frames[least]);
    m_frames.erase(m_frames.begin() + static_cast<std::ptrdiff_t>(least));
}

Frame Recorder::nearest(std::int64_t step) const {
    if (m_frames.empty()) return {};
    const auto after = std::lower_bound(m_frames.begin(), m_frames.end(), step,
                                        [](const Frame& f, std::int64_t s) { return stepOf(f) < s; });
    if (after == m_frames.begin()) return m_frames.front();
    if (after == m_frames.end()) return m_frames.back();
    return step - stepOf(*(after - 1)) <= stepOf(*after) - step ? *(after - 1) : *after;
}

Recorder Recorder::thinnedTo(std::size_t bytes) const {
    Recorder thinned(bytes);
    if (m_frames.empty()) return thinned;
    const std::int64_t first = stepOf(m_frames.front()), last = stepOf(m_frames.back());
    const std::size_t fit = m_bytes <= bytes ? size() : bytes / (m_bytes / size());
    if (fit >= size()) {
        for (const Frame& frame : m_frames) thinned.add(frame.snapshot, frame.twin);
        return thinned;
    }
    const auto gaps = static_cast<std::int64_t>(std::max<std::size_t>(fit, 2)) - 1;
    for (std::int64_t i = 0; i <= gaps; ++i) {
        const Frame frame = nearest(first + (last - first) * i / gaps);
        if (thinned.m_frames.empty() || stepOf(thinned.m_frames.back()) < stepOf(frame))
            thinned.add(frame.snapshot, frame.twin);
    }
    return thinned;
}

std::vector<std::int64_t> Recorder::steps() const {
    std::vector<std::int64_t> steps;
    for (const Frame& frame : m_frames) steps.push_back(stepOf(frame));
    return steps;
}

}  // namespace headscope
