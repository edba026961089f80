#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QMenuBar>
#include <QMessageBox>
#include <QSignalSpy>
#include <QtTest>

#include "ui/attention_window.h"
#include "ui/head_grid.h"
#include "ui/similarity_card.h"

using namespace headscope;

namespace {

/// (layers, B, H, T, T), every query with all its weight on one key: layer + row + head tokens ahead, around.
AttentionMaps rings(std::size_t layers, std::size_t rows, std::size_t heads, std::size_t length) {
    AttentionMaps maps{
        .layers = layers, .rows = rows, .n_heads = heads, .length = length, .weights = {}, .tokens = {}};
    for (std::size_t layer = 0; layer < layers; ++layer)
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t head = 0; head < heads; ++head)
                for (std::size_t query = 0; query < length; ++query)
                    for (std::size_t key = 0; key < length; ++key)
                        maps.weights.push_back(key == (query + layer + row + head) % length ? 1.f : 0.f);
    return maps;
}

QComboBox* box(const QWidget& window, const char* name) { return window.findChild<QComboBox*>(name); }

}  // namespace

class TestAttentionWindow : public QObject {
    Q_OBJECT
private slots:
    void showsTheLayerAndTheRowChosen() {
        AttentionWindow window(rings(3, 2, 2, 4), "bert.npz");
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QCOMPARE(window.windowTitle(), "bert.npz – Attention – Headscope");
        QCOMPARE(window.grid()->titles()[0].shortLabel, "same token");
        QCOMPARE(window.grid()->titles()[1].shortLabel, "next token");
        QCOMPARE(window.grid()->snapshot()->origin, "bert.npz · layer 1 of 3 · row 1 of 2");
        QCOMPARE(box(window, "layerChoice")->count(), 3);

        box(window, "layerChoice")->setFocus();
        QTest::keyClick(box(window, "layerChoice"), Qt::Key_Down);
        QCOMPARE(window.layer(), 1u);
        QCOMPARE(window.grid()->titles()[0].shortLabel, "next token");
        // Where the focus is, the arrows move a cursor; with Control they are the window's.
        window.grid()->setFocus();
        QTest::keyClick(window.grid(), Qt::Key_Right, Qt::ControlModifier);
        QVERIFY(!window.grid()->cursor());
        QCOMPARE(window.row(), 1u);
        QCOMPARE(box(window, "rowChoice")->currentIndex(), 1);
        QCOMPARE(window.grid()->snapshot()->origin, "bert.npz · layer 2 of 3 · row 2 of 2");
        QTest::keyClick(&window, Qt::Key_Right, Qt::ControlModifier);  // there is none
        QCOMPARE(window.row(), 1u);
        QTest::keyClick(&window, Qt::Key_Up, Qt::ControlModifier);
        QTest::keyClick(&window, Qt::Key_Up, Qt::ControlModifier);
        QCOMPARE(window.layer(), 0u);
    }

    void whereThereIsNoChoiceNoneIsOffered() {
        AttentionWindow window(rings(1, 1, 1, 4), "a.npy");
        window.show();
        QVERIFY(!box(window, "layerChoice")->isVisible());
        QVERIFY(!box(window, "rowChoice")->isVisible());
        QVERIFY(!window.findChild<SimilarityCard*>()->isVisible());
        QCOMPARE(window.grid()->snapshot()->origin, "a.npy");
    }

    void theUpperTriangleIsThere() {
        AttentionWindow window(rings(1, 1, 2, 4), "a.npy");
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const QImage image = window.grid()->grab().toImage();
        const auto at = [&](int head, int query, int key) {
            return image.pixel(window.grid()->cellRect({head, query, key}).center().toPoint());
        };
        QCOMPARE(at(1, 0, 1), colorOf(Colormap::Viridis, 1));
        QCOMPARE(at(1, 0, 3), colorOf(Colormap::Viridis, 0));
        window.grid()->setCursorCell(HeadGrid::Cell{1, 0, 1});
        QCOMPARE(window.grid()->cursorText(), "Head 2 · query 0 → key 1\nweight 1.00");
    }

    void tokensStandInTheBubble() {
        AttentionWindow window(rings(1, 2, 2, 3), "a.npy");
        window.setTokens("[[\"a\", \"b\", \"c\"], [\"d\", \"e\\n\", \"f\"]]", "t.json");
        window.grid()->setCursorCell(HeadGrid::Cell{0, 0, 1});
        QCOMPARE(window.grid()->cursorText(), "Head 1 · query 0 → key 1\nweight 0.00\n“a” → “b”");
        window.choose(0, 1);
        QCOMPARE(window.grid()->cursorText(), "Head 1 · query 0 → key 1\nweight 1.00\n“d” → “e↵”");

        window.setTokens("one two", "t.txt");
        auto* complaint = window.findChild<QMessageBox*>("refusalBox");
        QVERIFY(complaint);
        QCOMPARE(complaint->text(), "t.txt: there are 2 tokens: the attention is over 3");
        QVERIFY(window.grid()->cursorText().endsWith("“d” → “e↵”"));
    }

    void nothingIsToBeMuted() {
        AttentionWindow window(rings(1, 1, 2, 4), "a.npy");
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QSignalSpy muted(window.grid(), &HeadGrid::muteToggled);
        const QPoint title = window.grid()->cellRect({0, 0, 0}).topLeft().toPoint() - QPoint(-5, 10);
        QTest::mouseClick(window.grid(), Qt::LeftButton, {}, title);
        QCOMPARE(muted.count(), 0);
    }

    void picturesOfItCanBeExported() {
        AttentionWindow window(rings(2, 1, 2, 4), "GPT 2.npz");
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_E);
        auto* dialog = window.findChild<ExportDialog*>("exportDialog");
        QVERIFY(dialog);
        QCOMPARE(dialog->options().caption, "GPT 2.npz · layer 1 of 2");
        QVERIFY(!dialog->picture().isNull());
        PictureSource source;
        source.frame.snapshot = window.grid()->snapshot();
        source.kind = PictureKind::Head;
        source.head = 1;
        QCOMPARE(suggestedName(source), "head2-gpt-2-npz-layer-1-of-2");
    }

    void lectureModeEndsWithTheWindow() {
        const QFont before = QApplication::font();
        {
            AttentionWindow window(rings(2, 1, 2, 4), "a.npy");
            window.show();
            QVERIFY(QTest::qWaitForWindowActive(&window));
            window.setLectureMode(true);
            QVERIFY(window.isFullScreen());
            QVERIFY(!window.menuBar()->isVisible());
            QVERIFY(!window.findChild<SimilarityCard*>()->isVisible());
            QVERIFY(QFontInfo(QApplication::font()).pixelSize() > 1.4 * QFontInfo(before).pixelSize());
            QTest::keyClick(&window, Qt::Key_Down, Qt::ControlModifier);  // keys hold without the menu bar
            QCOMPARE(window.layer(), 1u);
            QTest::keyClick(&window, Qt::Key_Escape);
            QVERIFY(!window.isFullScreen());
            QVERIFY(window.findChild<SimilarityCard*>()->isVisible());
            window.setLectureMode(true);
            window.close();
        }
        QCOMPARE(QApplication::font(), before);
    }
};

QTEST_MAIN(TestAttentionWindow)
#include "test_attention_window.moc"
