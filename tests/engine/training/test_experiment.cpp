#include <cmath>
#include <functional>
#include <limits>

#include <QtTest>

#include "engine/training/experiment.h"
#include "tests/refusal_of.h"

using namespace headscope;

class TestExperiment : public QObject {
    Q_OBJECT
private slots:
    void theLessonIsValid() { QVERIFY(problems(Experiment{}).empty()); }

    void refusals_data() {
        QTest::addColumn<std::function<void(Experiment&)>>("change");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("sentence");
        using Change = std::function<void(Experiment&)>;
        const auto row = [](const char* name, Change change, const char* field, const char* sentence) {
            QTest::newRow(name) << change << field << sentence;
        };
        row(
            "heads do not divide", [](Experiment& e) { e.model.n_heads = 5; }, "n_heads",
            "n_heads 5 does not divide d_model 32");
        row(
            "no heads", [](Experiment& e) { e.model.n_heads = 0; }, "n_heads",
            "n_heads is 0: it must be from 1 to 4096");
        row(
            "negative width", [](Experiment& e) { e.model.d_model = -8; }, "d_model",
            "d_model is -8: it must be from 1 to 4096");
        row(
            "odd width", [](Experiment& e) { e.model.d_model = 9, e.model.n_heads = 3; }, "d_model",
            "d_model 9 is odd: sinusoidal positions need an even one");
        row(
            "no context", [](Experiment& e) { e.model.context_length = 0; }, "context_length",
            "context_length is 0: it must be from 1 to 4096");
        row(
            "one word", [](Experiment& e) { e.model.vocab_size = 1; }, "vocab_size",
            "vocab_size is 1: it must be from 2 to 32768");
        row(
            "empty batch", [](Experiment& e) { e.batch_size = 0; }, "batch_size",
            "batch_size is 0: it must be from 1 to 4096");
        row(
            "no steps", [](Experiment& e) { e.steps = 0; }, "steps",
            "steps is 0: it must be from 1 to 1000000000");
        row(
            "rate not a number", [](Experiment& e) { e.learning_rate = std::nan(""); }, "learning_rate",
            "learning rate nan is not a positive finite number");
        row(
            "infinite rate", [](Experiment& e) { e.learning_rate = std::numeric_limits<double>::infinity(); },
            "learning_rate", "learning rate inf is not a positive finite number");
        row(
            "negative spread", [](Experiment& e) { e.token_std = -1; }, "token_std",
            "token_std is -1: it must be from 0 to 100");
        row(
            "everything dropped", [](Experiment& e) { e.attention_dropout = 1; }, "attention_dropout",
            "attention_dropout is 1: it must be at least 0 and less than 1");
        row(
            "negative dropout", [](Experiment& e) { e.output_dropout = -0.5; }, "output_dropout",
            "output_dropout is -0.5: it must be at least 0 and less than 1");
        row(
            "no root",
            [](Experiment& e) {
                e.task = Task::LagCopy, e.model.context_length = 16, e.model.vocab_size = 60;
            },
            "vocab_size", "vocabulary 60 has no whole root of degree 3, which copying at 3 lags needs");
        row(
            "lag too long", [](Experiment& e) { e.task = Task::LagCopy, e.model.context_length = 7; }, "lags",
            "lag 7 does not fit: it must be at least 1 and less than the context length 7");
        row(
            "lags descend",
            [](Experiment& e) {
                e.task = Task::LagCopy, e.lags = {4, 1}, e.model.vocab_size = 64;
            },
            "lags", "lag 1 follows lag 4: lags must ascend");
        row(
            "odd prefix", [](Experiment& e) { e.task = Task::PrefixCopy, e.model.context_length = 11; },
            "context_length", "context length 11 is odd: copying a prefix needs an even one");
        row(
            "larger than memory", [](Experiment& e) { e.model.context_length = 4096, e.batch_size = 1024; },
            "context_length",
            "training at this size takes 10.2 GB of memory: at most 4 are allowed; a shorter context, a "
            "smaller "
            "batch or fewer heads help");
    }

    void refusals() {
        QFETCH(std::function<void(Experiment&)>, change);
        QFETCH(QString, field);
        QFETCH(QString, sentence);
        Experiment e;
        change(e);
        const auto found = problems(e);
        QCOMPARE(found.size(), 1u);
        QCOMPARE(QString::fromUtf8(found[0].field.data(), qsizetype(found[0].field.size())), field);
        QCOMPARE(QString::fromUtf8(found[0].refusal.what()), sentence);
        QVERIFY_EXCEPTION_THROWN(requireValid(e), Refusal);
    }

    void lagsOfOtherTasksDoNotMatter() {
        Experiment e;
        e.lags = {};
        QVERIFY(problems(e).empty());
    }

    void headCountsAreTheDivisors() {
        QCOMPARE(divisors(32), (std::vector<int>{1, 2, 4, 8, 16, 32}));
        QCOMPARE(divisors(30), (std::vector<int>{1, 2, 3, 5, 6, 10, 15, 30}));
        QCOMPARE(divisors(1), std::vector<int>{1});
    }

    void carryingOnKeepsEveryShape() {
        const Experiment from;
        Experiment to = from;
        to.model.n_heads = 8, to.model.scale_scores = false, to.learning_rate = 1e-3;
        QVERIFY(canCarryOn(from, to));
        to.model.context_length = 13;
        QVERIFY(!canCarryOn(from, to));
    }

    void twinsSeeTheSameBatches() {
        const Experiment first;
        Experiment twin = first;
        twin.model = {64, 64, 8, 12, Positions::Learned, false};
        twin.learning_rate = 1e-3, twin.token_std = 1, twin.position_std = 1;
        QVERIFY(canBeTwins(first, first) && canBeTwins(first, twin));
        requireTwins(first, twin);
        const std::function<void(Experiment&)> changes[] = {
            [](Experiment& e) { e.task = Task::PrefixCopy; },
            [](Experiment& e) { e.lags = {1}; },
            [](Experiment& e) { e.model.vocab_size = 65; },
            [](Experiment& e) { e.batch_size = 15; },
            [](Experiment& e) { e.model.context_length = 13; },
            [](Experiment& e) { e.seed = 2; },
            [](Experiment& e) { e.steps = 361; }};
        for (const auto& change : changes) {
            twin = first;
            change(twin);
            QVERIFY(!canBeTwins(first, twin));
            QVERIFY_EXCEPTION_THROWN(requireTwins(first, twin), Refusal);
        }
        twin = first, twin.model.n_heads = 5;
        QVERIFY_EXCEPTION_THROWN(requireTwins(first, twin), Refusal);
    }

    // Each alone fits.
    void twinsShareTheMemory() {
        Experiment first;
        first.model.context_length = 4096, first.batch_size = 256;
        requireValid(first);
        QCOMPARE(refusalOf([&] { requireTwins(first, first); }),
                 "training both at once takes 7.5 GB of memory: at most 4 are allowed; a shorter context, a "
                 "smaller batch or fewer heads help");
    }

    void answersStandWhereTheTaskPutsThem() {
        Experiment e;
        QCOMPARE(copyLags(e), std::vector<int>{});
        QCOMPARE(firstAnswer(e), 0);
        e.task = Task::PrefixCopy;
        QCOMPARE(copyLags(e), std::vector<int>{5});
        QCOMPARE(firstAnswer(e), 5);
        e.task = Task::LagCopy, e.lags = {2, 3};
        QCOMPARE(copyLags(e), (std::vector<int>{2, 3}));
        QCOMPARE(firstAnswer(e), 3);
    }
};

QTEST_APPLESS_MAIN(TestExperiment)
#include "test_experiment.moc"
