#pragma once

#include <QString>

#include "engine/training/update.h"

namespace headscope {

/// What one cell of a head's heatmap says, in up to three lines. Head, query and key from 0, in range.
QString cellText(const Snapshot& snapshot, int head, int query, int key);

/// What each head attends to most: the offset query − key, up to T/2, with the largest mean weight.
QString summaryText(const Snapshot& snapshot);

}  // namespace headscope
