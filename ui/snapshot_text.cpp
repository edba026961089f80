#include "ui/snapshot_text.h"

#include <optional>

#include <QCoreApplication>
#include <QStringList>

#include "ui/heatmap.h"
#include "ui/run_text.h"

namespace headscope {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(SnapshotText)
};

const float* weightsOf(const Snapshot& snapshot, int head) {
    const std::size_t length = snapshot.experiment.model.context_length;
    return snapshot.weights.data() + head * length * length;
}

struct Offset {
    int offset = 0;
    double mean = 0;
};

/// No value where a weight is none.
std::optional<Offset> strongestOffset(const float* weights, int length) {
    Offset best;
    for (int offset = 0; offset <= length / 2 && offset < length; ++offset) {
        double sum = 0;
        for (int query = offset; query < length; ++query) {
            const float weight = weights[static_cast<std::size_t>(query) * length + query - offset];
            if (!isWeight(weight)) return {};
            sum += weight;
        }
        const double mean = sum / (length - offset);
        if (mean > best.mean) best = {offset, mean};
    }
    return best;
}

QString offsetText(const Offset& best) {
    const QString mean = QString::number(best.mean, 'f', 2);
    if (best.offset == 0) return Text::tr("mostly the same token, mean weight %1").arg(mean);
    if (best.offset == 1) return Text::tr("mostly 1 token back, mean weight %1").arg(mean);
    return Text::tr("mostly %1 tokens back, mean weight %2").arg(best.offset).arg(mean);
}

/// “ cat” on one line, and not too long.
QString tokenText(const Snapshot& snapshot, int token) {
    constexpr qsizetype kMost = 32;
    QString text = QString::fromStdString(snapshot.labels[static_cast<std::size_t>(token)]);
    text.replace(QLatin1Char('\n'), QChar(0x21b5));
    return Text::tr("“%1”").arg(text.size() > kMost ? text.left(kMost) + QChar(0x2026) : text);
}

}  // namespace

QString cellText(const Snapshot& snapshot, int head, int query, int key) {
    if (snapshot.causal && key > query)
        return Text::tr("query %1 cannot see key %2 (causal mask)").arg(query).arg(key);
    const int length = snapshot.experiment.model.context_length;
    const std::size_t place = (static_cast<std::size_t>(head) * length + query) * length + key;
    const float weight = snapshot.weights[place];
    QStringList lines;
    lines << Text::tr("Head %1 · query %2 → key %3").arg(head + 1).arg(query).arg(key);
    if (!snapshot.origin.empty()) {
        lines << Text::tr("weight %1").arg(weight, 0, 'f', 2);
        if (!snapshot.labels.empty())
            lines << Text::tr("%1 → %2").arg(tokenText(snapshot, query), tokenText(snapshot, key));
        return lines.join(QLatin1Char('\n'));
    }
    const bool mean = snapshot.probe.row == Probe::kMeanOfRows;
    QString value = mean ? Text::tr("weight %1, mean of %2 probe rows") : Text::tr("weight %1, probe row %2");
    value = value.arg(weight, 0, 'f', 2).arg(mean ? kProbeRows : snapshot.probe.row + 1);
    if (!snapshot.scores.empty()) value += Text::tr(" · score %1").arg(snapshot.scores[place], 0, 'g', 3);
    lines << (isWeight(weight) ? value : Text::tr("weight is not a number from 0 to 1: %1").arg(weight));
    if (static_cast<int>(snapshot.tokens.size()) == length)
        lines << Text::tr("probe row %1: token %2 → token %3")
                     .arg(mean ? 1 : snapshot.probe.row + 1)
                     .arg(snapshot.tokens[query])
                     .arg(snapshot.tokens[key]);
    return lines.join(QLatin1Char('\n'));
}

QString summaryText(const Snapshot& snapshot) {
    const ModelConfig& model = snapshot.experiment.model;
    if (!snapshot.origin.empty())
        return (snapshot.causal ? Text::tr("%1: %2 over %3 tokens, none of which sees later ones.")
                                : Text::tr("%1: %2 over %3 tokens, each of which sees all."))
            .arg(QString::fromStdString(snapshot.origin), headCountText(model.n_heads))
            .arg(model.context_length);
    QStringList lines;
    lines << Text::tr("%1 after %2 steps, %3 positions.")
                 .arg(headCountText(model.n_heads))
                 .arg(snapshot.steps_done)
                 .arg(model.context_length);
    for (int head = 0; head < model.n_heads; ++head) {
        const auto best = strongestOffset(weightsOf(snapshot, head), model.context_length);
        lines << Text::tr("Head %1: %2.")
                     .arg(head + 1)
                     .arg(best ? offsetText(*best) : Text::tr("some weights are not numbers"));
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace headscope
