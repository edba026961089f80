#include <cmath>

#include <QTest>

#include "ui/colormap.h"

using namespace headscope;

namespace {

double linear(int level) {
    const double s = level / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}

/// CIE 1976 L*, 0 … 100.
double lightness(QRgb color) {
    const double y =
        0.2126 * linear(qRed(color)) + 0.7152 * linear(qGreen(color)) + 0.0722 * linear(qBlue(color));
    return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

}  // namespace

class TestColormap : public QObject {
    Q_OBJECT
private slots:
    void endsAreThePublishedColors() {
        QCOMPARE(QColor(colorOf(Colormap::Viridis, 0)).name(), "#440154");
        QCOMPARE(QColor(colorOf(Colormap::Viridis, 1)).name(), "#fde725");
        QCOMPARE(QColor(colorOf(Colormap::Cividis, 0)).name(), "#00224e");
        QCOMPARE(QColor(colorOf(Colormap::Cividis, 1)).name(), "#fee838");
        QCOMPARE(QColor(colorOf(Colormap::Magma, 0)).name(), "#000004");
        QCOMPARE(QColor(colorOf(Colormap::Magma, 1)).name(), "#fcfdbf");
        QCOMPARE(QColor(colorOf(Colormap::Grays, 0)).name(), "#000000");
        QCOMPARE(QColor(colorOf(Colormap::Grays, 1)).name(), "#ffffff");
    }

    void lightnessRisesEvenly() {
        for (const Colormap map : kColormaps) {
            const auto& table = colorTable(map);
            const double whole = lightness(table[255]) - lightness(table[0]);
            for (int i = 0; i + 32 < 256; ++i) {
                const double rise = lightness(table[i + 32]) - lightness(table[i]);
                QVERIFY2(std::abs(rise / (whole * 32 / 255) - 1) < 0.3,
                         qPrintable(QStringLiteral("map %1 entry %2").arg(static_cast<int>(map)).arg(i)));
            }
        }
    }

    void everyColorIsOpaque() {
        for (const Colormap map : kColormaps)
            for (const QRgb color : colorTable(map)) QCOMPARE(qAlpha(color), 255);
    }
};

QTEST_GUILESS_MAIN(TestColormap)
#include "test_colormap.moc"
