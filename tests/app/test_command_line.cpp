#include <functional>

#include <QtTest>

#include "app/command_line.h"
#include "app/lesson_library.h"

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
        QCOMPARE(request.directory, u"some/where");
        QVERIFY(request.experiment == experimentOf("--heads 8"));
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
        row("--heads", "--heads needs a value");
        row("--no-scaling=yes", "--no-scaling takes no value");
        row("--heads 8 train", "unexpected argument 'train'");
        row("train --out d more", "unexpected argument 'more'");
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
                                 "--help",
                                 "--version"})
            QVERIFY2(help.contains(QLatin1String(name)), name);
        for (const QString& line : help.split(u'\n')) QVERIFY2(line.size() <= 100, qPrintable(line));
    }
};

QTEST_APPLESS_MAIN(TestCommandLine)
#include "test_command_line.moc"
