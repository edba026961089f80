#include <cmath>
#include <limits>
#include <set>

#include <QTest>

#include "ui/heatmap.h"

using namespace headscope;

namespace {

const HeatmapStyle kStyle = HeatmapStyle::of(Theme::light());

/// Weights of `length` positions, all equal along a row.
std::vector<float> uniform(int length) {
    std::vector<float> weights(static_cast<std::size_t>(length) * length);
    for (int query = 0; query < length; ++query)
        for (int key = 0; key <= query; ++key)
            weights[static_cast<std::size_t>(query) * length + key] = 1.0f / static_cast<float>(query + 1);
    return weights;
}

QImage painted(const std::vector<float>& weights, int pixels, const HeatmapStyle& style = kStyle,
               double ratio = 1) {
    const int length = static_cast<int>(std::lround(std::sqrt(weights.size())));
    QImage image(pixels, pixels, QImage::Format_RGB32);
    image.fill(Qt::magenta);
    image.setDevicePixelRatio(ratio);
    QPainter painter(&image);
    paintHeatmap(painter, QRectF(0, 0, pixels / ratio, pixels / ratio), {weights, length}, style);
    painter.end();
    image.setDevicePixelRatio(1);
    return image;
}

std::set<QRgb> colorsIn(const QImage& image, const QRect& rect) {
    std::set<QRgb> colors;
    for (int y = rect.top(); y <= rect.bottom(); ++y)
        for (int x = rect.left(); x <= rect.right(); ++x) colors.insert(image.pixel(x, y));
    return colors;
}

std::set<QRgb> mapColors() {
    const auto& table = colorTable(Colormap::Viridis);
    return {table.begin(), table.end()};
}

bool hasMapColor(const QImage& image, const QRect& rect) {
    for (const QRgb color : colorsIn(image, rect))
        if (mapColors().contains(color)) return true;
    return false;
}

}  // namespace

class TestHeatmap : public QObject {
    Q_OBJECT
private slots:
    void scoresAreWhiteAtZeroAndDifferBySign() {
        const std::vector<float> scores = {-2, 0, 0, 4};
        for (const int pixels : {40, 2}) {
            QImage image(pixels, pixels, QImage::Format_RGB32);
            QPainter painter(&image);
            paintHeatmap(painter, QRectF(0, 0, pixels, pixels), {scores, 2, HeatmapKind::Scores, 4}, kStyle);
            painter.end();
            QCOMPARE(image.pixel(0, 0), divergingTable()[64]);
            QCOMPARE(image.pixel(0, pixels / 2), divergingTable()[128]);
            QCOMPARE(image.pixel(pixels / 2, pixels / 2), divergingTable()[255]);
        }
    }

    void aPixelOfManyScoresShowsTheOneFarthestFromZero() {
        const std::vector<float> scores = {-3, 0, 2, 1};
        QImage image(1, 1, QImage::Format_RGB32);
        QPainter painter(&image);
        paintHeatmap(painter, QRectF(0, 0, 1, 1), {scores, 2, HeatmapKind::Scores, 3}, kStyle);
        painter.end();
        QCOMPARE(image.pixel(0, 0), divergingTable()[0]);
    }

    void attentionThatSeesAllIsASquare() {
        // Two tokens; one a weight to each other, and nothing to themselves. Large cells, small ones,
        // vectors.
        const std::vector<float> ring = {0, 1, 1, 0};
        HeatmapStyle vectors = kStyle;
        vectors.vector = true;
        for (const auto& [pixels, style] : {std::pair(40, kStyle), {2, kStyle}, {1, kStyle}, {40, vectors}}) {
            QImage image(pixels, pixels, QImage::Format_RGB32);
            QPainter painter(&image);
            const HeatmapValues values{ring, 2, HeatmapKind::Attention, 1, false};
            paintHeatmap(painter, QRectF(0, 0, pixels, pixels), values, style);
            painter.end();
            QVERIFY(!colorsIn(image, image.rect()).contains(kStyle.hatch.rgb()));
            QCOMPARE(image.pixel(pixels / 2, 0), colorOf(Colormap::Viridis, 1));
            QCOMPARE(image.pixel(0, pixels / 2), colorOf(Colormap::Viridis, 1));
            if (pixels > 1) QCOMPARE(image.pixel(0, 0), colorOf(Colormap::Viridis, 0));
        }
    }

    void aScoreThatIsNoNumberIsCrossedOut() {
        const std::vector<float> scores = {std::numeric_limits<float>::quiet_NaN()};
        QImage image(40, 40, QImage::Format_RGB32);
        QPainter painter(&image);
        paintHeatmap(painter, QRectF(0, 0, 40, 40), {scores, 1, HeatmapKind::Scores, 1}, kStyle);
        painter.end();
        QVERIFY(colorsIn(image, image.rect()).contains(kStyle.invalid.rgb()));
    }

    void rowsAreQueriesFromTheTopAndColumnsKeysFromTheLeft() {
        // Three different weights, in cells (0,0), (1,0), (1,1).
        const QImage image = painted({1, 0, 0.25f, 0.75f}, 40);
        QCOMPARE(image.pixel(10, 10), colorOf(Colormap::Viridis, 1));
        QCOMPARE(image.pixel(10, 30), colorOf(Colormap::Viridis, 0.25f));
        QCOMPARE(image.pixel(30, 30), colorOf(Colormap::Viridis, 0.75f));
        QVERIFY(!hasMapColor(image, {20, 0, 20, 20}));
    }

    void everyCellHasItsColor_data() {
        QTest::addColumn<int>("length");
        QTest::addColumn<double>("ratio");
        for (const int length : {1, 2, 12, 16, 64})
            for (const double ratio : {1.0, 1.5, 2.0, 3.0})
                QTest::addRow("T=%d at %g", length, ratio) << length << ratio;
    }
    void everyCellHasItsColor() {
        QFETCH(int, length);
        QFETCH(double, ratio);
        const auto weights = uniform(length);
        const int pixels = 192;
        const QImage image = painted(weights, pixels, kStyle, ratio);
        for (int query = 0; query < length; ++query)
            for (int key = 0; key < length; ++key) {
                const QPointF corner =
                    heatmapCell({0, 0, pixels / ratio, pixels / ratio}, length, query, key, ratio).topLeft();
                const QPoint first = (corner * ratio + QPointF(0.5, 0.5)).toPoint();
                const QRgb color = image.pixel(first);
                if (key <= query)
                    QCOMPARE(color, colorOf(Colormap::Viridis,
                                            weights[static_cast<std::size_t>(query) * length + key]));
                else
                    QVERIFY(color == kStyle.ground.rgb() || color == kStyle.hatch.rgb());
            }
    }

    void nothingIsSmoothed_data() {
        QTest::addColumn<double>("ratio");
        for (const double ratio : {1.0, 1.5, 2.0, 3.0}) QTest::addRow("%g", ratio) << ratio;
    }
    void nothingIsSmoothed() {
        QFETCH(double, ratio);
        const QImage image = painted({1, 0, 0, 0.5f, 0.5f, 0, 0.2f, 0.3f, 0.5f}, 200, kStyle, ratio);
        std::set<QRgb> allowed = {kStyle.ground.rgb(), kStyle.hatch.rgb()};
        for (const float weight : {1.0f, 0.5f, 0.2f, 0.3f})
            allowed.insert(colorOf(Colormap::Viridis, weight));
        for (const QRgb color : colorsIn(image, image.rect())) QVERIFY(allowed.contains(color));
    }

    void largeCellsStandApartAndSmallOnesTouch() {
        const std::vector<float> weights(16, 1.0f);
        const QImage large = painted(weights, 80);
        QCOMPARE(large.pixel(18, 70), colorOf(Colormap::Viridis, 1));
        QCOMPARE(large.pixel(19, 70), kStyle.ground.rgb());
        QCOMPARE(large.pixel(20, 70), colorOf(Colormap::Viridis, 1));
        const QImage small = painted(weights, 16);
        QCOMPARE(small.pixel(3, 15), colorOf(Colormap::Viridis, 1));
        QCOMPARE(small.pixel(4, 15), colorOf(Colormap::Viridis, 1));
    }

    void maskedCellsAreHatched() {
        const QImage image = painted(uniform(2), 80);
        const std::set<QRgb> expected = {kStyle.ground.rgb(), kStyle.hatch.rgb()};
        QCOMPARE(colorsIn(image, {40, 0, 40, 40}), expected);
    }

    void whatTheMaskHidesIsNeverRead() {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(painted({1, nan, 0.25f, 0.75f}, 40), painted({1, 0, 0.25f, 0.75f}, 40));
    }

    void pixelsThatHoldManyCellsShowTheLargest() {
        auto weights = std::vector<float>(64 * 64, 0.0f);
        weights[60 * 64 + 10] = 0.8f;
        const QImage image = painted(weights, 16);
        QCOMPARE(image.pixel(2, 15), colorOf(Colormap::Viridis, 0.8f));
        QCOMPARE(image.pixel(3, 15), colorOf(Colormap::Viridis, 0));
    }

    void pixelsThatHoldManyCellsAreMaskedOnlyWhereAllAre() {
        const QImage image = painted(std::vector<float>(4096 * 4096, 0.0f), 64);
        for (int y = 0; y < 64; ++y)
            for (int x = 0; x < 64; ++x) QCOMPARE(mapColors().contains(image.pixel(x, y)), x <= y);
    }

    void noWeightIsNoColor_data() {
        QTest::addColumn<float>("value");
        QTest::addColumn<int>("pixels");
        for (const int pixels : {80, 8, 2}) {
            QTest::addRow("NaN, %d", pixels) << std::numeric_limits<float>::quiet_NaN() << pixels;
            QTest::addRow("inf, %d", pixels) << std::numeric_limits<float>::infinity() << pixels;
            QTest::addRow("-inf, %d", pixels) << -std::numeric_limits<float>::infinity() << pixels;
            QTest::addRow("1.5, %d", pixels) << 1.5f << pixels;
        }
    }
    void noWeightIsNoColor() {
        QFETCH(float, value);
        QFETCH(int, pixels);
        auto weights = uniform(4);
        weights[3 * 4 + 1] = value;
        const QImage image = painted(weights, pixels);
        const QRect cell =
            pixels >= 4 ? QRect(pixels / 4, pixels * 3 / 4, pixels / 4, pixels / 4) : QRect(0, 1, 1, 1);
        QVERIFY(!hasMapColor(image, cell));
        QVERIFY(colorsIn(image, cell).contains(kStyle.invalid.rgb()));
    }

    void roundingBeyondOneIsForgiven() {
        QCOMPARE(painted({1.0000002f}, 20).pixel(5, 5), colorOf(Colormap::Viridis, 1));
        QCOMPARE(painted({-1e-8f}, 20).pixel(5, 5), colorOf(Colormap::Viridis, 0));
    }

    void vectorsHaveTheSameCells() {
        HeatmapStyle vector = kStyle;
        vector.vector = true;
        const auto weights = uniform(8);
        const QImage cells = painted(weights, 160, vector);
        for (int query = 0; query < 8; ++query)
            for (int key = 0; key <= query; ++key)
                QCOMPARE(cells.pixel(key * 20 + 9, query * 20 + 9),
                         colorOf(Colormap::Viridis, weights[static_cast<std::size_t>(query) * 8 + key]));
        QVERIFY(!hasMapColor(cells, {140, 0, 20, 20}));
    }

    void aTranslatedPainterPaintsOnWholePixels() {
        QImage image(60, 60, QImage::Format_RGB32);
        image.fill(Qt::black);
        QPainter painter(&image);
        painter.translate(10.4, 7.6);
        const std::vector<float> one = {1};
        paintHeatmap(painter, {0, 0, 20, 20}, {one, 1}, kStyle);
        painter.end();
        QCOMPARE(image.pixel(10, 8), colorOf(Colormap::Viridis, 1));
        QCOMPARE(image.pixel(9, 8), qRgb(0, 0, 0));
        QCOMPARE(image.pixel(10, 7), qRgb(0, 0, 0));
    }
};

QTEST_MAIN(TestHeatmap)
#include "test_heatmap.moc"
