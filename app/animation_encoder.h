#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <QByteArray>
#include <QImage>
#include <QString>

#include "engine/numeric/built_with.h"

namespace headscope {

enum class AnimationFormat { Gif, WebP, Mp4 };

/// By the suffix of a file's name, in whatever case. Throws Refusal where it has none of .gif, .webp and
/// .mp4.
AnimationFormat animationFormatOf(const QString& path);

/// MP4 is made by the program ffmpeg, where it is on the PATH.
bool canMakeMp4();

struct AnimationTiming {
    double frames_per_second;
    bool loop;
};

/// Makes an animation out of frames, one after the other, each of the same size. Used by one thread. What
/// cannot be encoded throws Refusal. Blocks.
class AnimationEncoder {
public:
    virtual ~AnimationEncoder() = default;
    AnimationEncoder() = default;
    AnimationEncoder(const AnimationEncoder&) = delete;
    AnimationEncoder& operator=(const AnimationEncoder&) = delete;

    /// Opaque.
    virtual void add(const QImage& frame) = 0;
    /// The bytes of the file; nothing can be added any more.
    virtual QByteArray finish() = 0;
};

/// What GIF and WebP are made with.
std::vector<Library> encoderLibraries();

/// `goesOn` is asked now and then; where it says no, what is being done ends soon and gives nothing.
std::unique_ptr<AnimationEncoder> makeEncoder(AnimationFormat format, const QSize& size,
                                              const AnimationTiming& timing, std::function<bool()> goesOn);

/// GIF89a: at most 256 colors a frame, where those that are hardly told apart are one; only what changes is
/// stored again.
/// https://www.w3.org/Graphics/GIF/spec-gif89a.txt
std::unique_ptr<AnimationEncoder> makeGifEncoder(const QSize& size, const AnimationTiming& timing);
/// Lossless. https://developers.google.com/speed/webp/docs/riff_container
std::unique_ptr<AnimationEncoder> makeWebPEncoder(const QSize& size, const AnimationTiming& timing,
                                                  std::function<bool()> goesOn);
/// Throws Refusal where there is no ffmpeg.
std::unique_ptr<AnimationEncoder> makeMp4Encoder(const QSize& size, const AnimationTiming& timing,
                                                 std::function<bool()> goesOn);

}  // namespace headscope
