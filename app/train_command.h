#pragma once

#include "app/command_line.h"
#include "app/stop_signals.h"

namespace headscope {

/// Trains without a window and writes what came of it: loss.csv (step, loss and accuracy of every batch),
/// loss.png, heads.png, attention.npy (float32, (H, T, T), mean over the probe batch) and experiment.json.
/// The files appear only at the end, each of them whole; a run that diverged has no heads. A signal to stop
/// leaves none. Needs a QApplication, whatever its platform. Blocks.
///
/// Throws Refusal, one sentence, when it was stopped, when the loss diverged, and where it cannot write.
void trainToFiles(const TrainToFiles& request, StopSignals& stop);

}  // namespace headscope
