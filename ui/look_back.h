#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QList>
#include <QPointF>

#include "engine/training/experiment.h"
#include "engine/training/update.h"

namespace headscope {

/// The curve of a run before the one in the window.
struct EarlierRun {
    Experiment experiment;
    Qt::PenStyle dash = Qt::SolidLine;
    QList<QPointF> average;  ///< the moving average of the loss, by step
};

/// What a window remembers beside the run that it shows, for the window that comes after it to go on with.
struct LookBack {
    std::vector<EarlierRun> ghosts;           ///< newest first
    std::optional<std::int64_t> step;         ///< gone back to; none while live
    std::vector<std::vector<HeadMode>> undo;  ///< the modes of the heads before each change, the newest last
};

}  // namespace headscope
