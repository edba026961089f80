#include "app/command_line.h"

#include <charconv>
#include <map>
#include <thread>

#include <QCoreApplication>

#include "engine/training/experiment_names.h"

namespace headscope {
namespace {

struct CommandLine {
    Q_DECLARE_TR_FUNCTIONS(headscope::CommandLine)
};

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

std::vector<int> toInts(const QString& option, const QString& word) {
    std::vector<int> numbers;
    for (const QString& number : word.split(u','))
        numbers.push_back(toNumber<int>(
            QT_TRANSLATE_NOOP("headscope::Refusal",
                              "%1 has '%2' in it: it must be whole numbers with commas between"),
            option, number));
    return numbers;
}

std::uint64_t toSeed(const QString& option, const QString& word) {
    return toNumber<std::uint64_t>(
        QT_TRANSLATE_NOOP("headscope::Refusal", "%1 is '%2': it must be a whole number, 0 or more"), option,
        word);
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
    std::vector<std::pair<const Option*, QString>> options;  ///< in the order given: the last one wins
    std::map<QString, QString> own;                          ///< options of the command itself
    QStringList arguments;                                   ///< what belongs to no option

    QString value(const QString& name) const {
        const auto found = own.find(name);
        return found == own.end() ? QString() : found->second;
    }
    bool has(const QString& name) const { return own.contains(name); }
};

[[noreturn]] void refuseArgument(const QString& word) {
    throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "unexpected argument '%1'"), {text(word)});
}

/// Splits a command's words into options and their values; `own` are those that it has besides the
/// experiment's, each with a value.
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

/// Reads the value of a command's own option into `to`, where there is one.
template <typename To, typename Read>
void apply(const Words& given, const char* name, To& to, Read read) {
    const QString option = QLatin1String(name);
    if (given.has(option)) to = read(option, given.value(option));
}

Experiment experimentOf(const Lesson& lesson, const Words& words) {
    Experiment experiment = lesson.experiment;
    for (const auto& [option, value] : words.options)
        option->apply(experiment, QLatin1String(option->name), value);
    return experiment;
}

const Lesson& lessonOf(const std::vector<Lesson>& lessons, const Words& words, const QString& otherwise) {
    return findLesson(
        lessons, words.has(QStringLiteral("--lesson")) ? words.value(QStringLiteral("--lesson")) : otherwise);
}

QString directoryOf(const Words& words, const char* command) {
    const QString directory = words.value(QStringLiteral("--out"));
    if (directory.isEmpty())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 needs --out DIR, where to write to"),
                      {command});
    return directory;
}

Request parseWindowOrTrain(const QStringList& words, bool train, const std::vector<Lesson>& lessons) {
    const Words given = split(words, train ? QStringList{QStringLiteral("--lesson"), QStringLiteral("--out")}
                                           : QStringList{QStringLiteral("--lesson")});
    if (!given.arguments.isEmpty()) refuseArgument(given.arguments.front());
    const Lesson& lesson = lessonOf(lessons, given, lessons.front().id);
    const Experiment experiment = experimentOf(lesson, given);
    requireValid(experiment);
    if (!train) return OpenWindow{lesson.id, lesson.pace, experiment, !words.isEmpty()};
    return TrainToFiles{experiment, directoryOf(given, "train")};
}

std::vector<bool> toScaling(const QString& option, const QString& word) {
    std::vector<bool> scaling;
    for (const QString& state : word.split(u','))
        scaling.push_back(
            toOneOf(std::array{Named<bool>{true, "on"}, Named<bool>{false, "off"}}, option, state));
    return scaling;
}

/// "1..5", "1,2,7", or both together.
std::vector<std::uint64_t> toSeeds(const QString& option, const QString& word) {
    constexpr std::uint64_t kMost = 10'000;
    std::vector<std::uint64_t> seeds;
    for (const QString& part : word.split(u',')) {
        const QStringList ends = part.split(QStringLiteral(".."));
        const std::uint64_t first = toSeed(option, ends.front()), last = toSeed(option, ends.back());
        if (ends.size() > 2 || last < first || last - first >= kMost)
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                            "%1 has '%2' in it: a range must be such as 1..5, of at most %3"),
                          {text(option), text(part), std::to_string(kMost)});
        for (std::uint64_t i = 0; i <= last - first; ++i) seeds.push_back(first + i);
    }
    return seeds;
}

int toJobs(const QString& option, const QString& word) {
    constexpr int kMost = 1024;
    const int jobs = toInt(option, word);
    if (jobs < 1 || jobs > kMost)
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 is %2: it must be from 1 to %3"),
                      {text(option), std::to_string(jobs), std::to_string(kMost)});
    return jobs;
}

Request parseMerge(const Words& given) {
    if (!given.options.empty() || given.own.size() > 1u + given.own.count(QStringLiteral("--out")))
        throw Refusal(
            QT_TRANSLATE_NOOP("headscope::Refusal", "sweep --merge takes directories and --out only"));
    MergeSweeps merge{{given.value(QStringLiteral("--merge"))}, directoryOf(given, "sweep")};
    merge.parts.insert(merge.parts.end(), given.arguments.begin(), given.arguments.end());
    return merge;
}

Request parseSweep(const QStringList& words, const std::vector<Lesson>& lessons) {
    const Words given =
        split(words, {QStringLiteral("--lesson"), QStringLiteral("--out"), QStringLiteral("--heads"),
                      QStringLiteral("--scaling"), QStringLiteral("--seeds"), QStringLiteral("--threshold"),
                      QStringLiteral("--jobs"), QStringLiteral("--shard"), QStringLiteral("--merge")});
    if (given.has(QStringLiteral("--merge"))) return parseMerge(given);
    if (!given.arguments.isEmpty()) refuseArgument(given.arguments.front());
    for (const auto& [option, value] : given.options)
        for (const auto& [one, many] : {std::pair("--seed", "--seeds"), {"--no-scaling", "--scaling"}})
            if (QLatin1String(option->name) == QLatin1String(one))
                throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "a sweep takes %1 instead of %2"),
                              {many, one});
    SweepToFiles request;
    Sweep& sweep = request.part.sweep;
    sweep.base = experimentOf(lessonOf(lessons, given, QStringLiteral("scaling-stall")), given);
    apply(given, "--heads", sweep.heads, toInts);
    apply(given, "--scaling", sweep.scaling, toScaling);
    apply(given, "--seeds", sweep.seeds, toSeeds);
    apply(given, "--threshold", sweep.threshold, toDouble);
    requireValid(sweep);
    apply(given, "--shard", request.part.shard,
          [](const QString&, const QString& word) { return shardFromText(text(word)); });
    request.jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    apply(given, "--jobs", request.jobs, toJobs);
    request.directory = directoryOf(given, "sweep");
    return request;
}

Request parseVerify(const QStringList& words) {
    const Words given =
        split(words, {QStringLiteral("--d-model"), QStringLiteral("--heads"), QStringLiteral("--context"),
                      QStringLiteral("--batch"), QStringLiteral("--seed")});
    if (!given.arguments.isEmpty()) refuseArgument(given.arguments.front());
    if (!given.options.empty())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "verify does not take %1"),
                      {given.options.front().first->name});
    VerifyBlock request;
    apply(given, "--d-model", request.size.d_model, toInt);
    apply(given, "--heads", request.size.n_heads, toInt);
    apply(given, "--context", request.size.context_length, toInt);
    apply(given, "--batch", request.size.batch_rows, toInt);
    apply(given, "--seed", request.size.seed, toSeed);
    requireValid(request.size);
    return request;
}

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
        if (words.size() > 1) refuseArgument(words[1]);
        return ListLessons{};
    }
    if (command == u"verify") return parseVerify(words.mid(1));
    if (command == u"sweep") return parseSweep(words.mid(1), lessons);
    const bool train = command == u"train";
    if (!train && !command.isNull())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "unknown command '%1': see headscope --help"),
                      {text(command)});
    return parseWindowOrTrain(words.mid(train ? 1 : 0), train, lessons);
}

QString helpText() {
    QString help = CommandLine::tr(
        "Headscope shows how attention learns: a tiny multi-head attention model trains before your eyes.\n"
        "\n"
        "Usage:\n"
        "  headscope [OPTION]...                  open the window\n"
        "  headscope train [OPTION]... --out DIR  train without a window; write pictures and data to DIR\n"
        "  headscope sweep [OPTION]... --out DIR  train for every combination of heads, scaling and seeds\n"
        "  headscope sweep --merge DIR... --out DIR   join the parts of a sweep\n"
        "  headscope verify [OPTION]...           check the attention block against its definition, for a\n"
        "                                         --d-model, --heads, --context, --batch and --seed\n"
        "  headscope lessons                      list the lessons\n"
        "\n"
        "The experiment:\n");
    help += helpLine("--language", "CODE",
                     CommandLine::tr("en or zh_CN, for any command (default: as the system has it)"));
    help += helpLine("--lesson", "ID", CommandLine::tr("begin with this lesson (default: copy)"));
    for (const Option& option : kExperimentOptions)
        help += helpLine(option.name, option.value, CommandLine::tr(option.help));
    help += CommandLine::tr(
        "\n"
        "The sweep (the rest is as in the lesson scaling-stall unless an option says otherwise):\n"
        "  --heads N,N,...       head counts (default: 1,2,4,8,16)\n"
        "  --scaling on,off      with and without dividing the scores (default: on,off)\n"
        "  --seeds N..N or N,N   seeds (default: 1..5)\n"
        "  --threshold X         learned when the moving average of the loss is below (default: 1)\n"
        "  --jobs N              runs at once (default: one a processor)\n"
        "  --shard I/N           only part I of N; --merge joins the parts\n");
    help += CommandLine::tr(
        "\n"
        "Other:\n"
        "  --out DIR             where train writes loss.csv, loss.png, heads.png,\n"
        "                        attention.npy and experiment.json, and sweep\n"
        "                        sweep.csv, sweep.png and sweep.json\n"
        "  -h, --help            print this and exit\n"
        "  --version             print the version and exit\n"
        "\n"
        "Exit status: 0 done, 1 failed, 2 the command line cannot be meant.\n");
    return help;
}

}  // namespace headscope
