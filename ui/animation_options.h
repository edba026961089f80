#pragma once

#include "ui/picture_source.h"

namespace headscope {

/// How a recorded run is to move.
struct AnimationOptions {
    PictureOptions look{.size = {1280, 720}, .caption = {}};  ///< every frame has a caption of its own
    bool captions = true;
    int every = 1;                 ///< every n-th recorded step, from 1; the last one always
    double frames_per_second = 8;  ///< kSlowestAnimation … kFastestAnimation
    bool loop = true;              ///< for ever; once otherwise. MP4 leaves it to the player
};

inline constexpr double kSlowestAnimation = 0.5;
inline constexpr double kFastestAnimation = 50;  ///< players show faster GIFs more slowly

/// What an animation of the heads shows one after the other: `source` at every n-th recorded step at which
/// it is available.
std::vector<PictureSource> animationFrames(const PictureSource& source, int every);

}  // namespace headscope
