#include "app/command_line.h"

#include <algorithm>
#include <thread>

#include <QDir>

#include "app/animation_encoder.h"
#include "app/command_words.h"

namespace headscope {
namespace {

struct CommandLine {
    Q_DECLARE_TR_FUNCTIONS(headscope::CommandLine)
};

const Lesson& findLesson(const std::vector<Lesson>& lessons, const QString& id) {
    QStringList ids;
    for (const Lesson& lesson : lessons) {
        if (lesson.id == id) return lesson;
        ids += lesson.id;
    }
    refuseChoice(QStringLiteral("--lesson"), id, ids.join(u", "));
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
    QString directory = words.value(QStringLiteral("--out"));
    if (directory.isEmpty())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 needs --out DIR, where to write to"),
                      {command});
    return directory;
}

PictureFormat toPictureFormat(const QString& option, const QString& word) {
    return toOneOf(std::array{Named<PictureFormat>{PictureFormat::Png, "png"},
                              Named<PictureFormat>{PictureFormat::Svg, "svg"},
                              Named<PictureFormat>{PictureFormat::Pdf, "pdf"}},
                   option, word);
}

/// As of all that train writes, its place is DIR.
QString toAnimation(const QString& option, const QString& word) {
    animationFormatOf(word);
    if (word.contains(u'/') && !QDir::isAbsolutePath(word))
        throw Refusal(
            QT_TRANSLATE_NOOP("headscope::Refusal",
                              "%1 is '%2': it must be a file's name, which goes to the directory that "
                              "--out names, or an absolute path"),
            {text(option), text(word)});
    return word;
}

TrainedFiles trainedFilesOf(const Words& given) {
    TrainedFiles files{directoryOf(given, "train")};
    apply(given, "--format", files.format, toPictureFormat);
    apply(given, "--animation", files.animation, toAnimation);
    return files;
}

/// The experiment is the file's, but for how long it goes on.
Request parseResume(const Words& given) {
    ResumeToFiles request{given.value(QStringLiteral("--resume")), std::nullopt, trainedFilesOf(given)};
    const auto refuse = [](const char* option) {
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 does not take %2"),
                      {"train --resume", option});
    };
    if (given.has(QStringLiteral("--lesson"))) refuse("--lesson");
    for (const auto& [option, value] : given.options) {
        if (option->name != std::string_view("--steps")) refuse(option->name);
        request.steps = toInt(QLatin1String(option->name), value);
    }
    return request;
}

Request parseWindowOrTrain(const QStringList& words, bool train, const std::vector<Lesson>& lessons) {
    QStringList own{QStringLiteral("--lesson")};
    if (train)
        own += {QStringLiteral("--out"), QStringLiteral("--format"), QStringLiteral("--animation"),
                QStringLiteral("--resume")};
    const Words given = split(words, own);
    if (!given.arguments.isEmpty()) refuseArgument(given.arguments.front());
    if (given.has(QStringLiteral("--resume"))) return parseResume(given);
    const Lesson& lesson = lessonOf(lessons, given, lessons.front().id);
    const Experiment experiment = experimentOf(lesson, given);
    requireValid(experiment);
    if (!train) return OpenWindow{lesson.id, lesson.pace, experiment, !words.isEmpty()};
    return TrainToFiles{experiment, trainedFilesOf(given)};
}

std::vector<bool> toScaling(const QString& option, const QString& word) {
    std::vector<bool> scaling;
    for (const QString& state : word.split(u','))
        scaling.push_back(
            toOneOf(std::array{Named<bool>{true, "on"}, Named<bool>{false, "off"}}, option, state));
    return scaling;
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
    const int most = mostAtOnce(sweep);
    request.jobs = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, most);
    apply(given, "--jobs", request.jobs, toJobs);
    if (request.jobs > most)
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                        "--jobs is %1: of runs as large as these, memory allows %2 at once"),
                      {std::to_string(request.jobs), std::to_string(most)});
    request.directory = directoryOf(given, "sweep");
    return request;
}

Request parseVerify(const QStringList& words) {
    const Words given =
        split(words, {QStringLiteral("--d-model"), QStringLiteral("--heads"), QStringLiteral("--context"),
                      QStringLiteral("--batch"), QStringLiteral("--seed")});
    if (!given.arguments.isEmpty()) refuseArgument(given.arguments.front());
    if (!given.options.empty())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 does not take %2"),
                      {"verify", given.options.front().first->name});
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
    if (command == u"attend") return parseAttend(words.mid(1));
    if (command == u"render") return parseRender(words.mid(1));
    if (command == u"sweep") return parseSweep(words.mid(1), lessons);
    const bool train = command == u"train";
    if (command.contains(u'.') || command.contains(u'/')) {  // no command's name does
        if (words.size() > 1) refuseArgument(words[1]);
        OpenWindow request = std::get<OpenWindow>(parseWindowOrTrain({}, false, lessons));
        request.asked = true;
        request.file = command;
        return request;
    }
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
        "  headscope FILE.headscope               open the window with a run that was saved\n"
        "  headscope train [OPTION]... --out DIR  train without a window; write pictures and data to DIR\n"
        "  headscope train --resume FILE.headscope [--steps N] --out DIR\n"
        "                                         go on with a run that was saved, up to N steps in all\n"
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
    for (const Option& option : experimentOptions())
        help += helpLine(option.name, option.value, CommandLine::tr(option.help));
    help += CommandLine::tr(
        "\n"
        "The sweep (the rest is as in the lesson scaling-stall unless an option says otherwise):\n"
        "  --heads N,N,...       head counts (default: 1,2,4,8,16)\n"
        "  --scaling on,off      with and without dividing the scores (default: on,off)\n"
        "  --seeds N..N or N,N   seeds (default: 1..5)\n"
        "  --threshold X         learned when the moving average of the loss is below (default: 1)\n"
        "  --jobs N              runs at once (default: one a processor, as memory allows)\n"
        "  --shard I/N           only part I of N; --merge joins the parts\n");
    help += CommandLine::tr(
        "\n"
        "Weights in a file:\n"
        "  headscope attend WEIGHTS.safetensors --tokens \"3 1 4 1 5\" --out ATTENTION.npy\n"
        "                        write the attention (H, T, T) that they pay to these tokens\n"
        "  --heads N, --positions KIND, --no-scaling\n"
        "                        what the file does not say, or otherwise than it says\n"
        "  --input X.npy         instead of --tokens, for a bare attention block: a row for each token\n"
        "  --logits FILE.npy     write the logits (T, V), or what comes out of a bare block, as well\n"
        "  --prefix TEXT         what stands before the tensors' names\n");
    help += CommandLine::tr(
        "\n"
        "Files of train:\n"
        "  --format FORMAT       of its pictures: png, svg or pdf (default: png)\n"
        "  --animation NAME      write the heads as they learn as well: .gif, .webp or, where ffmpeg is\n"
        "                        on the PATH, .mp4; to DIR, unless it is an absolute path\n");
    help += CommandLine::tr(
        "\n"
        "Attention in a file, .npy, .npz or .safetensors, (H, T, T), (B, H, T, T) or (layers, B, H, T, T):\n"
        "  headscope render ATTENTION --out HEADS.png\n"
        "                        draw its heads, as PNG, SVG or PDF; of a run in a .headscope file those\n"
        "                        of the last recorded step\n"
        "  --layer N, --row N, --head N\n"
        "                        which, from 1 (default: the first layer and row, and every head)\n"
        "  --array NAME          which array, where the file holds several\n"
        "  --tokens FILE         the tokens' texts: a JSON list, or one a line\n"
        "  --width N, --dpi N    size in pixels (default: 1920), and dots an inch (default: 144)\n"
        "  --palette NAME        viridis, cividis, magma or grays\n"
        "  --caption TEXT        what stands below (default: the file's name, layer and row)\n");
    help += CommandLine::tr(
        "\n"
        "Other:\n"
        "  --out DIR             where train writes loss.csv, loss.png, heads.png,\n"
        "                        attention.npy, experiment.json and run.headscope,\n"
        "                        and sweep sweep.csv, sweep.png and sweep.json\n"
        "  -h, --help            print this and exit\n"
        "  --version             print the version and exit\n"
        "\n"
        "Exit status: 0 done, 1 failed, 2 the command line cannot be meant.\n");
    return help;
}

}  // namespace headscope
