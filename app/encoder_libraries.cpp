#include <gif_lib.h>
#include <webp/encode.h>

#include "app/animation_encoder.h"

namespace headscope {

std::vector<Library> encoderLibraries() {
    const auto dotted = [](int major, int minor, int patch) {
        return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
    };
    const int webp = WebPGetEncoderVersion();  // a byte for each part
    return {{"giflib", dotted(GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE), "MIT"},
            {"libwebp", dotted(webp >> 16, webp >> 8 & 0xff, webp & 0xff), "BSD-3-Clause"}};
}

}  // namespace headscope
