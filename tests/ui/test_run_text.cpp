#include <QTest>

#include "ui/run_text.h"

using namespace headscope;

class TestRunText : public QObject {
    Q_OBJECT
private slots:
    void captionTellsHowToMakeItAgain() {
        Experiment e;
        QCOMPARE(
            captionFor(e, 360),
            "repeat · V=64 D=32 H=4 T=12 B=16 · scores ÷ √8 · sinusoidal positions · learning rate 0.005 · "
            "seed 1 · step 360");
        e.task = Task::LagCopy;
        e.model.scale_scores = false;
        e.model.positions = Positions::Learned;
        e.seed = 18446744073709551615u;
        QCOMPARE(captionFor(e, 0),
                 "lag-copy 1, 4, 7 · V=64 D=32 H=4 T=12 B=16 · scores not scaled · learned positions · "
                 "learning rate 0.005 · seed 18446744073709551615 · step 0");
        e.seed = 1;
        e.attention_dropout = 0.1;
        e.output_dropout = 0.25;
        QVERIFY(captionFor(e, 0).endsWith(
            " · learning rate 0.005 · attention dropout 0.1 · output dropout 0.25 · seed 1 · step 0"));
    }

    void differenceNamesWhatIsDifferent() {
        const Experiment base;
        QCOMPARE(differenceText(base, base), QString());
        Experiment e = base;
        e.model.n_heads = 1;
        QCOMPARE(differenceText(e, base), "1 head");
        QCOMPARE(differenceText(base, e), "4 heads");
        e.model.scale_scores = false;
        QCOMPARE(differenceText(e, base), "1 head, not scaled");
        QCOMPARE(differenceText(base, e), "4 heads, scaled");
    }

    void everyMemberMakesADifference() {
        const Experiment base;
        const std::vector<std::pair<QString, std::function<void(Experiment&)>>> changes = {
            {"prefix-copy", [](Experiment& e) { e.task = Task::PrefixCopy; }},
            {"D=64", [](Experiment& e) { e.model.d_model = 64; }},
            {"T=16", [](Experiment& e) { e.model.context_length = 16; }},
            {"V=8", [](Experiment& e) { e.model.vocab_size = 8; }},
            {"B=4", [](Experiment& e) { e.batch_size = 4; }},
            {"rotary positions", [](Experiment& e) { e.model.positions = Positions::Rotary; }},
            {"attention dropout 0.1", [](Experiment& e) { e.attention_dropout = 0.1; }},
            {"output dropout 0.2", [](Experiment& e) { e.output_dropout = 0.2; }},
            {"no positions", [](Experiment& e) { e.model.positions = Positions::None; }},
            {"learning rate 0.01", [](Experiment& e) { e.learning_rate = 0.01; }},
            {"token std 1", [](Experiment& e) { e.token_std = 1; }},
            {"seed 2", [](Experiment& e) { e.seed = 2; }},
            {"100 steps", [](Experiment& e) { e.steps = 100; }},
        };
        for (const auto& [text, change] : changes) {
            Experiment e = base;
            change(e);
            QCOMPARE(differenceText(e, base), text);
        }
    }

    void lagsMatterOnlyToTheirTask() {
        Experiment a, b;
        b.lags = {2};
        QCOMPARE(differenceText(a, b), QString());
        a.task = b.task = Task::LagCopy;
        QCOMPARE(differenceText(b, a), "lag-copy 2");
    }
};

QTEST_GUILESS_MAIN(TestRunText)
#include "test_run_text.moc"
