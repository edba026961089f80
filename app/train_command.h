#pragma once

#include <optional>

#include <QString>

#include "app/stop_signals.h"
#include "engine/training/experiment.h"
#include "ui/pictures.h"

namespace headscope {

struct TrainedFiles {
    QString directory;
    PictureFormat format = PictureFormat::Png;
    QString animation = {};  ///< a file's name, in the directory unless absolute; none when empty
};

struct TrainToFiles {
    Experiment experiment;
    TrainedFiles files;
};

struct ResumeToFiles {
    QString file;
    std::optional<int> steps;  ///< in all; as many as the run was to make where nothing is said
    TrainedFiles files;
};

/// Trains without a window and writes what came of it: loss.csv (step, loss and accuracy of every batch),
/// pictures of the loss and the heads, attention.npy (float32, (H, T, T), mean over the probe batch),
/// experiment.json, run.headscope, which can be opened and resumed, and the animation asked for. The files
/// appear only at the end, each of them whole; a run that diverged has no heads. A signal to stop leaves
/// run.headscope alone. Needs a QApplication, whatever its platform. Blocks.
///
/// Throws Refusal, one sentence, when it was stopped, when the loss diverged, and where it cannot write.
void trainToFiles(const TrainToFiles& request, StopSignals& stop);

/// The same of a run that a session file holds, with the bits that it would have had without a stop; of its
/// twin beside it there is a record in run.headscope only. Throws Refusal also where the file cannot be read
/// or its run cannot go on.
void resumeToFiles(const ResumeToFiles& request, StopSignals& stop);

}  // namespace headscope
