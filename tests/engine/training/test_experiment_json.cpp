#include <limits>

#include <QtTest>

#include "engine/training/experiment_json.h"
#include "engine/training/experiment_names.h"

using namespace headscope;

class TestExperimentJson : public QObject {
    Q_OBJECT
private slots:
    void theLessonReads() {
        QCOMPARE(toJson(Experiment{}), std::string(R"({
    "task": "repeat",
    "lags": [
        1,
        4,
        7
    ],
    "vocab_size": 64,
    "d_model": 32,
    "n_heads": 4,
    "context_length": 12,
    "positions": "sinusoidal",
    "scale_scores": true,
    "batch_size": 16,
    "learning_rate": 0.005,
    "token_std": 0.02,
    "position_std": 0.02,
    "attention_dropout": 0.0,
    "output_dropout": 0.0,
    "seed": 1,
    "steps": 360
}
)"));
    }

    void everyMemberSurvives() {
        Experiment e;
        e.task = Task::LagCopy;
        e.lags = {2, 3};
        e.model = {81, 15, 3, 5, Positions::Learned, false};
        e.batch_size = 7;
        e.learning_rate = 0.1 + 0.2;  // needs all 17 digits
        e.token_std = 1.0 / 3;
        e.position_std = 100;
        e.attention_dropout = 0.125;
        e.output_dropout = 0.25;
        e.seed = std::numeric_limits<std::uint64_t>::max();
        e.steps = 1'000'000'000;
        QVERIFY(experimentFromJson(toJson(e)) == e);
        e.task = Task::PrefixCopy;
        e.model.context_length = 6;
        e.model.positions = Positions::Rotary;
        e.model.n_heads = 1;
        e.model.d_model = 2;
        QVERIFY(experimentFromJson(toJson(e)) == e);
    }

    void whatIsNotThereIsAsInTheLesson() {
        QVERIFY(experimentFromJson("{}") == Experiment{});
        Experiment e;
        e.model.n_heads = 8;
        e.learning_rate = 1;
        QVERIFY(experimentFromJson(R"({"n_heads": 8, "learning_rate": 1})") == e);
    }

    void refusals_data() {
        QTest::addColumn<std::string>("json");
        QTest::addColumn<std::string>("sentence");
        const auto row = [](const std::string& json, const char* sentence) {
            QTest::newRow(json.substr(0, 60).c_str()) << json << std::string(sentence);
        };
        row("", "an experiment must be valid JSON");
        row("{", "an experiment must be valid JSON");
        row("3", "an experiment must be a JSON object");
        row("[]", "an experiment must be a JSON object");
        row(std::string(100'000, '['), "an experiment's values are not nested");
        row(R"({"lags": [[1]]})", "an experiment's values are not nested");
        row(R"({"color": 3})", "color is not a member of an experiment");
        row(R"({"steps": 3, "steps": 4})", "steps is there twice");
        row(R"({"task": "copy"})", "task must be one of repeat, prefix-copy, lag-copy");
        row(R"({"task": 0})", "task must be one of repeat, prefix-copy, lag-copy");
        row(R"({"positions": null})", "positions must be one of sinusoidal, learned, rotary, none");
        row(R"({"lags": 3})", "lags must be a list of whole numbers");
        row(R"({"lags": ["3"]})", "lags must be a whole number of at most 2³¹ − 1");
        row(R"({"steps": 3.0})", "steps must be a whole number of at most 2³¹ − 1");
        row(R"({"steps": 2147483648})", "steps must be a whole number of at most 2³¹ − 1");
        row(R"({"steps": -2147483649})", "steps must be a whole number of at most 2³¹ − 1");
        row(R"({"steps": "3"})", "steps must be a whole number of at most 2³¹ − 1");
        row(R"({"steps": 0})", "steps is 0: it must be from 1 to 1000000000");
        row(R"({"seed": -1})", "seed must be a whole number from 0 to 2⁶⁴ − 1");
        row(R"({"seed": 18446744073709551616})", "seed must be a whole number from 0 to 2⁶⁴ − 1");
        row(R"({"scale_scores": 1})", "scale_scores must be true or false");
        row(R"({"learning_rate": "fast"})", "learning_rate must be a number");
        row(R"({"learning_rate": 1e400})", "an experiment must be valid JSON");
        row(R"({"n_heads": 5})", "n_heads 5 does not divide d_model 32");
    }

    void refusals() {
        QFETCH(std::string, json);
        QFETCH(std::string, sentence);
        try {
            experimentFromJson(json);
            QFAIL("nothing was refused");
        } catch (const Refusal& refusal) {
            QCOMPARE(QString::fromUtf8(refusal.what()), QString::fromStdString(sentence));
        }
    }

    void namesGoBothWays() {
        for (const auto& [task, name] : kTaskNames)
            QCOMPARE(valueOf(kTaskNames, nameOf(kTaskNames, task)), task);
        QCOMPARE(valueOf(kPositionsNames, "learned"), Positions::Learned);
        QVERIFY(!valueOf(kPositionsNames, "Learned"));
    }
};

QTEST_APPLESS_MAIN(TestExperimentJson)
#include "test_experiment_json.moc"
