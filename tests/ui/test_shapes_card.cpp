#include <numeric>

#include <QHelpEvent>
#include <QLabel>
#include <QTest>
#include <QToolTip>

#include "engine/model/parameters.h"
#include "ui/shapes_card.h"

using namespace headscope;

namespace {

/// The sketch's: lag-copy with learned positions.
Experiment experiment() {
    Experiment e;
    e.task = Task::LagCopy;
    e.batch_size = 8;
    e.model.context_length = 16;
    e.model.positions = Positions::Learned;
    return e;
}

std::int64_t parametersOf(const Experiment& e) {
    const auto stages = blockStages(e);
    return std::accumulate(stages.begin(), stages.end(), std::int64_t{0},
                           [](std::int64_t sum, const BlockStage& stage) { return sum + stage.parameters; });
}

}  // namespace

class TestShapesCard : public QObject {
    Q_OBJECT
private slots:
    void stagesHaveTheNumbersOfTheExperiment() {
        const auto stages = blockStages(experiment());  // B=8 T=16 D=32 H=4 V=64
        struct Expected {
            QString name, shape;
            std::int64_t parameters, multiply_adds;
        };
        const std::vector<Expected> expected = {
            {"tokens", "(8, 16)", 0, 0},
            {"token + position", "(8, 16, 32)", 64 * 32 + 16 * 32, 0},
            {"qkv_proj", "(8, 16, 96)", 3168, 3 * 8 * 16 * 96 * 32},
            {"split heads", "3 × (8, 4, 16, 8)", 0, 0},
            {"scores ÷ √8", "(8, 4, 16, 16)", 0, 3 * 8 * 4 * 16 * 16 * 8},
            {"causal mask, softmax", "(8, 4, 16, 16)", 0, 0},
            {"context", "(8, 4, 16, 8)", 0, 3 * 8 * 4 * 16 * 16 * 8},
            {"merge, out_proj", "(8, 16, 32)", 1056, 3 * 8 * 16 * 32 * 32},
            {"lm_head, logits", "(8, 16, 64)", 2112, 3 * 8 * 16 * 32 * 64},
        };
        QCOMPARE(stages.size(), expected.size());
        for (std::size_t i = 0; i < stages.size(); ++i) {
            QCOMPARE(stages[i].name, expected[i].name);
            QCOMPARE(stages[i].shape, expected[i].shape);
            QCOMPARE(stages[i].parameters, expected[i].parameters);
            QCOMPARE(stages[i].multiply_adds, expected[i].multiply_adds);
        }
    }

    void allParametersAreTheModels() {
        Experiment e = experiment();
        for (const Positions positions :
             {Positions::Sinusoidal, Positions::Learned, Positions::Rotary, Positions::None}) {
            e.model.positions = positions;
            QCOMPARE(parametersOf(e), std::int64_t(Parameters<float>(e.model).values().size()));
        }
    }

    void theHeadCountChangesShapesOnly() {
        Experiment e = experiment();
        e.model.n_heads = 16;
        const auto stages = blockStages(e);
        QCOMPARE(stages[3].shape, "3 × (8, 16, 16, 2)");
        QCOMPARE(stages[4].shape, "(8, 16, 16, 16)");
        QCOMPARE(stages[4].multiply_adds, blockStages(experiment())[4].multiply_adds);
        QCOMPARE(parametersOf(e), parametersOf(experiment()));
    }

    void withoutScalingTheScoresAreNotDivided() {
        Experiment e = experiment();
        e.model.scale_scores = false;
        QCOMPARE(blockStages(e)[4].name, "scores, not scaled");
        QVERIFY(blockStages(e)[4].formula.startsWith("q·kᵀ (B, H, T, T), not divided by √8 = 2.83"));
    }

    void largeModelsDoNotOverflow() {
        Experiment e = experiment();
        e.batch_size = 1024;
        e.model.context_length = 4096;
        e.model.d_model = 1024;
        QCOMPARE(blockStages(e)[4].multiply_adds, std::int64_t{3} << 44);
    }

    void numbersAreShort() {
        QCOMPARE(grouped(0), "0");
        QCOMPARE(grouped(999), "999");
        QCOMPARE(grouped(3168), QString("3\u202f168"));
        QCOMPARE(grouped(1234567), QString("1\u202f234\u202f567"));
        QCOMPARE(rounded(999), "999");
        QCOMPARE(rounded(1000), QString("1.0\u00a0k"));
        QCOMPARE(rounded(786432), QString("786\u00a0k"));
        QCOMPARE(rounded(999499), QString("999\u00a0k"));
        QCOMPARE(rounded(999500), QString("1.0\u00a0M"));
        QCOMPARE(rounded(2359296), QString("2.4\u00a0M"));
        QCOMPARE(rounded(31'000'000'000), QString("31\u00a0G"));
    }

    void theCardFollowsTheExperiment() {
        ShapesCard card;
        card.setExperiment(experiment());
        auto* view = card.findChild<StagesView*>("shapesView");
        QVERIFY(view->description().contains(
            QString("qkv_proj: (8, 16, 96), 3\u202f168 parameters · 1.2\u00a0M multiply-adds.")));
        QCOMPARE(card.findChild<QLabel*>("shapesTotal")->text(),
                 QString("8\u202f896 parameters · 2.8\u00a0M multiply-adds a training step"));
        Experiment e = experiment();
        e.model.n_heads = 1;
        card.setExperiment(e);
        QVERIFY(view->description().contains("scores ÷ √32: (8, 1, 16, 16)"));
    }

    void thePointerIsToldTheFormula() {
        ShapesCard card;
        card.setExperiment(experiment());
        card.resize(300, 500);
        card.show();
        auto* view = card.findChild<StagesView*>("shapesView");
        QVERIFY(view->rect().contains(view->stageRect(8).toRect().adjusted(0, 0, -1, -1)));
        const QPoint at = view->stageRect(2).center().toPoint();
        QHelpEvent help(QEvent::ToolTip, at, view->mapToGlobal(at));
        QCoreApplication::sendEvent(view, &help);
        QCOMPARE(QToolTip::text(),
                 QString("x·Wᵀ + b (B, T, 3D): W (3D, D), b (3D); q, k and v of all heads at once\n"
                         "B·T·3D·D = 393\u202f216 multiply-adds forward, twice that backward"));
    }
};

QTEST_MAIN(TestShapesCard)
#include "test_shapes_card.moc"
