#include "ui/mechanism_text.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QStringList>

namespace headscope {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Mechanism)
};

/// "Head 2 is sharp", "Heads 1, 3 are sharp", "5 of 8 heads are sharp".
QString whichAre(const std::vector<int>& heads, std::size_t of, HeadBadge badge) {
    constexpr std::size_t kNamed = 4;
    const QString word = badgeText(badge);
    if (heads.size() == 1) return Text::tr("Head %1 is %2").arg(heads.front() + 1).arg(word);
    if (heads.size() > kNamed) return Text::tr("%1 of %2 heads are %3").arg(heads.size()).arg(of).arg(word);
    QStringList numbers;
    for (const int head : heads) numbers << QString::number(head + 1);
    return Text::tr("Heads %1 are %2")
        .arg(numbers.join(Text::tr(", ", "between the numbers of heads")), word);
}

double meanOf(const std::vector<HeadDiagnostics>& heads, const std::vector<int>& which, Measure measure) {
    double sum = 0;
    for (const int head : which) sum += double{valueOf(heads[static_cast<std::size_t>(head)], measure)};
    return sum / static_cast<double>(which.size());
}

}  // namespace

float valueOf(const HeadDiagnostics& diagnostics, Measure measure) {
    switch (measure) {
        case Measure::RowEntropy:
            return diagnostics.row_entropy;
        case Measure::ScoreStd:
            return diagnostics.score_std;
        case Measure::JacobianTrace:
            return diagnostics.jacobian_trace;
        case Measure::GradientQ:
            return diagnostics.grad_norm_q;
        case Measure::GradientK:
            break;
    }
    return diagnostics.grad_norm_k;
}

std::optional<Reference> referenceOf(Measure measure, int context_length) {
    double entropy = 0, trace = 0;
    for (int keys = 1; keys <= context_length; ++keys) {
        entropy += std::log(keys) / context_length;
        trace += (1 - 1.0 / keys) / context_length;
    }
    switch (measure) {
        case Measure::RowEntropy:
            return Reference{entropy, Text::tr("uniform = %1").arg(entropy, 0, 'f', 2), false};
        case Measure::JacobianTrace:
            return Reference{trace, Text::tr("uniform = %1").arg(trace, 0, 'f', 2), false};
        case Measure::ScoreStd:
            return Reference{kSaturatedScoreStd, Text::tr("saturated from %1").arg(kSaturatedScoreStd), true};
        case Measure::GradientQ:
        case Measure::GradientK:
            break;
    }
    return {};
}

QString measureName(Measure measure) {
    switch (measure) {
        case Measure::RowEntropy:
            return Text::tr("Row entropy");
        case Measure::ScoreStd:
            return Text::tr("Score standard deviation");
        case Measure::JacobianTrace:
            return Text::tr("Softmax Jacobian trace");
        case Measure::GradientQ:
            return Text::tr("Gradient norm of Q");
        case Measure::GradientK:
            break;
    }
    return Text::tr("Gradient norm of K");
}

QString measureFormula(Measure measure) {
    switch (measure) {
        case Measure::RowEntropy:
            return Text::tr(
                "−Σ a·ln a in nats, mean over the rows of the probe batch: 0 where one key has all the "
                "weight, "
                "ln(t + 1) where query t attends to all it sees alike");
        case Measure::ScoreStd:
            return Text::tr(
                "Standard deviation of what enters the softmax, q·kᵀ (divided by √d_head where the model "
                "scales), over all visible scores of the probe batch; unscaled it grows with √d_head");
        case Measure::JacobianTrace:
            return Text::tr(
                "1 − Σ a², mean over the rows of the probe batch: the trace of the softmax's Jacobian "
                "diag(a) − a·aᵀ. At 0 no gradient reaches the scores");
        case Measure::GradientQ:
            return Text::tr(
                "Norm of the loss's gradient in the head's Q rows of qkv_proj. Unscaled scores begin with "
                "larger ones: this alone does not explain a stall");
        case Measure::GradientK:
            break;
    }
    return Text::tr(
        "Norm of the loss's gradient in the head's K rows of qkv_proj. Unscaled scores begin with larger "
        "ones: this alone does not explain a stall");
}

QString badgeText(HeadBadge badge) {
    switch (badge) {
        case HeadBadge::Saturated:
            return Text::tr("saturated");
        case HeadBadge::Uniform:
            return Text::tr("uniform");
        case HeadBadge::Sharp:
            return Text::tr("sharp");
        case HeadBadge::None:
            break;
    }
    return {};
}

QString badgeRule(HeadBadge badge) {
    const auto percent = [](float share) { return std::lround(share * 100); };
    switch (badge) {
        case HeadBadge::Saturated:
            return Text::
                tr("saturated: scores with a standard deviation of at least %1 and rows with at most %2 % "
                   "of the uniform row's entropy; the softmax passes next to no gradient")
                    .arg(kSaturatedScoreStd)
                    .arg(percent(kSaturatedEntropyShare));
        case HeadBadge::Uniform:
            return Text::tr("uniform: rows with at least %1 % of the uniform row's entropy; not chosen yet")
                .arg(percent(kUniformEntropyShare));
        case HeadBadge::Sharp:
            return Text::tr("sharp: rows with at most %1 % of the uniform row's entropy; few keys chosen")
                .arg(percent(kSharpEntropyShare));
        case HeadBadge::None:
            break;
    }
    return Text::tr("rows between sharp (%1 % of the uniform row's entropy) and uniform (%2 %)")
        .arg(percent(kSharpEntropyShare))
        .arg(percent(kUniformEntropyShare));
}

QString explanationOf(const std::vector<HeadDiagnostics>& heads) {
    if (heads.empty()) return {};
    std::vector<int> saturated, sharp, all;
    for (int head = 0; const HeadDiagnostics& diagnostics : heads) {
        const HeadBadge badge = badgeOf(diagnostics);
        if (badge == HeadBadge::Saturated) saturated.push_back(head);
        if (badge == HeadBadge::Sharp) sharp.push_back(head);
        all.push_back(head++);
    }
    const auto mean = [&](const std::vector<int>& which, Measure measure) {
        return shortNumber(meanOf(heads, which, measure));
    };
    if (!saturated.empty())
        return Text::
            tr("%1: scores spread so wide (σ = %2) that one key takes a whole row, and the softmax passes "
               "next to no gradient (1 − Σa² = %3). Where it looks hardly changes any more.")
                .arg(whichAre(saturated, heads.size(), HeadBadge::Saturated),
                     mean(saturated, Measure::ScoreStd), mean(saturated, Measure::JacobianTrace));
    if (!sharp.empty())
        return Text::tr(
                   "%1: few keys have most of the weight (1 − Σa² = %2). None is saturated: scores are not "
                   "spread so wide (σ = %3) that a row could not change.")
            .arg(whichAre(sharp, heads.size(), HeadBadge::Sharp), mean(sharp, Measure::JacobianTrace),
                 mean(sharp, Measure::ScoreStd));
    return Text::tr("No head is saturated: the softmax passes gradient to the scores (1 − Σa² = %1).")
        .arg(mean(all, Measure::JacobianTrace));
}

QString shortNumber(double value) {
    if (!std::isfinite(value)) return Text::tr("not a number");
    if (value != 0 && std::abs(value) < 0.0095) return QString::number(value, 'g', 1);
    return std::abs(value) < 9.995 ? QString::number(value, 'f', 2) : QString::number(value, 'g', 3);
}

}  // namespace headscope
