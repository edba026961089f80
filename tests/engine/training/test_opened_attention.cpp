#include <algorithm>

#include <QtTest>

#include "engine/training/head_labels.h"
#include "engine/training/opened_attention.h"

using namespace headscope;

class TestOpenedAttention : public QObject {
    Q_OBJECT
private slots:
    void aLayerBecomesASnapshot() {
        AttentionMaps maps{.layers = 2, .rows = 2, .n_heads = 2, .length = 2, .weights = {}, .tokens = {}};
        maps.weights.assign(2 * 2 * 2 * 4, 0.5f);
        // Layer 2, row 1: the first head looks ahead, in a ring.
        std::ranges::copy(std::vector<float>{0, 1, 1, 0}, maps.weights.begin() + 16);
        maps.tokens = {{"a", "b"}, {"c", "d"}};
        const auto snapshot = snapshotOf(maps, 1, 0, "file");
        QCOMPARE(snapshot->weights, (std::vector<float>{0, 1, 1, 0, 0.5, 0.5, 0.5, 0.5}));
        QCOMPARE(snapshot->experiment.model.n_heads, 2);
        QCOMPARE(snapshot->experiment.model.context_length, 2);
        QCOMPARE(snapshot->labels, (std::vector<std::string>{"a", "b"}));
        QCOMPARE(snapshotOf(maps, 0, 1, "file")->labels, (std::vector<std::string>{"c", "d"}));
        QVERIFY(!snapshot->causal);
        QCOMPARE(headLabels(*snapshot)[0], (HeadLabel{Pattern::PreviousToken, 0, 1}));
        QCOMPARE(headLabels(*snapshot)[1], (HeadLabel{Pattern::Uniform, 0, 1}));
        // Rows (0, 1) and (½, ½): 1 − ¾·log₂ 3 + ½ bits apart, both.
        QVERIFY(std::abs(headDivergences(*snapshot)[1] - 0.31127812445913) < 1e-9);
    }
};

QTEST_APPLESS_MAIN(TestOpenedAttention)
#include "test_opened_attention.moc"
