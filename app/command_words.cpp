#include "app/command_words.h"

#include "engine/training/numbers_from_text.h"

namespace headscope {
namespace {

constexpr Option kExperimentOptions[] = {
    {"--task", "TASK", QT_TRANSLATE_NOOP("headscope::CommandLine", "repeat, prefix-copy or lag-copy"),
     [](Experiment& e, const QString& o, const QString& w) { e.task = toOneOf(kTaskNames, o, w); }},
    {"--lags", "N,N,...",
     QT_TRANSLATE_NOOP("headscope::CommandLine", "how far back lag-copy copies from, ascending"),
     [](Experiment& e, const QString& o, const QString& w) { e.lags = toInts(o, w); }},
    {"--vocab", "N", QT_TRANSLATE_NOOP("headscope::CommandLine", "vocabulary V"),
     [](Experiment& e, const QString& o, const QString& w) { e.model.vocab_size = toInt(o, w); }},
    {"--d-model", "N", QT_TRANSLATE_NOOP("headscope::CommandLine", "width D of the model"),
     [](Experiment& e, const QString& o, const QString& w) { e.model.d_model = toInt(o, w); }},
    {"--heads", "N", QT_TRANSLATE_NOOP("headscope::CommandLine", "heads H; must divide the width"),
     [](Experiment& e, const QString& o, const QString& w) { e.model.n_heads = toInt(o, w); }},
    {"--context", "N", QT_TRANSLATE_NOOP("headscope::CommandLine", "context length T"),
     [](Experiment& e, const QString& o, const QString& w) { e.model.context_length = toInt(o, w); }},
    {"--batch", "N", QT_TRANSLATE_NOOP("headscope::CommandLine", "rows in a batch, B"),
     [](Experiment& e, const QString& o, const QString& w) { e.batch_size = toInt(o, w); }},
    {"--learning-rate", "X", QT_TRANSLATE_NOOP("headscope::CommandLine", "Adam's learning rate"),
     [](Experiment& e, const QString& o, const QString& w) { e.learning_rate = toDouble(o, w); }},
    {"--token-std", "X", QT_TRANSLATE_NOOP("headscope::CommandLine", "spread of the initial token embedding"),
     [](Experiment& e, const QString& o, const QString& w) { e.token_std = toDouble(o, w); }},
    {"--positions", "KIND",
     QT_TRANSLATE_NOOP("headscope::CommandLine", "sinusoidal, learned, rotary or none"),
     [](Experiment& e, const QString& o, const QString& w) {
         e.model.positions = toOneOf(kPositionsNames, o, w);
     }},
    {"--position-std", "X",
     QT_TRANSLATE_NOOP("headscope::CommandLine", "spread of the initial learned positions"),
     [](Experiment& e, const QString& o, const QString& w) { e.position_std = toDouble(o, w); }},
    {"--attention-dropout", "P",
     QT_TRANSLATE_NOOP("headscope::CommandLine", "probability of dropping a weight in training"),
     [](Experiment& e, const QString& o, const QString& w) { e.attention_dropout = toDouble(o, w); }},
    {"--output-dropout", "P",
     QT_TRANSLATE_NOOP("headscope::CommandLine", "the same of an element of the block's output"),
     [](Experiment& e, const QString& o, const QString& w) { e.output_dropout = toDouble(o, w); }},
    {"--no-scaling", nullptr,
     QT_TRANSLATE_NOOP("headscope::CommandLine", "do not divide the scores by the root of d_head"),
     [](Experiment& e, const QString&, const QString&) { e.model.scale_scores = false; }},
    {"--seed", "N", QT_TRANSLATE_NOOP("headscope::CommandLine", "seed of all random numbers"),
     [](Experiment& e, const QString& o, const QString& w) { e.seed = toSeed(o, w); }},
    {"--steps", "N", QT_TRANSLATE_NOOP("headscope::CommandLine", "training steps"),
     [](Experiment& e, const QString& o, const QString& w) { e.steps = toInt(o, w); }},
};

const Option* findOption(const QString& name) {
    for (const Option& option : kExperimentOptions)
        if (name == QLatin1String(option.name)) return &option;
    return nullptr;
}

}  // namespace

int toInt(const QString& option, const QString& word) { return intFromText(text(option), text(word)); }

double toDouble(const QString& option, const QString& word) {
    return doubleFromText(text(option), text(word));
}

std::vector<int> toInts(const QString& option, const QString& word) {
    return intsFromText(text(option), text(word));
}

std::uint64_t toSeed(const QString& option, const QString& word) {
    return seedFromText(text(option), text(word));
}

std::vector<std::uint64_t> toSeeds(const QString& option, const QString& word) {
    return seedsFromText(text(option), text(word));
}

std::span<const Option> experimentOptions() { return kExperimentOptions; }

Words split(const QStringList& words, const QStringList& own) {
    Words found;
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString& word = words[i];
        if (!word.startsWith(u'-')) {
            found.arguments += word;
            continue;
        }
        const qsizetype equals = word.indexOf(u'=');
        const QString name = word.left(equals);
        const Option* option = own.contains(name) ? nullptr : findOption(name);
        if (!option && !own.contains(name))
            throw Refusal(
                QT_TRANSLATE_NOOP("headscope::Refusal", "unknown option '%1': see headscope --help"),
                {text(name)});
        QString value;
        if (option && !option->value) {
            if (equals >= 0)
                throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 takes no value"), {text(name)});
        } else if (equals >= 0) {
            value = word.mid(equals + 1);
        } else if (++i < words.size()) {
            value = words[i];
        } else {
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 needs a value"), {text(name)});
        }
        if (option)
            found.options.emplace_back(option, value);
        else
            found.own[name] = value;
    }
    return found;
}

void refuseChoice(const QString& option, const QString& word, const QString& allowed) {
    throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 is '%2': it must be one of %3"),
                  {text(option), text(word), text(allowed)});
}

void refuseArgument(const QString& word) {
    throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "unexpected argument '%1'"), {text(word)});
}

}  // namespace headscope
