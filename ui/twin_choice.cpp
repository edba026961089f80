#include "ui/twin_choice.h"

#include <QCoreApplication>
#include <QLocale>

#include "ui/run_text.h"

namespace headscope {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(TwinChoice)
};

}  // namespace

QString twinFieldName(TwinField field) {
    switch (field) {
        case TwinField::Scaling:
            return Text::tr("scaling");
        case TwinField::Heads:
            return Text::tr("number of heads");
        case TwinField::LearningRate:
            return Text::tr("learning rate");
        case TwinField::Positions:
            return Text::tr("positions");
        case TwinField::ModelWidth:
            return Text::tr("d_model");
        case TwinField::TokenStd:
            return Text::tr("token std");
    }
    return {};
}

std::vector<std::pair<QString, Experiment>> twinsOf(const Experiment& experiment, TwinField field) {
    std::vector<std::pair<QString, Experiment>> twins;
    const auto offer = [&](const Experiment& twin) {
        if (twin != experiment && problems(twin).empty())
            twins.emplace_back(differenceText(twin, experiment), twin);
    };
    Experiment twin = experiment;
    switch (field) {
        case TwinField::Scaling:
            twin.model.scale_scores = !twin.model.scale_scores;
            offer(twin);
            break;
        case TwinField::Heads:
            for (const int n_heads : divisors(experiment.model.d_model)) {
                twin.model.n_heads = n_heads;
                offer(twin);
            }
            break;
        case TwinField::Positions:
            for (const Positions positions :
                 {Positions::Sinusoidal, Positions::Learned, Positions::Rotary, Positions::None}) {
                twin.model.positions = positions;
                offer(twin);
            }
            break;
        case TwinField::LearningRate:
        case TwinField::ModelWidth:
        case TwinField::TokenStd:
            break;
    }
    return twins;
}

QString typedValue(const Experiment& experiment, TwinField field) {
    const QLocale plain = QLocale::c();
    switch (field) {
        case TwinField::LearningRate:
            return plain.toString(experiment.learning_rate, 'g', 6);
        case TwinField::TokenStd:
            return plain.toString(experiment.token_std, 'g', 6);
        case TwinField::ModelWidth:
            return QString::number(experiment.model.d_model);
        default:
            return {};
    }
}

std::optional<Experiment> twinTyped(const Experiment& experiment, TwinField field, const QString& text) {
    Experiment twin = experiment;
    bool ok = false;
    switch (field) {
        case TwinField::LearningRate:
            twin.learning_rate = QLocale::c().toDouble(text.trimmed(), &ok);
            break;
        case TwinField::TokenStd:
            twin.token_std = QLocale::c().toDouble(text.trimmed(), &ok);
            break;
        case TwinField::ModelWidth:
            twin.model.d_model = text.trimmed().toInt(&ok);
            break;
        default:
            break;
    }
    return ok ? std::optional(twin) : std::nullopt;
}

Experiment twinAlong(const Experiment& next, const Experiment& now, const Experiment& twin) {
    Experiment along = next;
    const auto keep = [&](auto value) {
        if (value(twin) != value(now)) value(along) = value(twin);
    };
    keep([](auto& e) -> auto& { return e.model.scale_scores; });
    keep([](auto& e) -> auto& { return e.model.n_heads; });
    keep([](auto& e) -> auto& { return e.model.positions; });
    keep([](auto& e) -> auto& { return e.model.d_model; });
    keep([](auto& e) -> auto& { return e.learning_rate; });
    keep([](auto& e) -> auto& { return e.token_std; });
    keep([](auto& e) -> auto& { return e.position_std; });
    keep([](auto& e) -> auto& { return e.attention_dropout; });
    keep([](auto& e) -> auto& { return e.output_dropout; });
    return along;
}

}  // namespace headscope
