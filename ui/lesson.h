#pragma once

#include <QString>

#include "engine/training/experiment.h"

namespace headscope {

/// What a lecturer chooses from the toolbar: it sets every control and starts the run.
struct Lesson {
    QString id;
    QString title;
    QString story;    ///< one paragraph: what is trained, and why
    QString lookFor;  ///< what to look for in the picture, and what to try
    Experiment experiment;
    double pace = 60;  ///< steps per second, or kUnlimitedPace
};

}  // namespace headscope
