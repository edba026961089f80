#pragma once

#include <memory>
#include <vector>

#include "engine/training/recorder.h"
#include "ui/mechanism_text.h"
#include "ui/mute_log.h"
#include "ui/sheet.h"

namespace headscope {

class LossChart;

// The pictures there are. Painting one with a chart in it needs a QApplication and its thread.

/// What the tile of a muted head says is in `log`.
Picture headsPicture(const std::shared_ptr<const Snapshot>& snapshot, const MuteLog& log = {},
                     HeatmapKind kind = HeatmapKind::Attention);
/// `head` from 0.
Picture headPicture(const std::shared_ptr<const Snapshot>& snapshot, int head, const MuteLog& log = {},
                    HeatmapKind kind = HeatmapKind::Attention);
/// One head at several steps; all frames are of the same shape.
Picture filmstripPicture(const std::vector<std::shared_ptr<const Snapshot>>& frames, int head,
                         HeatmapKind kind = HeatmapKind::Attention);
/// A run and its twin side by side, each under what sets it apart. `frame` has both.
Picture twinPicture(const Frame& frame, const MuteLog& log = {}, const MuteLog& twin_log = {},
                    HeatmapKind kind = HeatmapKind::Attention);
/// One measure of every head over the steps of a recorded run. Not of an empty one (assert).
Picture mechanismPicture(const std::vector<Frame>& frames, Measure measure);
/// The chart with its ghosts, marks and zoom, as it stands when it is painted.
Picture lossPicture(const std::shared_ptr<const LossChart>& chart);
/// A run by itself.
Picture lossPicture(const Experiment& experiment, const std::vector<LossPoint>& points);

}  // namespace headscope
