// SVG and PDF, as other programs see them: rsvg-convert and poppler's tools.
#include <QGuiApplication>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "tests/ui/snapshots.h"
#include "ui/output_files.h"
#include "ui/pictures.h"
#include "ui/run_text.h"

using namespace headscope;

namespace {

/// What a program prints; fails the test where it cannot be run or does not end well.
QByteArray outputOf(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForFinished() || process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
        QTest::qFail(qPrintable(program + ": " + process.errorString() + process.readAllStandardError()),
                     __FILE__, __LINE__);
    return process.readAllStandardOutput();
}

/// A picture in a file, and that file in pixels as another program draws it.
struct Drawn {
    Drawn(const Picture& picture, const PictureOptions& options, PictureFormat format, int width,
          const char* renderer = "pdftoppm") {
        path = directory.filePath("picture." + suffixOf(format));
        writeFile(path, fileOf(picture, options, format));
        const QString png = directory.filePath("pixels.png");
        const QString across = QString::number(width);
        if (format == PictureFormat::Svg)
            outputOf("rsvg-convert", {"-w", across, path, "-o", png});
        else
            outputOf(renderer, {"-png", "-singlefile", "-scale-to-x", across, "-scale-to-y", "-1", path,
                                directory.filePath("pixels")});
        pixels = QImage(png).convertToFormat(QImage::Format_RGB32);
    }

    QTemporaryDir directory;
    QString path;
    QImage pixels;
};

void formats() {
    QTest::addColumn<PictureFormat>("format");
    QTest::newRow("svg") << PictureFormat::Svg;
    QTest::newRow("pdf") << PictureFormat::Pdf;
}

/// Causal rows whose cells all differ from their neighbors.
std::shared_ptr<Snapshot> speckled(int n_heads, int length) {
    auto snapshot = uniformSnapshot(n_heads, length);
    for (int head = 0; head < n_heads; ++head)
        for (int query = 0; query < length; ++query)
            for (int key = 0; key <= query; ++key)
                weightAt(*snapshot, head, query, key) =
                    static_cast<float>((query * 7 + key * 3 + head) % 5) / 20;
    return snapshot;
}

bool uniformAround(const QImage& image, int x, int y) {
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx)
            if (image.pixel(x + dx, y + dy) != image.pixel(x, y)) return false;
    return true;
}

int distance(QRgb a, QRgb b) {
    return std::max(
        {std::abs(qRed(a) - qRed(b)), std::abs(qGreen(a) - qGreen(b)), std::abs(qBlue(a) - qBlue(b))});
}

}  // namespace

class TestVectorPictures : public QObject {
    Q_OBJECT
private slots:
    void everyAreaHasTheColorOfThePng_data() { formats(); }
    void everyAreaHasTheColorOfThePng() {
        QFETCH(PictureFormat, format);
        PictureOptions options;
        options.size = {960, 540};
        for (const bool transparent : {false, true}) {
            options.transparent = transparent;
            const Picture picture = headsPicture(speckled(4, 8));
            const Drawn drawn(picture, options, format, 960);
            QImage png(960, 540, QImage::Format_RGB32);
            png.fill(format == PictureFormat::Pdf ? Qt::white : Qt::black);  // what each shows through
            QPainter(&png).drawImage(0, 0, imageOf(picture, options));
            QCOMPARE(drawn.pixels.size(), QSize(960, 540));
            int compared = 0;
            for (int y = 2; y < 538; ++y)
                for (int x = 2; x < 958; ++x) {
                    // Between the lines of the hatch, whose places differ, there is ground.
                    if (png.pixel(x, y) == png.pixel(0, 0) || !uniformAround(png, x, y)) continue;
                    ++compared;
                    const QByteArray where = QByteArray::number(x) + "," + QByteArray::number(y);
                    QVERIFY2(distance(png.pixel(x, y), drawn.pixels.pixel(x, y)) <= 1, where);
                }
            QVERIFY(compared > 30'000);
        }
    }

    void cornersAndTheMaskedTriangleAreWhereTheyBelong_data() { formats(); }
    void cornersAndTheMaskedTriangleAreWhereTheyBelong() {
        QFETCH(PictureFormat, format);
        const auto snapshot = markedSnapshot({{0, 0, 1}, {3, 0, 0.5f}, {3, 3, 0.75f}});
        PictureOptions options;
        options.size = {640, 480};
        options.color_bar = false;
        const QImage image = Drawn(headsPicture(snapshot), options, format, 640).pixels;
        const auto centerOf = [&](float weight) {
            QRect bounds;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (distance(image.pixel(x, y), colorOf(Colormap::Viridis, weight)) <= 1)
                        bounds |= QRect(x, y, 1, 1);
            return bounds.width() > 30 ? bounds.center() : QPoint(-1, -1);
        };
        const QPoint top = centerOf(1), left = centerOf(0.5f), right = centerOf(0.75f);
        QVERIFY(left.x() > 0 && std::abs(top.x() - left.x()) <= 1 && top.y() < left.y());
        QVERIFY(std::abs(right.y() - left.y()) <= 1 &&
                std::abs((right.x() - left.x()) - (left.y() - top.y())) <= 2);
        const double pitch = (right.x() - left.x()) / 3.0;
        for (int query = 0; query < 3; ++query)
            for (int key = query + 1; key < 4; ++key) {
                const QColor masked(image.pixel(top + QPoint(qRound(key * pitch), qRound(query * pitch))));
                QVERIFY(masked.lightness() > 200 && masked.saturation() < 20);
            }
    }

    void noSeamsShowAtAnySize_data() { formats(); }
    void noSeamsShowAtAnySize() {
        QFETCH(PictureFormat, format);
        PictureOptions options;
        options.size = {500, 480};
        options.titles = options.color_bar = false;
        const Picture picture = headsPicture(speckled(1, 96));
        for (const int width : {500, 777, 1111}) {
            const QImage image = Drawn(picture, options, format, width, "pdftocairo").pixels;
            // The cells are dark, text is lighter, and what would show between cells is white.
            const auto dark = [&](int x, int y) { return qGray(image.pixel(x, y)) < 90; };
            int light = 0, inside = 0;
            for (int y = 0; y < image.height(); ++y) {
                int left = 0, right = image.width() - 1;
                while (left < right && !(dark(left, y) && dark(left + 1, y) && dark(left + 2, y))) ++left;
                while (right > left && !(dark(right, y) && dark(right - 1, y) && dark(right - 2, y))) --right;
                // Beside the diagonal a pixel may lie on the edge of the staircase.
                const int end = right - image.width() / 80;
                for (int x = left + 2; x < end; ++x, ++inside) light += !dark(x, y);
            }
            QVERIFY(inside > width * width / 6);
            QCOMPARE(light, 0);
        }
    }

    void theyAreShapesAndText() {
        PictureOptions options;
        options.caption = captionFor({}, 360) + QStringLiteral(" · 因果掩码 <&>");
        for (const Picture& picture : {headsPicture(speckled(4, 12)), headsPicture(speckled(8, 128)),
                                       lossPicture(Experiment(), {{0, 4, 0}, {1, 3, 0}}),
                                       filmstripPicture({speckled(2, 8), speckled(2, 8)}, 1)}) {
            const Drawn svg(picture, options, PictureFormat::Svg, 480);
            const QByteArray source = fileOf(picture, options, PictureFormat::Svg);
            QVERIFY(!source.contains("<image"));
            QVERIFY(source.contains(QStringLiteral("因果掩码").toUtf8()));
            const Drawn pdf(picture, options, PictureFormat::Pdf, 480);
            QCOMPARE(outputOf("pdfimages", {"-list", pdf.path}).count('\n'), 2);  // the table's head
            QVERIFY(QString::fromUtf8(outputOf("pdftotext", {pdf.path, "-"}))
                        .contains(QStringLiteral("因果掩码")));
        }
        const QByteArray cells = fileOf(headsPicture(speckled(4, 12)), options, PictureFormat::Svg);
        QVERIFY(cells.count("<rect") >= 4 * 12 * 13 / 2);
        QVERIFY(cells.contains(">query</text>"));
    }

    void theSizeIsThatOfThePixelsAtTheResolution() {
        PictureOptions options;
        options.size = {1200, 900};
        options.dpi = 300;
        const Drawn svg(headsPicture(speckled(1, 4)), options, PictureFormat::Svg, 100);
        const QByteArray source = fileOf(headsPicture(speckled(1, 4)), options, PictureFormat::Svg);
        QVERIFY(source.contains("width=\"4in\" height=\"3in\" viewBox=\"0 0 1200 900\""));
        const Drawn pdf(headsPicture(speckled(1, 4)), options, PictureFormat::Pdf, 100);
        QVERIFY(outputOf("pdfinfo", {pdf.path}).contains("288 x 216 pts"));
    }

    void chineseIsNoBoxes_data() {
        formats();
        QTest::newRow("png") << PictureFormat::Png;
    }
    void chineseIsNoBoxes() {
        QFETCH(PictureFormat, format);
        const auto drawn = [&](const QString& caption) {
            PictureOptions options;
            options.size = {400, 300};
            options.caption = caption;
            const Picture nothing = [](QCPPainter&, const QRectF&, const HeadGridStyle&) {};
            if (format == PictureFormat::Png) return imageOf(nothing, options);
            return Drawn(nothing, options, format, 400).pixels;
        };
        // Boxes would all look alike.
        QVERIFY(drawn(QStringLiteral("注意力头")) != drawn(QStringLiteral("损失曲线")));
    }
};

QTEST_MAIN(TestVectorPictures)
#include "test_vector_pictures.moc"
