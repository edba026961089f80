#include "ui/colormap.h"

#include <algorithm>
#include <cmath>
#include <span>

#include <QCoreApplication>

namespace headscope {
namespace {

using Anchors = std::array<QRgb, 17>;
using Table = std::array<QRgb, 256>;

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Colormap)
};

// Each map at 0, 1/16 … 1. Straight lines between them stay within half a level of the published tables on
// average.
constexpr Anchors kViridis = {0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d,
                              0x2c728e, 0x26818e, 0x21908c, 0x1f9f88, 0x28ae80, 0x3ebc74,
                              0x5dc963, 0x82d34c, 0xabdc32, 0xd5e21a, 0xfde725};
constexpr Anchors kCividis = {0x00224e, 0x002e6a, 0x1a386f, 0x32436d, 0x434e6c, 0x52596d,
                              0x61656f, 0x6f7073, 0x7c7b78, 0x8b8778, 0x9b9376, 0xaba072,
                              0xbbad6c, 0xccba64, 0xddc958, 0xefd748, 0xfee838};
constexpr Anchors kMagma = {0x000004, 0x0a0822, 0x1d1146, 0x36106a, 0x50127c, 0x691c81,
                            0x822681, 0x9c2e7f, 0xb63779, 0xcf4170, 0xe65163, 0xf5695c,
                            0xfb8761, 0xfea571, 0xfec387, 0xfde0a2, 0xfcfdbf};

constexpr std::array<QRgb, 11> kRedBlue = {0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7,
                                           0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b, 0x67001f};

/// Evenly spaced anchors.
Table interpolated(std::span<const QRgb> anchors) {
    const auto mix = [](int a, int b, double t) { return static_cast<int>(std::lround(a + (b - a) * t)); };
    Table table;
    for (int i = 0; i < 256; ++i) {
        const double place = i * static_cast<double>(anchors.size() - 1) / 255.0;
        const std::size_t left = std::min(static_cast<std::size_t>(place), anchors.size() - 2);
        const QRgb a = anchors[left];
        const QRgb b = anchors[left + 1];
        const double t = place - static_cast<double>(left);
        table[i] = qRgb(mix(qRed(a), qRed(b), t), mix(qGreen(a), qGreen(b), t), mix(qBlue(a), qBlue(b), t));
    }
    return table;
}

// CIE 1976 lightness to linear light, then the sRGB transfer function (IEC 61966-2-1).
Table evenGrays() {
    Table table;
    for (int i = 0; i < 256; ++i) {
        const double lightness = i * 100 / 255.0;
        const double linear = lightness > 8 ? std::pow((lightness + 16) / 116, 3) : lightness / 903.3;
        const double encoded =
            linear > 0.0031308 ? 1.055 * std::pow(linear, 1 / 2.4) - 0.055 : 12.92 * linear;
        const int level = static_cast<int>(std::lround(encoded * 255));
        table[i] = qRgb(level, level, level);
    }
    return table;
}

}  // namespace

QString colormapName(Colormap map) {
    switch (map) {
        case Colormap::Cividis:
            return Text::tr("Cividis (same for color-blind eyes)");
        case Colormap::Magma:
            return Text::tr("Magma");
        case Colormap::Grays:
            return Text::tr("Grays");
        case Colormap::Viridis:
            break;
    }
    return Text::tr("Viridis");
}

const Table& colorTable(Colormap map) {
    static const Table viridis = interpolated(kViridis);
    static const Table cividis = interpolated(kCividis);
    static const Table magma = interpolated(kMagma);
    static const Table grays = evenGrays();
    switch (map) {
        case Colormap::Cividis:
            return cividis;
        case Colormap::Magma:
            return magma;
        case Colormap::Grays:
            return grays;
        case Colormap::Viridis:
            break;
    }
    return viridis;
}

const Table& divergingTable() {
    static const Table table = interpolated(kRedBlue);
    return table;
}

}  // namespace headscope
