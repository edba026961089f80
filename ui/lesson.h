#pragma once

#include <optional>

#include <QString>

#include "engine/training/experiment.h"
#include "engine/training/probe.h"

namespace headscope {

/// A card that belongs to single lessons and stands beside their text.
enum class LessonPanel {
    None,
    FusedQkv,    ///< three projections against one, measured
    MaskedRows,  ///< the block under a causal and a padding mask
};

/// What a lecturer chooses from the toolbar: it sets every control and starts the run.
struct Lesson {
    QString id;
    QString title;
    QString story;    ///< one paragraph: what is trained, and why
    QString lookFor;  ///< what to look for in the picture, and what to try
    Experiment experiment;
    double pace = 60;                       ///< steps per second, or kUnlimitedPace
    std::optional<Experiment> twin = {};    ///< runs beside it in lockstep: canBeTwins(experiment, twin)
    Probe probe = {};                       ///< what is shown from the first snapshot on; fits the experiment
    LessonPanel panel = LessonPanel::None;  ///< the card to open
};

}  // namespace headscope
