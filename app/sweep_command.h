#pragma once

#include <vector>

#include <QString>

#include "app/stop_signals.h"
#include "engine/training/sweep_json.h"

namespace headscope {

struct SweepToFiles {
    SweepPart part;
    int jobs = 1;
    QString directory;
};

struct MergeSweeps {
    std::vector<QString> parts;
    QString directory;
};

/// Makes the runs that the directory has no row of, as many at once as there are jobs, and writes what
/// SweepFiles holds; what it has at the end is the same bytes whatever the jobs, and however often it was
/// killed on the way. A signal to stop keeps the rows of the runs that have ended. Needs a QApplication,
/// whatever its platform. Blocks.
///
/// Throws Refusal, one sentence, when it was stopped and where it cannot write.
void sweepToFiles(const SweepToFiles& request, StopSignals& stop);

/// Writes the whole that the parts make. Throws Refusal as mergeSweeps() does, and where it cannot write.
void mergeToFiles(const MergeSweeps& request);

}  // namespace headscope
