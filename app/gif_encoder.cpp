#include <algorithm>
#include <array>
#include <cmath>
#include <gif_lib.h>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <QCoreApplication>
#include <QRect>

#include "app/animation_encoder.h"
#include "engine/numeric/refusal.h"

namespace headscope {
namespace {

constexpr std::size_t kColors = 255;  // of a palette; the last index shows what was there before
constexpr GifPixelType kUnchanged = 255;

const QRgb* lineOf(const QImage& image, int y) {
    return reinterpret_cast<const QRgb*>(image.constScanLine(y));
}

int squaredDistance(QRgb a, QRgb b) {
    const int red = qRed(a) - qRed(b), green = qGreen(a) - qGreen(b), blue = qBlue(a) - qBlue(b);
    return red * red + green * green + blue * blue;
}

/// Where the image differs from the one before it; one pixel where it does not.
QRect changedPart(const QImage& before, const QImage& now) {
    if (before.isNull()) return now.rect();
    QRect changed;
    for (int y = 0; y < now.height(); ++y) {
        const QRgb *a = lineOf(before, y), *b = lineOf(now, y);
        const auto [first, other] = std::mismatch(a, a + now.width(), b);
        if (first == a + now.width()) continue;
        int last = now.width() - 1;
        while (a[last] == b[last]) --last;
        changed |= QRect(QPoint(static_cast<int>(first - a), y), QPoint(last, y));
    }
    return changed.isNull() ? QRect(0, 0, 1, 1) : changed;
}

/// The same for colors that can hardly be told apart: `bits` of each channel.
QRgb alike(QRgb color, int bits) {
    const QRgb kept = (0xffu << (8 - bits)) & 0xffu;
    return color & (kept << 16 | kept << 8 | kept);
}

/// Of each group of colors that are alike the most frequent one, by frequency.
std::vector<QRgb> representatives(const std::vector<QRgb>& byFrequency, int bits) {
    std::vector<QRgb> chosen;
    std::unordered_set<QRgb> groups;
    for (const QRgb color : byFrequency)
        if (groups.insert(alike(color, bits)).second) chosen.push_back(color);
    return chosen;
}

/// The colors of what changes in a part of an image, and which of them each pixel has. Where there are too
/// many for a palette, those that are hardly told apart share one: the smoothed edges of letters go before
/// the cells.
struct Indexed {
    /// `before` may be null.
    Indexed(const QImage& before, const QImage& image, const QRect& part);

    std::vector<QRgb> palette;
    std::vector<GifPixelType> pixels;
};

Indexed::Indexed(const QImage& before, const QImage& image, const QRect& part) {
    const auto forEach = [&](const auto& take) {
        for (int y = part.top(); y <= part.bottom(); ++y) {
            const QRgb* old = before.isNull() ? nullptr : lineOf(before, y);
            const QRgb* now = lineOf(image, y);
            for (int x = part.left(); x <= part.right(); ++x) take(now[x], !old || old[x] != now[x]);
        }
    };
    std::unordered_map<QRgb, int> counts;
    forEach([&](QRgb color, bool changed) { counts[color] += changed; });
    std::erase_if(counts, [](const auto& entry) { return entry.second == 0; });
    std::vector<QRgb> colors;
    for (const auto& [color, count] : counts) colors.push_back(color);
    std::sort(colors.begin(), colors.end(),
              [&](QRgb a, QRgb b) { return std::pair(-counts[a], a) < std::pair(-counts[b], b); });
    for (int bits = 8; bits >= 5 && (palette.empty() || palette.size() > kColors); --bits)
        palette = representatives(colors, bits);
    palette.resize(std::min(palette.size(), kColors));

    std::unordered_map<QRgb, GifPixelType> index;
    for (const QRgb color : colors) {
        const auto nearer = [color](QRgb a, QRgb b) {
            return squaredDistance(a, color) < squaredDistance(b, color);
        };
        index[color] = static_cast<GifPixelType>(std::min_element(palette.begin(), palette.end(), nearer) -
                                                 palette.begin());
    }
    pixels.reserve(static_cast<std::size_t>(part.width()) * static_cast<std::size_t>(part.height()));
    forEach([&](QRgb color, bool changed) { pixels.push_back(changed ? index[color] : kUnchanged); });
}

class GifEncoder : public AnimationEncoder {
public:
    GifEncoder(const QSize& size, const AnimationTiming& timing) : m_timing(timing) {
        int error = 0;
        m_file = EGifOpen(this, &GifEncoder::write, &error);
        if (!m_file) throw std::bad_alloc();
        EGifSetGifVersion(m_file, true);
        require(EGifPutScreenDesc(m_file, size.width(), size.height(), 8, 0, nullptr));
        if (m_timing.loop) putLoop();
    }
    ~GifEncoder() override {
        int error = 0;
        if (m_file) EGifCloseFile(m_file, &error);
    }

    void add(const QImage& image) override {
        const QImage frame = image.convertToFormat(QImage::Format_RGB32);
        const QRect part = changedPart(m_before, frame);
        Indexed indexed(m_before, frame, part);
        putDelay();
        std::array<GifColorType, kColors + 1> colors{};
        for (std::size_t i = 0; i < indexed.palette.size(); ++i) {
            const QRgb color = indexed.palette[i];
            colors[i] = {static_cast<GifByteType>(qRed(color)), static_cast<GifByteType>(qGreen(color)),
                         static_cast<GifByteType>(qBlue(color))};
        }
        const std::unique_ptr<ColorMapObject, decltype(&GifFreeMapObject)> map(
            GifMakeMapObject(kColors + 1, colors.data()), &GifFreeMapObject);
        require(
            EGifPutImageDesc(m_file, part.left(), part.top(), part.width(), part.height(), false, map.get()));
        for (int y = 0; y < part.height(); ++y)
            require(
                EGifPutLine(m_file, indexed.pixels.data() + std::ptrdiff_t{y} * part.width(), part.width()));
        m_before = frame;
    }

    QByteArray finish() override {
        int error = 0;
        const int status = EGifCloseFile(m_file, &error);
        m_file = nullptr;
        require(status);
        return m_bytes;
    }

private:
    static int write(GifFileType* file, const GifByteType* bytes, int count) {
        static_cast<GifEncoder*>(file->UserData)->m_bytes.append(reinterpret_cast<const char*>(bytes), count);
        return count;
    }

    void require(int status) const {
        if (status != GIF_ERROR) return;
        const char* reason = m_file ? GifErrorString(m_file->Error) : nullptr;
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot make the animation: %1"),
                      {reason ? reason : "GIF"});
    }

    /// The extension that every player knows, named after the one that began it.
    void putLoop() {
        constexpr GifByteType forEver[] = {1, 0, 0};
        require(EGifPutExtensionLeader(m_file, APPLICATION_EXT_FUNC_CODE));
        require(EGifPutExtensionBlock(m_file, 11, "NETSCAPE2.0"));
        require(EGifPutExtensionBlock(m_file, sizeof forEver, forEver));
        require(EGifPutExtensionTrailer(m_file));
    }

    /// In hundredths of a second, rounded so that they do not drift apart from the rate.
    void putDelay() {
        const auto at = [this](int frame) { return std::lround(100 * frame / m_timing.frames_per_second); };
        GraphicsControlBlock control{DISPOSE_DO_NOT, false, static_cast<int>(at(m_frames + 1) - at(m_frames)),
                                     kUnchanged};
        ++m_frames;
        GifByteType bytes[4];
        const auto size = EGifGCBToExtension(&control, bytes);
        require(EGifPutExtension(m_file, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(size), bytes));
    }

    AnimationTiming m_timing;
    QByteArray m_bytes;
    GifFileType* m_file = nullptr;
    QImage m_before;
    int m_frames = 0;
};

}  // namespace

std::unique_ptr<AnimationEncoder> makeGifEncoder(const QSize& size, const AnimationTiming& timing) {
    return std::make_unique<GifEncoder>(size, timing);
}

}  // namespace headscope
