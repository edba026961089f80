#include "ui/sentences.h"

#include <cmath>

#include <QCoreApplication>

#include "engine/training/experiment.h"

namespace headscope {
namespace {

struct Sentences {
    Q_DECLARE_TR_FUNCTIONS(headscope::Sentences)
};

}  // namespace

QString sentence(const Refusal& refusal) {
    const auto translated = [](const char* text) {
        return QCoreApplication::translate("headscope::Refusal", text).toStdString();
    };
    std::vector<std::string> arguments;  // some are the name of a thing; numbers and paths stay what they are
    for (const std::string& argument : refusal.arguments()) arguments.push_back(translated(argument.c_str()));
    return QString::fromStdString(fill(translated(refusal.pattern()), arguments));
}

QString rootOf(int d_head) { return Sentences::tr("√%1 = %2").arg(d_head).arg(std::sqrt(d_head), 0, 'g', 3); }

QString scalingMatters(const Experiment& experiment) {
    const int d_head = experiment.model.d_head();
    const QString width = Sentences::tr("d_head %1, %2: ").arg(d_head).arg(rootOf(d_head));
    if (experiment.task == Task::Repeat)
        return width + Sentences::tr(
                           "this task learns without it too, as the answer travels by the values. "
                           "Try prefix-copy with one head of 128.");
    if (experiment.token_std < 0.5)
        return width + Sentences::tr("how much this matters was measured with token std 1 only.");
    const bool prefix = experiment.task == Task::PrefixCopy;
    if (d_head < (prefix ? 6 : 12)) return width + Sentences::tr("switching it off matters little.");
    if (d_head < 12) return width + Sentences::tr("training takes about twice as long without it.");
    if (d_head < 24)
        return width + (prefix ? Sentences::tr("training takes about three times as long without it.")
                               : Sentences::tr("training takes up to three times as long without it."));
    if (d_head < 48 || !prefix)
        return width + Sentences::tr("training mostly stalls without it, as softmax saturates.");
    return width + Sentences::tr("training stalls without it, as softmax saturates.");
}

}  // namespace headscope
