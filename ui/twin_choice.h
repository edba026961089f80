#pragma once

#include <optional>
#include <utility>
#include <vector>

#include <QString>

#include "engine/training/experiment.h"

namespace headscope {

/// What a twin can differ in.
enum class TwinField { Scaling, Heads, LearningRate, Positions, ModelWidth, TokenStd };

QString twinFieldName(TwinField field);

/// The twins that differ from `experiment` in this alone, each with what is to be chosen: "not scaled". Empty
/// where the value is to be typed.
std::vector<std::pair<QString, Experiment>> twinsOf(const Experiment& experiment, TwinField field);

/// The value of a typed field, as it is typed; and the twin with the value that was typed, no value where it
/// is no number. What is asked for may not be valid.
QString typedValue(const Experiment& experiment, TwinField field);
std::optional<Experiment> twinTyped(const Experiment& experiment, TwinField field, const QString& text);

/// The twin of `next`, which differs from it in what `twin` differs from `now`. It may not be valid, and may
/// be no twin or the same.
Experiment twinAlong(const Experiment& next, const Experiment& now, const Experiment& twin);

}  // namespace headscope
