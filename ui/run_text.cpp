#include "ui/run_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace headscope {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(RunText)
};

QString positionsText(Positions positions) {
    switch (positions) {
        case Positions::Learned:
            return Text::tr("learned positions");
        case Positions::Rotary:
            return Text::tr("rotary positions");
        case Positions::None:
            return Text::tr("no positions");
        case Positions::Sinusoidal:
            break;
    }
    return Text::tr("sinusoidal positions");
}

QString scalingText(bool scaled) { return scaled ? Text::tr("scaled") : Text::tr("not scaled"); }

}  // namespace

QString taskText(const Experiment& experiment) {
    switch (experiment.task) {
        case Task::Repeat:
            return Text::tr("repeat");
        case Task::PrefixCopy:
            return Text::tr("prefix-copy");
        case Task::LagCopy:
            break;
    }
    QStringList lags;
    for (const int lag : experiment.lags) lags << QString::number(lag);
    return Text::tr("lag-copy %1").arg(lags.join(QStringLiteral(", ")));
}

QString headCountText(int n_heads) {
    return n_heads == 1 ? Text::tr("1 head") : Text::tr("%1 heads").arg(n_heads);
}

QString captionFor(const Experiment& experiment, std::optional<std::int64_t> step) {
    const ModelConfig& model = experiment.model;
    QStringList facts{
        taskText(experiment),
        QStringLiteral("V=%1 D=%2 H=%3 T=%4 B=%5")
            .arg(model.vocab_size)
            .arg(model.d_model)
            .arg(model.n_heads)
            .arg(model.context_length)
            .arg(experiment.batch_size),
        model.scale_scores ? Text::tr("scores ÷ √%1").arg(model.d_head()) : Text::tr("scores not scaled"),
        positionsText(model.positions),
        Text::tr("learning rate %1").arg(experiment.learning_rate),
        Text::tr("seed %1").arg(experiment.seed)};
    if (experiment.attention_dropout > 0)
        facts.insert(facts.size() - 1, Text::tr("attention dropout %1").arg(experiment.attention_dropout));
    if (experiment.output_dropout > 0)
        facts.insert(facts.size() - 1, Text::tr("output dropout %1").arg(experiment.output_dropout));
    if (step) facts << Text::tr("step %1").arg(*step);
    return facts.join(QStringLiteral(" · "));
}

QString differenceText(const Experiment& experiment, const Experiment& other) {
    const ModelConfig& a = experiment.model;
    const ModelConfig& b = other.model;
    QStringList parts;
    if (taskText(experiment) != taskText(other)) parts << taskText(experiment);
    if (a.n_heads != b.n_heads) parts << headCountText(a.n_heads);
    if (a.scale_scores != b.scale_scores) parts << scalingText(a.scale_scores);
    if (a.d_model != b.d_model) parts << QStringLiteral("D=%1").arg(a.d_model);
    if (a.context_length != b.context_length) parts << QStringLiteral("T=%1").arg(a.context_length);
    if (a.vocab_size != b.vocab_size) parts << QStringLiteral("V=%1").arg(a.vocab_size);
    if (experiment.batch_size != other.batch_size) parts << QStringLiteral("B=%1").arg(experiment.batch_size);
    if (a.positions != b.positions) parts << positionsText(a.positions);
    if (experiment.learning_rate != other.learning_rate)
        parts << Text::tr("learning rate %1").arg(experiment.learning_rate);
    if (experiment.token_std != other.token_std) parts << Text::tr("token std %1").arg(experiment.token_std);
    if (a.positions == Positions::Learned && experiment.position_std != other.position_std)
        parts << Text::tr("position std %1").arg(experiment.position_std);
    if (experiment.attention_dropout != other.attention_dropout)
        parts << Text::tr("attention dropout %1").arg(experiment.attention_dropout);
    if (experiment.output_dropout != other.output_dropout)
        parts << Text::tr("output dropout %1").arg(experiment.output_dropout);
    if (experiment.seed != other.seed) parts << Text::tr("seed %1").arg(experiment.seed);
    if (experiment.steps != other.steps) parts << Text::tr("%1 steps").arg(experiment.steps);
    return parts.join(Text::tr(", ", "between two differences of runs"));
}

}  // namespace headscope
