#include "app/animation_encoder.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStandardPaths>

#include "engine/numeric/refusal.h"

namespace headscope {

AnimationFormat animationFormatOf(const QString& path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == u"gif") return AnimationFormat::Gif;
    if (suffix == u"webp") return AnimationFormat::WebP;
    if (suffix == u"mp4") return AnimationFormat::Mp4;
    throw Refusal(
        QT_TRANSLATE_NOOP("headscope::Refusal",
                          "cannot write %1: the name of an animation must end in .gif, .webp or .mp4"),
        {path.toStdString()});
}

bool canMakeMp4() { return !QStandardPaths::findExecutable(QStringLiteral("ffmpeg")).isEmpty(); }

std::unique_ptr<AnimationEncoder> makeEncoder(AnimationFormat format, const QSize& size,
                                              const AnimationTiming& timing, std::function<bool()> goesOn) {
    switch (format) {
        case AnimationFormat::WebP:
            return makeWebPEncoder(size, timing, std::move(goesOn));
        case AnimationFormat::Mp4:
            return makeMp4Encoder(size, timing, std::move(goesOn));
        case AnimationFormat::Gif:
            break;
    }
    return makeGifEncoder(size, timing);
}

}  // namespace headscope
