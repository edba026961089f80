#pragma once

#include <array>
#include <optional>
#include <vector>

#include <QString>

#include "engine/inspection/head_diagnostics.h"
#include "engine/model/model_config.h"

namespace headscope {

/// What the mechanism panel can draw of each head.
enum class Measure { RowEntropy, ScoreStd, JacobianTrace, GradientQ, GradientK };

inline constexpr std::array kMeasures = {Measure::RowEntropy, Measure::ScoreStd, Measure::JacobianTrace,
                                         Measure::GradientQ, Measure::GradientK};

float valueOf(const HeadDiagnostics& diagnostics, Measure measure);

/// The value that a curve of it is to be read against.
struct Reference {
    double value = 0;
    QString text;  ///< "uniform = 1.86"
    bool warning = false;
    bool operator==(const Reference&) const = default;
};

/// Of a uniform row for entropy and Jacobian trace, with `context_length` at least 1; the threshold of
/// saturation for the scores; none for gradients.
std::optional<Reference> referenceOf(Measure measure, int context_length);

QString measureName(Measure measure);
/// What it is and the formula behind it.
QString measureFormula(Measure measure);

/// "saturated", "uniform" or "sharp"; empty for None.
QString badgeText(HeadBadge badge);
/// What it means, with its threshold.
QString badgeRule(HeadBadge badge);

/// Whether and why these heads can learn where to look, in one or two sentences.
QString explanationOf(const std::vector<HeadDiagnostics>& heads);

/// A number as short as it can be read: three digits; "not a number" where it is none.
QString shortNumber(double value);

}  // namespace headscope
