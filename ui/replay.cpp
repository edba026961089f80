#include "ui/replay.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace headscope {

using namespace std::chrono_literals;

Replay::Replay(QObject* parent, std::size_t budget) : QObject(parent), m_record(budget) {
    m_timer.setInterval(16ms);
    connect(&m_timer, &QTimer::timeout, this,
            [this] { advance(static_cast<double>(m_clock.restart()) / 1000); });
}

std::vector<RunMark> Replay::add(const Update& update) {
    const bool begins = update.run != m_record.run;
    m_record.add(update);
    if (begins) goLive();
    m_done = update.steps_done;
    m_planned = std::max<std::int64_t>(update.experiment.steps, m_done);
    std::vector<RunMark> fresh = m_marks.add(update);
    emit grown();
    return fresh;
}

void Replay::goTo(std::int64_t step) {
    Frame frame = m_record.recorder.nearest(step);
    if (frame.snapshot) show(std::move(frame));
}

void Replay::moveBy(int frames) {
    const std::vector<std::int64_t> steps = m_record.recorder.steps();
    if (steps.empty()) return;
    const auto last = static_cast<std::ptrdiff_t>(steps.size()) - 1;
    std::ptrdiff_t place = last;
    if (!isLive()) {
        // The frame shown may have been thinned out since.
        const auto next = std::lower_bound(steps.begin(), steps.end(), m_shown.snapshot->steps_done);
        place = next - steps.begin();
        if (frames > 0 && (next == steps.end() || *next != m_shown.snapshot->steps_done)) --place;
    }
    goTo(steps[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(place + frames, 0, last))]);
}

void Replay::goLive() {
    setPlaying(false);
    if (!isLive()) show({});
}

void Replay::setPlaying(bool playing) {
    if (playing == isPlaying() || (playing && m_record.recorder.size() == 0)) return;
    if (playing) {
        const std::vector<std::int64_t> steps = m_record.recorder.steps();
        const bool from_start = isLive() || m_shown.snapshot->steps_done >= steps.back();
        m_place = static_cast<double>(from_start ? steps.front() : m_shown.snapshot->steps_done);
        m_clock.start();
        m_timer.start();
        goTo(std::llround(m_place));
    } else {
        m_timer.stop();
    }
    emit playingChanged(playing);
}

void Replay::advance(double seconds) {
    if (!isPlaying()) return;
    m_place += seconds * m_speed;
    goTo(std::llround(m_place));
    if (m_place >= static_cast<double>(m_record.recorder.steps().back())) setPlaying(false);
}

void Replay::show(Frame frame) {
    if (frame.snapshot == m_shown.snapshot && frame.twin == m_shown.twin) return;
    m_shown = std::move(frame);
    // Dragging while it plays goes on from there.
    if (isPlaying() && m_shown.snapshot &&
        std::abs(m_place - static_cast<double>(m_shown.snapshot->steps_done)) > m_speed)
        m_place = static_cast<double>(m_shown.snapshot->steps_done);
    emit moved();
}

}  // namespace headscope
