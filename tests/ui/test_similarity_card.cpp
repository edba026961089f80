#include <limits>

#include <QLabel>
#include <QTest>

#include "tests/ui/snapshots.h"
#include "ui/similarity_card.h"

using namespace headscope;

namespace {

/// Heads 1 and 3 look at their own token, head 2 at the first, from query 1 on.
std::shared_ptr<Snapshot> threeHeads() {
    auto snapshot = uniformSnapshot(3, 4);
    snapshot->experiment.task = Task::LagCopy;
    snapshot->experiment.lags = {1};
    for (int head = 0; head < 3; ++head)
        for (int query = 0; query < 4; ++query)
            for (int key = 0; key <= query; ++key)
                weightAt(*snapshot, head, query, key) = key == (head == 1 ? 0 : query);
    return snapshot;
}

struct Shown {
    explicit Shown(std::shared_ptr<const Snapshot> snapshot) {
        card.resize(300, 220);
        card.show();
        card.showSnapshot(std::move(snapshot));
        matrix = card.findChild<SimilarityMatrix*>("similarityMatrix");
        text = card.findChild<QLabel*>("similarityText");
    }
    SimilarityCard card;
    SimilarityMatrix* matrix;
    QLabel* text;
};

QRgb colorIn(SimilarityMatrix& matrix, const SimilarityMatrix::Pair& pair) {
    return matrix.grab().toImage().pixel(matrix.cellRect(pair).center().toPoint());
}

}  // namespace

class TestSimilarityCard : public QObject {
    Q_OBJECT
private slots:
    void theMatrixHasTheColorsOfTheHeatmaps() {
        Shown shown(threeHeads());
        QCOMPARE(colorIn(*shown.matrix, {2, 0}), colorOf(Colormap::Viridis, 0));
        QCOMPARE(colorIn(*shown.matrix, {1, 0}), colorOf(Colormap::Viridis, 1));
        QCOMPARE(colorIn(*shown.matrix, {1, 1}), colorOf(Colormap::Viridis, 0));
        shown.card.setColormap(Colormap::Magma);
        QCOMPARE(colorIn(*shown.matrix, {1, 0}), colorOf(Colormap::Magma, 1));
    }

    void theMostAlikeAndTheMostDifferentAreSaid() {
        Shown shown(threeHeads());
        QCOMPARE(
            shown.text->text(),
            "most alike:\nheads 1 and 3: 0.00\u00a0bits\nmost different:\nheads 1 and 2: 1.00\u00a0bits");
        QCOMPARE(shown.matrix->description(), shown.text->text());
    }

    void thePointerChoosesAPair() {
        Shown shown(threeHeads());
        QTest::mouseMove(shown.matrix, shown.matrix->cellRect({2, 1}).center().toPoint());
        QTRY_COMPARE(shown.text->text(), "heads 2 and 3: 1.00\u00a0bits");
        QTest::mouseMove(shown.matrix, shown.matrix->cellRect({1, 2}).center().toPoint());  // the other half
        QTRY_COMPARE(shown.text->text(), "heads 2 and 3: 1.00\u00a0bits");
        QTest::mouseMove(shown.matrix, shown.matrix->cellRect({1, 1}).center().toPoint());
        QTRY_COMPARE(shown.text->text(), "head 2 with itself: 0");
    }

    void arrowKeysWalkTheTriangle() {
        Shown shown(threeHeads());
        using Pair = SimilarityMatrix::Pair;
        const std::vector<std::pair<Qt::Key, Pair>> walk = {
            {Qt::Key_Right, {2, 0}}, {Qt::Key_Right, {2, 1}}, {Qt::Key_Up, {1, 1}},   {Qt::Key_Up, {1, 1}},
            {Qt::Key_Left, {1, 0}},  {Qt::Key_Left, {1, 0}},  {Qt::Key_Down, {2, 0}}, {Qt::Key_Down, {2, 0}},
        };
        for (const auto& [key, pair] : walk) {
            QTest::keyClick(shown.matrix, key);
            QVERIFY(shown.matrix->cursor() == pair);
        }
        QTest::keyClick(shown.matrix, Qt::Key_Escape);
        QVERIFY(!shown.matrix->cursor());
    }

    void whatIsNoNumberHasNoColor() {
        auto snapshot = threeHeads();
        weightAt(*snapshot, 1, 2, 0) = std::numeric_limits<float>::quiet_NaN();
        Shown shown(snapshot);
        QTest::keyClick(shown.matrix, Qt::Key_Up);
        QTest::keyClick(shown.matrix, Qt::Key_Right);
        QCOMPARE(shown.text->text(), "heads 2 and 3: not a number");
        const QRgb color = colorIn(*shown.matrix, {1, 0});
        for (const QRgb mapped : colorTable(Colormap::Viridis)) QVERIFY(color != mapped);
    }

    void oneHeadAndNoneAreSaid() {
        Shown shown(uniformSnapshot(1, 4));
        QCOMPARE(shown.text->text(), "One head has none to be compared with.");
        QVERIFY(!shown.matrix->isVisible());
        shown.card.showSnapshot(nullptr);
        QCOMPARE(shown.text->text(), "Start a run to compare its heads.");
        shown.card.showSnapshot(threeHeads());
        QVERIFY(shown.matrix->isVisible());
    }

    void whatIsHiddenIsComparedWhenItIsSeen() {
        Shown shown(threeHeads());
        shown.card.hide();
        auto snapshot = uniformSnapshot(2, 4);
        shown.card.showSnapshot(snapshot);
        QVERIFY(shown.text->text().contains("heads 1 and 3"));
        shown.card.show();
        QCOMPARE(shown.text->text(), "heads 1 and 2: 0.00\u00a0bits");
    }
};

QTEST_MAIN(TestSimilarityCard)
#include "test_similarity_card.moc"
