#pragma once

#include <vector>

#include <QString>
#include <QStringList>

#include "engine/training/weights_file.h"

namespace headscope {

struct AttendToFiles {
    QString weights;  ///< a safetensors file
    WeightsHints hints;
    std::vector<int> tokens;  ///< for a model
    QString input;            ///< for a bare block: an NPY file (T, D)
    QString attention;        ///< where (H, T, T) goes, as NPY of float32
    QString logits;           ///< where (T, V), or a block's (T, D), goes; nowhere when empty
};

/// Reads the words that follow `attend`. Throws Refusal on whatever cannot be meant.
AttendToFiles parseAttend(const QStringList& words);

/// Lets the weights attend, in double precision, and writes what came of it: both files or none. Needs a
/// QCoreApplication. Throws Refusal where a file cannot be read, does not fit or cannot be written. Blocks.
void attendToFiles(const AttendToFiles& request);

}  // namespace headscope
