#pragma once

#include <span>

#include <QFont>
#include <QPainter>
#include <QString>

#include "engine/training/sweep.h"
#include "ui/sheet.h"

namespace headscope {

/// Steps to the threshold against d_head: every run is a dot, filled where the scores are scaled and hollow
/// where they are not; a short bar is the median. Runs that never learned, or diverged, stand in a band of
/// their own above the axis, which says so. `rows` may be some of the sweep's, in any order.
void paintSweep(QPainter& painter, const QRectF& rect, const Sweep& sweep, std::span<const SweepRow> rows,
                const Theme& theme, const QFont& font);

Picture sweepPicture(const Sweep& sweep, const std::vector<SweepRow>& rows);

/// What was run, to be written below it: "prefix-copy, V 64, D 128, … : first step at which the moving
/// average of the loss is below 1"
QString sweepCaption(const Sweep& sweep);

}  // namespace headscope
