#include <functional>

#include <QtTest>

#include "app/command_line.h"
#include "app/lesson_library.h"
#include "tests/refusal_of.h"

using namespace headscope;

namespace {

Request parse(const QString& line) {
    return parseCommandLine(line.isEmpty() ? QStringList() : line.split(u' '), builtInLessons());
}

Experiment experimentOf(const QString& line) { return std::get<OpenWindow>(parse(line)).experiment; }

}  // namespace

class TestCommandLine : public QObject {
    Q_OBJECT
private slots:
    void nothingOpensTheWindowOnTheFirstLesson() {
        const auto request = std::get<OpenWindow>(parse({}));
        QCOMPARE(request.lesson, u"copy");
        QVERIFY(request.experiment == Experiment{});
    }

    void trainTakesTheSameOptionsAndADirectory() {
        const auto request = std::get<TrainToFiles>(parse("train --heads 8 --out some/where"));
        QCOMPARE(request.files.directory, u"some/where");
        QVERIFY(request.experiment == experimentOf("--heads 8"));
    }

    void trainTakesAFormatAndAnAnimation() {
        const auto plain = std::get<TrainToFiles>(parse("train --out d"));
        QCOMPARE(plain.files.format, PictureFormat::Png);
        QVERIFY(plain.files.animation.isEmpty());
        const auto request = std::get<TrainToFiles>(parse("train --format pdf --animation a.webp --out d"));
        QCOMPARE(request.files.format, PictureFormat::Pdf);
        QCOMPARE(request.files.animation, u"a.webp");
        QCOMPARE(std::get<TrainToFiles>(parse("train --animation /tmp/a.gif --out d")).files.animation,
                 u"/tmp/a.gif");
    }

    void resumingTakesAFileAndPerhapsAnotherEnd() {
        const auto request = std::get<ResumeToFiles>(parse("train --resume a/run.headscope --out d"));
        QCOMPARE(request.file, u"a/run.headscope");
        QCOMPARE(request.files.directory, u"d");
        QVERIFY(!request.steps);
        QCOMPARE(std::get<ResumeToFiles>(parse("train --steps 9 --out d --resume x")).steps, 9);
    }

    void aFileOpensTheWindowOnIt() {
        for (const char* file : {"run.headscope", "some/where", "./x"}) {
            const auto request = std::get<OpenWindow>(parse(file));
            QCOMPARE(request.file, QLatin1String(file));
            QVERIFY(request.asked);
        }
        QCOMPARE(std::get<OpenWindow>(parse("--heads 8")).file, QString());
    }

    void verifyTakesASizeAndASeed() {
        QVERIFY(std::get<VerifyBlock>(parse("verify")).size.context_length == 12);
        const auto size =
            std::get<VerifyBlock>(parse("verify --d-model 24 --heads 3 --context 40 --batch 5 --seed 6"))
                .size;
        QCOMPARE(size.d_model, 24);
        QCOMPARE(size.n_heads, 3);
        QCOMPARE(size.context_length, 40);
        QCOMPARE(size.batch_rows, 5);
        QCOMPARE(size.seed, 6u);
    }

    void lessonsHelpAndVersion() {
        QVERIFY(std::holds_alternative<ListLessons>(parse("lessons")));
        for (const char* line : {"--help", "-h", "train --help", "lessons --help", "--heads 8 --help"})
            QVERIFY2(std::holds_alternative<ShowHelp>(parse(line)), line);
        QVERIFY(std::holds_alternative<ShowVersion>(parse("--version")));
    }

    void options_data() {
        QTest::addColumn<std::function<void(Experiment&)>>("change");
        using Change = std::function<void(Experiment&)>;
        const auto row = [](const char* line, Change change) { QTest::newRow(line) << change; };
        row("--task prefix-copy", [](Experiment& e) { e.task = Task::PrefixCopy; });
        row("--task repeat", [](Experiment&) {});
        row("--task lag-copy --lags 2,3", [](Experiment& e) { e.task = Task::LagCopy, e.lags = {2, 3}; });
        row("--task lag-copy --lags 5 --vocab 9",
            [](Experiment& e) { e.task = Task::LagCopy, e.lags = {5}, e.model.vocab_size = 9; });
        row("--vocab 16", [](Experiment& e) { e.model.vocab_size = 16; });
        row("--d-model 64", [](Experiment& e) { e.model.d_model = 64; });
        row("--heads 8", [](Experiment& e) { e.model.n_heads = 8; });
        row("--heads=8", [](Experiment& e) { e.model.n_heads = 8; });
        row("--heads 2 --heads 8", [](Experiment& e) { e.model.n_heads = 8; });
        row("--context 20", [](Experiment& e) { e.model.context_length = 20; });
        row("--batch 3", [](Experiment& e) { e.batch_size = 3; });
        row("--learning-rate 1e-3", [](Experiment& e) { e.learning_rate = 1e-3; });
        row("--token-std 1", [](Experiment& e) { e.token_std = 1; });
        row("--positions learned", [](Experiment& e) { e.model.positions = Positions::Learned; });
        row("--positions none", [](Experiment& e) { e.model.positions = Positions::None; });
        row("--positions sinusoidal", [](Experiment&) {});
        row("--positions rotary", [](Experiment& e) { e.model.positions = Positions::Rotary; });
        row("--attention-dropout 0.1", [](Experiment& e) { e.attention_dropout = 0.1; });
        row("--output-dropout 0.2", [](Experiment& e) { e.output_dropout = 0.2; });
        row("--position-std 0.5", [](Experiment& e) { e.position_std = 0.5; });
        row("--no-scaling", [](Experiment& e) { e.model.scale_scores = false; });
        row("--seed 18446744073709551615", [](Experiment& e) { e.seed = UINT64_MAX; });
        row("--steps 12", [](Experiment& e) { e.steps = 12; });
    }

    void options() {
        QFETCH(std::function<void(Experiment&)>, change);
        Experiment expected;
        change(expected);
        QVERIFY(experimentOf(QString::fromUtf8(QTest::currentDataTag())) == expected);
    }

    void optionsChangeTheLessonWhereverItStands() {
        const Experiment expected = [] {
            Experiment e = builtInLessons()[2].experiment;
            e.seed = 7;
            return e;
        }();
        QVERIFY(experimentOf("--lesson scaling-stall --seed 7") == expected);
        QVERIFY(experimentOf("--seed 7 --lesson=scaling-stall") == expected);
        QCOMPARE(std::get<OpenWindow>(parse("--lesson scaling-stall")).lesson, u"scaling-stall");
    }

    void aSweepIsOfTheScalingStallUnlessToldOtherwise() {
        const auto request = std::get<SweepToFiles>(parse("sweep --out d"));
        QCOMPARE(request.directory, u"d");
        QVERIFY(request.jobs >= 1);
        QVERIFY(request.part.shard == (Shard{1, 1}));
        Sweep expected;
        expected.base = builtInLessons()[2].experiment;
        QVERIFY(request.part.sweep == expected);
        QVERIFY(expected.heads == (std::vector<int>{1, 2, 4, 8, 16}));
        QVERIFY(expected.seeds == (std::vector<std::uint64_t>{1, 2, 3, 4, 5}));
    }

    void aSweepsOptions() {
        const auto request = std::get<SweepToFiles>(
            parse("sweep --lesson copy --heads 1,8 --scaling off --seeds 7,2..4 --threshold 0.5 --jobs 3 "
                  "--shard 2/5 --steps 20 --out=d"));
        Sweep expected;
        expected.base.steps = 20;
        expected.heads = {1, 8};
        expected.scaling = {false};
        expected.seeds = {7, 2, 3, 4};
        expected.threshold = 0.5;
        QVERIFY(request.part.sweep == expected);
        QVERIFY(request.part.shard == (Shard{2, 5}));
        QCOMPARE(request.jobs, 3);
    }

    void asManyJobsAsMemoryAllows() {
        const QString large = "sweep --context 2048 --batch 32 --heads 8 --out d";
        QCOMPARE(std::get<SweepToFiles>(parse(large + " --jobs 3")).jobs, 3);
        QVERIFY(std::get<SweepToFiles>(parse(large)).jobs <= 3);
        QCOMPARE(refusalOf([&] { parse(large + " --jobs 4"); }),
                 "--jobs is 4: of runs as large as these, memory allows 3 at once");
    }

    void partsAreJoined() {
        const auto request = std::get<MergeSweeps>(parse("sweep --merge a b c --out d"));
        QVERIFY(request.parts == (std::vector<QString>{"a", "b", "c"}));
        QCOMPARE(request.directory, u"d");
    }

    void refusals_data() {
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* line, const char* sentence) {
            QTest::newRow(line) << QString::fromUtf8(sentence);
        };
        row("fly", "unknown command 'fly': see headscope --help");
        row("--wings", "unknown option '--wings': see headscope --help");
        row("-x", "unknown option '-x': see headscope --help");
        row("train --wings=2 --out d", "unknown option '--wings': see headscope --help");
        row("--out d", "unknown option '--out': see headscope --help");
        row("train", "train needs --out DIR, where to write to");
        row("train --out=", "train needs --out DIR, where to write to");
        row("train --out", "--out needs a value");
        row("train --format bmp --out d", "--format is 'bmp': it must be one of png, svg, pdf");
        for (const char* line : {"train --animation ../a.gif --out d", "train --animation runs/a.gif --out d",
                                 "train --animation ./a.gif --out d"})
            row(line,
                qPrintable(QStringLiteral("--animation is '%1': it must be a file's name, which goes to "
                                          "the directory that --out names, or an absolute path")
                               .arg(QString::fromLatin1(line).section(u' ', 2, 2))));
        row("train --animation a.png --out d",
            "cannot write a.png: the name of an animation must end in .gif, .webp or .mp4");
        row("--animation a.gif", "unknown option '--animation': see headscope --help");
        row("--heads", "--heads needs a value");
        row("--no-scaling=yes", "--no-scaling takes no value");
        row("--heads 8 train", "unexpected argument 'train'");
        row("train --out d more", "unexpected argument 'more'");
        row("run.headscope more", "unexpected argument 'more'");
        row("run", "unknown command 'run': see headscope --help");
        row("train --resume a", "train needs --out DIR, where to write to");
        row("train --resume a --heads 2 --out d", "train --resume does not take --heads");
        row("train --resume a --lesson copy --out d", "train --resume does not take --lesson");
        row("train --resume a --steps x --out d", "--steps is 'x': it must be a whole number");
        row("--resume a", "unknown option '--resume': see headscope --help");
        row("verify --heads 5", "n_heads 5 does not divide d_model 32");
        row("verify --context 1", "context_length is 1: it must be from 2 to 256");
        row("verify --steps 5", "verify does not take --steps");
        row("verify now", "unexpected argument 'now'");
        row("sweep", "sweep needs --out DIR, where to write to");
        row("sweep --heads 5 --out d", "n_heads 5 does not divide d_model 128");
        row("sweep --heads 1,2,1 --out d", "a sweep has one of heads twice");
        row("sweep --heads 1;2 --out d",
            "--heads has '1;2' in it: it must be whole numbers with commas between");
        row("sweep --scaling maybe --out d", "--scaling is 'maybe': it must be one of on, off");
        row("sweep --seeds 5..1 --out d",
            "--seeds has '5..1' in it: a range must be such as 1..5, of at most 10000");
        row("sweep --seeds 0..99999999 --out d",
            "--seeds has '0..99999999' in it: a range must be such as 1..5, of at most 10000");
        row("sweep --seeds 1..2..3 --out d",
            "--seeds has '1..2..3' in it: a range must be such as 1..5, of at most 10000");
        row("sweep --seeds x --out d", "--seeds is 'x': it must be a whole number, 0 or more");
        row("sweep --threshold -1 --out d", "threshold -1 is not a positive finite number");
        row("sweep --jobs 0 --out d", "--jobs is 0: it must be from 1 to 1024");
        row("sweep --shard 3 --out d", "'3' is no part of a sweep: it must be such as 2/5");
        row("sweep --shard 6/5 --out d", "part 6/5 cannot be: parts are counted from 1/5 to 5/5");
        row("sweep --seed 3 --out d", "a sweep takes --seeds instead of --seed");
        row("sweep --no-scaling --out d", "a sweep takes --scaling instead of --no-scaling");
        row("sweep more --out d", "unexpected argument 'more'");
        row("sweep --merge a", "sweep needs --out DIR, where to write to");
        row("sweep --merge a --jobs 2 --out d", "sweep --merge takes directories and --out only");
        row("sweep --merge a --steps 2 --out d", "sweep --merge takes directories and --out only");
        row("--shard 1/2", "unknown option '--shard': see headscope --help");
        row("lessons copy", "unexpected argument 'copy'");
        row("--lesson flying",
            "--lesson is 'flying': it must be one of copy, four-or-eight, "
            "scaling-stall, how-many-heads, causality, fused-qkv, masked-rows");
        row("--task sort", "--task is 'sort': it must be one of repeat, prefix-copy, lag-copy");
        row("--positions rotating",
            "--positions is 'rotating': it must be one of sinusoidal, learned, rotary, none");
        row("--heads 8x", "--heads is '8x': it must be a whole number");
        row("--heads 4.0", "--heads is '4.0': it must be a whole number");
        row("--heads=", "--heads is '': it must be a whole number");
        row("--heads= 8", "unexpected argument '8'");
        row("--steps 99999999999", "--steps is 99999999999: that is out of range");
        row("--seed -1", "--seed is '-1': it must be a whole number, 0 or more");
        row("--seed 18446744073709551616", "--seed is 18446744073709551616: that is out of range");
        row("--learning-rate fast", "--learning-rate is 'fast': it must be a number");
        row("--learning-rate 0,5", "--learning-rate is '0,5': it must be a number");
        row("--learning-rate 1e999", "--learning-rate is 1e999: that is out of range");
        row("--learning-rate nan", "learning rate nan is not a positive finite number");
        row("--lags 1,,4", "--lags has '' in it: it must be whole numbers with commas between");
        row("--lags 1;4", "--lags has '1;4' in it: it must be whole numbers with commas between");
        row("--heads 5", "n_heads 5 does not divide d_model 32");
        row("--heads 0", "n_heads is 0: it must be from 1 to 4096");
        row("--d-model -8", "d_model is -8: it must be from 1 to 4096");
        row("--task lag-copy --vocab 60",
            "vocabulary 60 has no whole root of degree 3, which copying at 3 lags needs");
        row("train --heads 5 --out d", "n_heads 5 does not divide d_model 32");
    }

    void refusals() {
        QFETCH(QString, sentence);
        try {
            parse(QString::fromUtf8(QTest::currentDataTag()));
            QFAIL("not refused");
        } catch (const Refusal& refusal) {
            QCOMPARE(QString::fromUtf8(refusal.what()), sentence);
        }
    }

    void helpNamesEveryOptionAndFitsATerminal() {
        const QString help = helpText();
        for (const char* name : {"--lesson",
                                 "--task",
                                 "--lags",
                                 "--vocab",
                                 "--d-model",
                                 "--heads",
                                 "--context",
                                 "--batch",
                                 "--learning-rate",
                                 "--token-std",
                                 "--positions",
                                 "--position-std",
                                 "--attention-dropout",
                                 "--output-dropout",
                                 "--no-scaling",
                                 "--seed",
                                 "--steps",
                                 "--out",
                                 "--resume",
                                 "--scaling",
                                 "--seeds",
                                 "--threshold",
                                 "--jobs",
                                 "--shard",
                                 "--merge",
                                 "--help",
                                 "--version"})
            QVERIFY2(help.contains(QLatin1String(name)), name);
        for (const QString& line : help.split(u'\n')) QVERIFY2(line.size() <= 100, qPrintable(line));
    }
};

QTEST_APPLESS_MAIN(TestCommandLine)
#include "test_command_line.moc"
