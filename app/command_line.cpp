#include "app/command_line.h"

#include <charconv>

#include <QCoreApplication>

#include "engine/training/experiment_names.h"

namespace headscope {
namespace {

std::string text(const QString& s) { return s.toStdString(); }

/// The whole of `word` as a number, in the C locale.
template <typename Number>
Number toNumber(const char* refusal, const QString& option, const QString& word) {
    const std::string digits = text(word);
    Number value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (end == digits.data() + digits.size() && error == std::errc::result_out_of_range)
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 is %2: that is out of range"),
                      {text(option), digits});
    if (error != std::errc{} || end != digits.data() + digits.size())
        throw Refusal(refusal, {text(option), digits});
    return value;
}

int toInt(const QString& option, const QString& word) {
    return toNumber<int>(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 is '%2': it must be a whole number"),
                         option, word);
}

double toDouble(const QString& option, const QString& word) {
    return toNumber<double>(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 is '%2': it must be a number"),
                            option, word);
}

template <typename Names>
auto toOneOf(const Names& names, const QString& option, const QString& word) {
    if (const auto value = valueOf(names, text(word))) return *value;
    std::string allowed;
    for (const auto& named : names) allowed += (allowed.empty() ? "" : ", ") + std::string(named.name);
    throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 is '%2': it must be one of %3"),
                  {text(option), text(word), allowed});
}

std::vector<int> toLags(const QString& option, const QString& word) {
    std::vector<int> lags;
    for (const QString& lag : word.split(u','))
        lags.push_back(toNumber<int>(
            QT_TRANSLATE_NOOP("headscope::Refusal",
                              "%1 has '%2' in it: it must be whole numbers with commas between"),
            option, lag));
    return lags;
}

/// One line of the help, and what the option does to the experiment.
struct Option {
    const char* name;
    const char* value;  ///< what stands for it in the help; null where the option takes none
    const char* help;
    void (*apply)(Experiment&, const QString& option, const QString& word);
};

constexpr Option kExperimentOptions[] = {
    {"--task", "TASK", QT_TRANSLATE_NOOP("headscope::CommandLine", "repeat, prefix-copy or lag-copy"),
     [](Experiment& e, const QString& o, const QString& w) { e.task = toOneOf(kTaskNames, o, w); }},
    {"--lags", "N,N,...",
     QT_TRANSLATE_NOOP("headscope::CommandLine", "how far back lag-copy copies from, ascending"),
     [](Experiment& e, const QString& o, const QString& w) { e.lags = toLags(o, w); }},
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
     [](Experiment& e, const QString& o, const QString& w) {
         e.seed = toNumber<std::uint64_t>(
             QT_TRANSLATE_NOOP("headscope::Refusal", "%1 is '%2': it must be a whole number, 0 or more"), o,
             w);
     }},
    {"--steps", "N", QT_TRANSLATE_NOOP("headscope::CommandLine", "training steps"),
     [](Experiment& e, const QString& o, const QString& w) { e.steps = toInt(o, w); }},
};

const Option* findOption(const QString& name) {
    for (const Option& option : kExperimentOptions)
        if (name == QLatin1String(option.name)) return &option;
    return nullptr;
}

const Lesson& findLesson(const std::vector<Lesson>& lessons, const QString& id) {
    QStringList ids;
    for (const Lesson& lesson : lessons) {
        if (lesson.id == id) return lesson;
        ids += lesson.id;
    }
    throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 is '%2': it must be one of %3"),
                  {"--lesson", text(id), text(ids.join(u", "))});
}

struct Words {
    QString lesson, directory;
    std::vector<std::pair<const Option*, QString>> options;  ///< in the order given: the last one wins
};

/// Splits the words of the window or of train into options and their values.
Words split(const QStringList& words, bool train) {
    Words found;
    for (qsizetype i = 0; i < words.size(); ++i) {
        const QString& word = words[i];
        if (!word.startsWith(u'-'))
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "unexpected argument '%1'"), {text(word)});
        const qsizetype equals = word.indexOf(u'=');
        const QString name = word.left(equals);
        const Option* option = findOption(name);
        QString* place = name == u"--lesson"         ? &found.lesson
                         : train && name == u"--out" ? &found.directory
                                                     : nullptr;
        if (!option && !place)
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
        if (place)
            *place = value;
        else
            found.options.emplace_back(option, value);
    }
    return found;
}

Experiment experimentOf(const Lesson& lesson, const Words& words) {
    Experiment experiment = lesson.experiment;
    for (const auto& [option, value] : words.options)
        option->apply(experiment, QLatin1String(option->name), value);
    requireValid(experiment);
    return experiment;
}

QString tr(const char* text) { return QCoreApplication::translate("headscope::CommandLine", text); }

QString helpLine(const char* name, const char* value, const QString& help) {
    const QString left =
        value ? QLatin1String(name) + u' ' + QLatin1String(value) : QString(QLatin1String(name));
    return QStringLiteral("  %1 %2\n").arg(left, -21).arg(help);
}

}  // namespace

Request parseCommandLine(const QStringList& words, const std::vector<Lesson>& lessons) {
    if (words.contains(u"--help") || words.contains(u"-h")) return ShowHelp{};
    if (words.contains(u"--version")) return ShowVersion{};

    const QString command = words.isEmpty() || words[0].startsWith(u'-') ? QString() : words[0];
    if (command == u"lessons") {
        if (words.size() > 1)
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "unexpected argument '%1'"),
                          {text(words[1])});
        return ListLessons{};
    }
    const bool train = command == u"train";
    if (!train && !command.isNull())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "unknown command '%1': see headscope --help"),
                      {text(command)});

    const Words given = split(words.mid(train ? 1 : 0), train);
    const Lesson& lesson = given.lesson.isNull() ? lessons.front() : findLesson(lessons, given.lesson);
    const Experiment experiment = experimentOf(lesson, given);
    if (!train) return OpenWindow{lesson.id, lesson.pace, experiment};
    if (given.directory.isEmpty())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "train needs --out DIR, where to write to"));
    return TrainToFiles{experiment, given.directory};
}

QString helpText() {
    QString help = tr(QT_TRANSLATE_NOOP(
        "headscope::CommandLine",
        "Headscope shows how attention learns: a tiny multi-head attention model trains before your eyes.\n"
        "\n"
        "Usage:\n"
        "  headscope [OPTION]...                  open the window\n"
        "  headscope train [OPTION]... --out DIR  train without a window; write pictures and data to DIR\n"
        "  headscope lessons                      list the lessons\n"
        "\n"
        "The experiment:\n"));
    help +=
        helpLine("--lesson", "ID",
                 tr(QT_TRANSLATE_NOOP("headscope::CommandLine", "begin with this lesson (default: copy)")));
    for (const Option& option : kExperimentOptions)
        help += helpLine(option.name, option.value, tr(option.help));
    help += tr(QT_TRANSLATE_NOOP("headscope::CommandLine",
                                 "\n"
                                 "Other:\n"
                                 "  --out DIR             where train writes loss.csv, loss.png, heads.png,\n"
                                 "                        attention.npy and experiment.json\n"
                                 "  -h, --help            print this and exit\n"
                                 "  --version             print the version and exit\n"
                                 "\n"
                                 "Exit status: 0 done, 1 failed, 2 the command line cannot be meant.\n"));
    return help;
}

}  // namespace headscope
