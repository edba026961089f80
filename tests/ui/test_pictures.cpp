#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/snapshots.h"
#include "ui/loss_chart.h"
#include "ui/output_files.h"
#include "ui/pictures.h"
#include "ui/run_text.h"

using namespace headscope;

namespace {

QRect boundsOf(const QImage& image, QRgb color) {
    QRect bounds;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) == color) bounds |= QRect(x, y, 1, 1);
    return bounds;
}

}  // namespace

class TestPictures : public QObject {
    Q_OBJECT
private slots:
    void fileHoldsWhatWasChosen() {
        QTemporaryDir directory;
        PictureOptions options;
        options.size = {800, 600};
        options.dpi = 300;
        const QString path = directory.filePath("heads.png");
        writeFile(path, fileOf(headsPicture(uniformSnapshot(4, 12)), options, formatOf(path)));
        const QImage image(path);
        QCOMPARE(image.size(), QSize(800, 600));
        QCOMPARE(qRound(image.dotsPerMeterX() * 0.0254), 300);
        QCOMPARE(qRound(image.dotsPerMeterY() * 0.0254), 300);
        QCOMPARE(image.pixel(0, 0), Theme::light().card.rgb());
    }

    void rowZeroIsOnTopColumnZeroLeftAndTheTriangleIsAbsent() {
        PictureOptions options;
        options.size = {640, 480};
        const auto snapshot = markedSnapshot({{0, 0, 1}, {1, 0, 0.5f}, {3, 3, 0.75f}});
        const QImage image = imageOf(headsPicture(snapshot), options);
        // The color bar begins beyond the cells: look only left of its own lowest color.
        const QRect half = boundsOf(image.copy(0, 0, 450, 480), colorOf(Colormap::Viridis, 0.5f));
        const QRect corner = boundsOf(image.copy(0, 0, 450, 480), colorOf(Colormap::Viridis, 0.75f));
        QVERIFY(half.width() > 30 && corner.width() > 30);
        const int pitch = (corner.left() - half.left()) / 3;
        QCOMPARE(corner.top() - half.top(), 2 * pitch);
        QCOMPARE(image.pixel(half.center() - QPoint(0, pitch)), colorOf(Colormap::Viridis, 1));
        QCOMPARE(image.pixel(half.center() + QPoint(pitch, 0)), colorOf(Colormap::Viridis, 0));
        for (int key = 1; key < 4; ++key) {
            const QRgb masked = image.pixel(half.center() + QPoint(key * pitch, -pitch));
            QVERIFY(masked == options.theme.card.rgb() || masked == options.theme.hatch.rgb());
        }
    }

    void captionIsWrittenBelow() {
        PictureOptions options;
        options.size = {1600, 600};
        const auto snapshot = uniformSnapshot(4, 12);
        const auto inkBelow = [&](const QString& caption) {
            options.caption = caption;
            const QImage image = imageOf(headsPicture(snapshot), options).copy(0, 560, 1600, 40);
            int ink = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) ink += image.pixel(x, y) != options.theme.card.rgb();
            return ink;
        };
        const int short_caption = inkBelow("seed 1");
        const int caption = inkBelow(captionFor(snapshot->experiment, 360));
        QVERIFY(short_caption > 100);
        QVERIFY(caption > 3 * short_caption);
    }

    void smallAndLargePicturesAreTheSamePicture() {
        PictureOptions options;
        const auto snapshot = uniformSnapshot(1, 12);
        const auto share = [&](const QSize& size) {
            options.size = size;
            const QRect cells =
                boundsOf(imageOf(headPicture(snapshot, 0), options), colorOf(Colormap::Viridis, 1.0f / 12));
            return static_cast<double>(cells.width()) / size.width();
        };
        QVERIFY(std::abs(share({640, 480}) - share({2560, 1920})) < 0.05);
    }

    void smallestAndStrangestPicturesAreDrawn() {
        PictureOptions options;
        options.caption = captionFor({}, 0);
        for (const QSize size : {QSize(64, 64), QSize(64, 2000), QSize(2000, 64)})
            for (const int heads : {1, 128}) {
                options.size = size;
                QCOMPARE(imageOf(headsPicture(uniformSnapshot(heads, 12)), options).size(), size);
                QCOMPARE(imageOf(lossPicture({}, {{0, 4, 0}}), options).size(), size);
            }
    }

    void oneHeadIsThatHead() {
        auto snapshot = uniformSnapshot(3, 2);
        weightAt(*snapshot, 2, 1, 0) = 0.3f;
        PictureOptions options;
        options.size = {640, 480};
        const QRgb color = colorOf(Colormap::Viridis, 0.3f);
        QVERIFY(boundsOf(imageOf(headPicture(snapshot, 2), options).copy(0, 0, 480, 480), color).width() >
                50);
        QVERIFY(boundsOf(imageOf(headPicture(snapshot, 1), options).copy(0, 0, 480, 480), color).isEmpty());
    }

    void aMutedTileSaysWhatItsMutingDid() {
        auto before = uniformSnapshot(2, 12);
        before->modes.assign(2, HeadMode::Trained);
        before->probe_loss = 1;
        before->loss_without = {3, 1};
        auto muted = std::make_shared<Snapshot>(*before);
        muted->modes[0] = HeadMode::Muted;
        muted->probe_loss = 3;
        MuteLog log;
        for (const auto& snapshot : {before, muted}) {
            Update update;
            update.run = 1;
            update.snapshot = snapshot;
            log.add(update);
        }
        QVERIFY(fileOf(headsPicture(muted, log), {}, PictureFormat::Svg).contains("loss 1 → 3 without it"));
        // Faded to the ground, on screen and in files alike.
        const QRgb cell = colorOf(Colormap::Viridis, 1.0f / 12);
        const QRect faded = boundsOf(imageOf(headsPicture(muted, log), {}), cell);
        const QRect whole = boundsOf(imageOf(headsPicture(before, log), {}), cell);
        QVERIFY(faded.left() > whole.left() + 200);
    }

    void lossIsDrawnWithoutAWindow() {
        PictureOptions options;
        options.size = {800, 450};
        options.theme = Theme::darkTheme();
        std::vector<LossPoint> points;
        for (int i = 0; i < 360; ++i) points.push_back({i, 4 - static_cast<float>(i) / 100, 0});
        const QImage image = imageOf(lossPicture(Experiment(), points), options);
        const QRect line = boundsOf(image, options.theme.accent.rgb());
        QVERIFY(line.width() > 500 && line.height() > 250);
    }

    void clipboardHoldsThePicture() {
        const Picture picture = headsPicture(uniformSnapshot(4, 12));
        copyToClipboard(picture, {});
        const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
        QCOMPARE(qvariant_cast<QImage>(copied->imageData()), imageOf(picture, {}));
        QCOMPARE(copied->data("image/svg+xml"), fileOf(picture, {}, PictureFormat::Svg));
    }
};

QTEST_MAIN(TestPictures)
#include "test_pictures.moc"
