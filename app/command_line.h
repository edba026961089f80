#pragma once

#include <variant>
#include <vector>

#include <QString>
#include <QStringList>

#include "app/attend_command.h"
#include "app/render_command.h"
#include "app/sweep_command.h"
#include "app/train_command.h"
#include "app/verify_command.h"
#include "engine/training/experiment.h"
#include "ui/lesson.h"
#include "ui/sheet.h"

namespace headscope {

/// What a command line can ask for.
struct OpenWindow {
    QString lesson;  ///< id
    double pace;     ///< the lesson's
    Experiment experiment;
    bool asked = true;  ///< by any option; otherwise it is what to begin with where nothing is remembered
    QString file = {};  ///< to open; empty where none
};
// TrainToFiles and ResumeToFiles: see train_command.h; SweepToFiles and MergeSweeps: see sweep_command.h;
// VerifyBlock: see verify_command.h; AttendToFiles: see attend_command.h; RenderToFile: see render_command.h.
struct ListLessons {};
struct ShowHelp {};
struct ShowVersion {};

using Request = std::variant<OpenWindow, TrainToFiles, ResumeToFiles, SweepToFiles, MergeSweeps, VerifyBlock,
                             AttendToFiles, RenderToFile, ListLessons, ShowHelp, ShowVersion>;

/// Reads the words that follow the program's name; `lessons` is not empty, and its first is the default.
/// Throws Refusal, one sentence, on whatever cannot be meant. Needs no QCoreApplication: which one to make
/// depends on the answer.
Request parseCommandLine(const QStringList& words, const std::vector<Lesson>& lessons);

/// What --help prints, in the user's language.
QString helpText();

}  // namespace headscope
