#include <cmath>
#include <limits>

#include <QAccessible>
#include <QSignalSpy>
#include <QTest>

#include "tests/ui/snapshots.h"
#include "ui/head_grid.h"
#include "ui/head_titles.h"

using namespace headscope;

namespace {

QImage shown(HeadGrid& grid, double ratio = 1) {
    QImage image(QSizeF(QSizeF(grid.size()) * ratio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    grid.render(&image);
    image.setDevicePixelRatio(1);
    return image;
}

QRgb colorAt(const QImage& image, const QRectF& cell, double ratio = 1) {
    return image.pixel((cell.center() * ratio).toPoint());
}

}  // namespace

class TestHeadGrid : public QObject {
    Q_OBJECT
private slots:
    void everyHeadHasItsTile() {
        for (const int heads : {1, 2, 3, 4, 6, 8, 12, 32, 128}) {
            auto snapshot = uniformSnapshot(heads, 4);
            for (int head = 0; head < heads; ++head)
                weightAt(*snapshot, head, 3, 1) = static_cast<float>(head) / 128;
            HeadGrid grid;
            grid.resize(900, 700);
            grid.showSnapshot(snapshot);
            const QImage image = shown(grid);
            for (int head = 0; head < heads; ++head) {
                const QRectF cell = grid.cellRect({head, 3, 1});
                QVERIFY(QRectF(grid.rect()).contains(cell));
                QCOMPARE(colorAt(image, cell), colorOf(Colormap::Viridis, static_cast<float>(head) / 128));
            }
        }
    }

    // Four heads have room for larger tiles and fuller titles than the eight they are compared with.
    void gridsSideBySideLookAlike() {
        HeadGrid four, eight;
        for (HeadGrid* grid : {&four, &eight}) {
            grid->resize(330, 420);
            grid->show();
        }
        four.showSnapshot(uniformSnapshot(4, 12));
        eight.showSnapshot(uniformSnapshot(8, 12));
        const auto side = [](const HeadGrid& grid) { return grid.cellRect({0, 0, 0}).width() * 12; };
        const double alone = side(four);
        QVERIFY(alone > side(eight));
        four.matchWith(&eight);
        eight.matchWith(&four);
        QCOMPARE(side(four), side(eight));
        const QImage before = shown(four);
        eight.resize(200, 420);
        QCOMPARE(side(four), side(eight));
        QVERIFY(shown(four) != before);
        eight.showSnapshot(nullptr);
        QCOMPARE(side(four), alone);
    }

    void aHeadIsWhereItsCellsOrItsTitleAre() {
        HeadGrid grid;
        grid.resize(600, 500);
        grid.showSnapshot(uniformSnapshot(4, 12));
        const QRectF cell = grid.cellRect({3, 0, 0});
        QCOMPARE(grid.headAt(cell.center()), std::optional(3));
        QCOMPARE(grid.headAt(cell.topLeft() + QPointF(4, -6)), std::optional(3));
        QCOMPARE(grid.headAt({1, 1}), std::nullopt);
    }

    void tilesNeverOverlapAndAreSquare() {
        for (const int heads : {1, 5, 8, 31, 128})
            for (const QSize size : {QSize(220, 180), QSize(690, 520), QSize(300, 900), QSize(1600, 300)}) {
                const auto layout = layoutHeadGrid(QRectF(QPointF(), size), 0, heads, 12, {});
                for (int a = 0; a < heads; ++a) {
                    QVERIFY(QRectF(QPointF(), size).contains(layout.tile(a)));
                    for (int b = a + 1; b < heads; ++b) QVERIFY(!layout.tile(a).intersects(layout.tile(b)));
                    QVERIFY(!layout.tile(a).intersects(layout.colorBar));
                    QVERIFY(!titleRect(layout, a).intersects(layout.colorBar));
                }
            }
    }

    void textsOfTokensStandAtTheAxes() {
        auto snapshot = std::make_shared<Snapshot>(*uniformSnapshot(4, 3));
        QVERIFY(axisLabelsOf(*snapshot).empty());
        snapshot->labels = {"a", "incomprehensible", "猫"};
        HeadGridStyle style;
        style.labels = axisLabelsOf(*snapshot);
        QCOMPARE(style.labels, (std::vector<QString>{"a", "incompreh…", "猫"}));
        const QRectF room(0, 0, 600, 600);
        const HeadGridLayout with = layoutHeadGrid(room, 0, 1, 3, style),
                             without = layoutHeadGrid(room, 0, 1, 3, {});
        QCOMPARE(with.label(2), "猫");
        QCOMPARE(without.label(2), "2");
        QVERIFY(with.tile(0).left() - room.left() > with.widestLabel());
        QVERIFY(room.bottom() - with.tile(0).bottom() > with.widestLabel());
        QVERIFY(with.side < without.side);
    }

    void theTextsOfTokensMakeRoomOnTheScreen() {
        HeadGrid grid;
        grid.resize(600, 600);
        auto snapshot = std::make_shared<Snapshot>(*uniformSnapshot(1, 3));
        grid.showSnapshot(snapshot);
        const double without = grid.cellRect({0, 0, 0}).width();
        auto labeled = std::make_shared<Snapshot>(*snapshot);
        labeled->labels = {"a", "incomprehensible", "猫"};
        grid.showSnapshot(labeled);
        QVERIFY(grid.cellRect({0, 0, 0}).width() < without);
        grid.showSnapshot(snapshot);
        QCOMPARE(grid.cellRect({0, 0, 0}).width(), without);
    }

    void noPositionIsWiderThanItsRoom() {
        for (const int length : {1, 2, 10, 11, 12, 112})
            for (int i = 0; i < length; ++i) {
                const HeadGridLayout layout = layoutHeadGrid({0, 0, 900, 900}, 0, 1, length, {});
                QVERIFY(QFontMetricsF(layout.tickFont).horizontalAdvance(layout.label(i)) <=
                        layout.widestLabel());
            }
    }

    void roomDecidesTheArrangement() {
        QCOMPARE(layoutHeadGrid({0, 0, 600, 600}, 0, 4, 12, {}).columns, 2);
        QCOMPARE(layoutHeadGrid({0, 0, 1600, 300}, 0, 4, 12, {}).columns, 4);
        QCOMPARE(layoutHeadGrid({0, 0, 250, 1200}, 0, 4, 12, {}).columns, 1);
        QCOMPARE(layoutHeadGrid({0, 0, 800, 500}, 0, 8, 12, {}).columns, 4);
    }

    void cellsAreWholeDevicePixels() {
        for (const double ratio : {1.0, 1.5, 2.0, 3.0}) {
            HeadGridStyle style;
            style.device_ratio = ratio;
            const auto layout = layoutHeadGrid({0, 0, 700, 500}, 0, 4, 12, style);
            const double cell = layout.side * ratio / 12;
            QVERIFY(qFuzzyCompare(cell, std::round(cell)));
            for (const double edge : {layout.tile(3).left() * ratio, layout.tile(3).top() * ratio})
                QVERIFY(std::abs(edge - std::round(edge)) < 1e-9);
        }
    }

    void titlesShrinkBeforeTheyVanish() {
        using Titles = HeadGridLayout::Titles;
        QVERIFY(layoutHeadGrid({0, 0, 690, 520}, 0, 4, 12, {}).titles == Titles::Full);
        QVERIFY(layoutHeadGrid({0, 0, 400, 320}, 0, 32, 12, {}).titles == Titles::Number);
        QVERIFY(layoutHeadGrid({0, 0, 220, 180}, 0, 128, 12, {}).titles == Titles::None);
    }

    void tickLabelsNeverMeet() {
        for (const int length : {1, 2, 12, 16, 64, 256, 1000, 4096}) {
            const auto layout = layoutHeadGrid({0, 0, 690, 520}, 0, 4, length, {});
            const double apart = layout.tickStep * layout.side / length;
            const QFontMetricsF metrics(layout.tickFont);
            QVERIFY(apart > metrics.horizontalAdvance(QString::number(length - 1)));
            QVERIFY(apart > metrics.height());
        }
        QCOMPARE(niceStep(0.2), 1);
        QCOMPARE(niceStep(1.1), 2);
        QCOMPARE(niceStep(2.1), 5);
        QCOMPARE(niceStep(5.1), 10);
        QCOMPARE(niceStep(11), 20);
        QCOMPARE(niceStep(201), 500);
    }

    void newSnapshotReplacesThePicture() {
        HeadGrid grid;
        grid.resize(600, 400);
        auto snapshot = uniformSnapshot(2, 6);
        grid.showSnapshot(snapshot);
        const QRectF cell = grid.cellRect({1, 5, 2});
        QCOMPARE(colorAt(shown(grid), cell), colorOf(Colormap::Viridis, 1.0f / 6));
        auto next = std::make_shared<Snapshot>(*snapshot);
        weightAt(*next, 1, 5, 2) = 0.9f;
        grid.showSnapshot(next);
        QCOMPARE(colorAt(shown(grid), cell), colorOf(Colormap::Viridis, 0.9f));
        QCOMPARE(grid.snapshot(), next);
    }

    void anotherShapeIsLaidOutAnew() {
        HeadGrid grid;
        grid.resize(600, 400);
        grid.showSnapshot(uniformSnapshot(4, 12));
        grid.setCursorCell(HeadGrid::Cell{3, 11, 11});
        shown(grid);
        grid.showSnapshot(uniformSnapshot(1, 2));
        QVERIFY(!grid.cursor());
        QCOMPARE(colorAt(shown(grid), grid.cellRect({0, 1, 0})), colorOf(Colormap::Viridis, 0.5f));
        grid.showSnapshot(nullptr);
        QCOMPARE(shown(grid).pixel(1, 1), Theme::of(grid.palette()).card.rgb());
        QCOMPARE(grid.description(), "No heads yet.");
    }

    void highResolutionIsCrisp() {
        HeadGrid grid;
        grid.resize(500, 400);
        grid.showSnapshot(uniformSnapshot(4, 12));
        for (const double ratio : {1.5, 2.0, 3.0}) {
            const QImage image = shown(grid, ratio);
            const QRectF cell = grid.cellRect({2, 7, 3});
            const QRgb color = colorOf(Colormap::Viridis, 1.0f / 8);
            const QPoint first = (cell.topLeft() * ratio + QPointF(0.1, 0.1)).toPoint();
            QCOMPARE(image.pixel(first), color);
            QVERIFY(image.pixel(first - QPoint(1, 0)) != color);  // the gap after the cell before
            QCOMPARE(image.pixel(first + QPoint(1, 0)), color);
        }
    }

    void themeFollowsThePalette() {
        HeadGrid grid;
        grid.resize(500, 400);
        grid.showSnapshot(uniformSnapshot(4, 12));
        grid.setPalette(Theme::light().palette());
        QCOMPARE(shown(grid).pixel(0, 0), Theme::light().card.rgb());
        grid.setPalette(Theme::darkTheme().palette());
        const QImage dark = shown(grid);
        QCOMPARE(dark.pixel(0, 0), Theme::darkTheme().card.rgb());
        const QRgb masked = colorAt(dark, grid.cellRect({0, 0, 11}));
        QVERIFY(masked == Theme::darkTheme().card.rgb() || masked == Theme::darkTheme().hatch.rgb());
    }

    void colormapChangesLive() {
        HeadGrid grid;
        grid.resize(500, 400);
        grid.showSnapshot(uniformSnapshot(1, 2));
        shown(grid);
        grid.setColormap(Colormap::Cividis);
        QCOMPARE(colorAt(shown(grid), grid.cellRect({0, 0, 0})), colorOf(Colormap::Cividis, 1));
    }

    void pointerTellsTheCell() {
        HeadGrid grid;
        grid.resize(690, 520);
        auto snapshot = uniformSnapshot(4, 12);
        weightAt(*snapshot, 2, 9, 5) = 0.984f;
        grid.showSnapshot(snapshot);
        grid.show();
        QTest::mouseMove(&grid, grid.cellRect({2, 9, 5}).center().toPoint());
        QTRY_COMPARE(
            grid.cursorText(),
            "Head 3 · query 9 → key 5\nweight 0.98, mean of 32 probe rows\nprobe row 1: token 19 → token 15");
        QTest::mouseMove(&grid, grid.cellRect({0, 3, 9}).center().toPoint());
        QTRY_COMPARE(grid.cursorText(), "query 3 cannot see key 9 (causal mask)");
        QTest::mouseMove(&grid, QPoint(1, 1));
        QTRY_COMPARE(grid.cursorText(), QString());
    }

    void whatIsNoNumberIsSaid() {
        HeadGrid grid;
        grid.resize(690, 520);
        auto snapshot = uniformSnapshot(1, 4);
        weightAt(*snapshot, 0, 2, 1) = std::numeric_limits<float>::quiet_NaN();
        grid.showSnapshot(snapshot);
        grid.setCursorCell(HeadGrid::Cell{0, 2, 1});
        QVERIFY(grid.cursorText().contains("weight is not a number from 0 to 1: nan"));
        QVERIFY(grid.description().contains("Head 1: some weights are not numbers."));
    }

    void bubbleAndOutlineAreDrawn() {
        HeadGrid grid;
        grid.resize(690, 520);
        grid.setPalette(Theme::light().palette());
        grid.showSnapshot(uniformSnapshot(4, 12));
        const QImage before = shown(grid);
        grid.setCursorCell(HeadGrid::Cell{0, 5, 2});
        const QImage after = shown(grid);
        const QRect cell = grid.cellRect({0, 5, 2}).toRect();
        QVERIFY(before.pixel(cell.center().x(), cell.top() - 1) !=
                after.pixel(cell.center().x(), cell.top() - 1));
        QCOMPARE(after.pixel(cell.center()), before.pixel(cell.center()));
        int bubble = 0;
        for (int y = 0; y < after.height(); ++y)
            for (int x = 0; x < after.width(); ++x)
                bubble += after.pixel(x, y) == grid.palette().color(QPalette::ToolTipBase).rgb();
        QVERIFY(bubble > 2000);
    }

    void arrowKeysMoveThroughCellsAndTiles() {
        HeadGrid grid;
        grid.resize(600, 600);
        grid.showSnapshot(uniformSnapshot(4, 3));  // two by two
        using Cell = HeadGrid::Cell;
        const std::vector<std::pair<Qt::Key, Cell>> walk = {
            {Qt::Key_Down, {0, 0, 0}},     {Qt::Key_Up, {0, 0, 0}},       {Qt::Key_Left, {0, 0, 0}},
            {Qt::Key_Down, {0, 1, 0}},     {Qt::Key_Right, {0, 1, 1}},    {Qt::Key_Right, {0, 1, 2}},
            {Qt::Key_Right, {1, 1, 0}},    {Qt::Key_Down, {1, 2, 0}},     {Qt::Key_Down, {3, 0, 0}},
            {Qt::Key_Left, {2, 0, 2}},     {Qt::Key_Home, {2, 0, 0}},     {Qt::Key_Up, {0, 2, 0}},
            {Qt::Key_End, {0, 2, 2}},      {Qt::Key_PageDown, {1, 2, 2}}, {Qt::Key_Right, {1, 2, 2}},
            {Qt::Key_PageDown, {2, 2, 2}}, {Qt::Key_PageUp, {1, 2, 2}},
        };
        for (const auto& [key, cell] : walk) {
            QTest::keyClick(&grid, key);
            QVERIFY2(grid.cursor() == cell, qPrintable(QStringLiteral("%1 %2 %3")
                                                           .arg(grid.cursor()->head)
                                                           .arg(grid.cursor()->query)
                                                           .arg(grid.cursor()->key)));
        }
        QTest::keyClick(&grid, Qt::Key_Escape);
        QVERIFY(!grid.cursor());
    }

    void headsAreActivated() {
        HeadGrid grid;
        grid.resize(600, 600);
        grid.showSnapshot(uniformSnapshot(4, 3));
        QSignalSpy activated(&grid, &HeadGrid::headActivated);
        QTest::mouseDClick(&grid, Qt::LeftButton, {}, grid.cellRect({3, 1, 1}).center().toPoint());
        grid.setCursorCell(HeadGrid::Cell{2, 0, 0});
        QTest::keyClick(&grid, Qt::Key_Return);
        QCOMPARE(activated.size(), 2);
        QCOMPARE(activated[0][0].toInt(), 3);
        QCOMPARE(activated[1][0].toInt(), 2);
    }

    void screenReadersHearWhatHeadsDo() {
        HeadGrid grid;
        grid.resize(600, 600);
        auto snapshot = uniformSnapshot(2, 8);
        for (int query = 0; query < 8; ++query)
            for (int key = 0; key <= query; ++key)
                weightAt(*snapshot, 1, query, key) = key == query - 3 ? 0.9f : 0.0f;
        grid.showSnapshot(snapshot);
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(&grid);
        QVERIFY(accessible);
        QCOMPARE(accessible->text(QAccessible::Name), "Attention of each head");
        const QString text = accessible->text(QAccessible::Description);
        QVERIFY(text.startsWith("2 heads after 360 steps, 8 positions."));
        QVERIFY(text.contains("Head 2: mostly 3 tokens back, mean weight 0.90."));
        grid.setCursorCell(HeadGrid::Cell{1, 4, 1});
        QVERIFY(
            accessible->text(QAccessible::Description).startsWith("Head 2 · query 4 → key 1\nweight 0.90"));
    }
};

QTEST_MAIN(TestHeadGrid)
#include "test_head_grid.moc"
