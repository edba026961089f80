#pragma once

#include <QApplication>

#include "app/command_line.h"
#include "app/settings.h"
#include "app/stop_signals.h"

namespace headscope {

/// Opens the window and stays until it is closed, or a signal to stop comes; then keeps the sitting, and how
/// the window looked. Another language chosen in it brings it up again in that one, with the run going on
/// from the step it was at. `language` is the code of one of languages(), or empty for the one that was
/// chosen last, or the system's. What cannot be kept is warned of and holds nothing up; so is a file that
/// cannot be opened. Ends the program by itself, well, when all that is not done a moment after closing, but
/// never before what was saved is written. Returns the exit status: a failure where that could not be.
int openWindow(OpenWindow request, QString language, QApplication& application, StopSignals& stop,
               const Settings::Warn& warn);

}  // namespace headscope
