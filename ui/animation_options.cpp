#include "ui/animation_options.h"

namespace headscope {

std::vector<PictureSource> animationFrames(const PictureSource& source, int every) {
    std::vector<PictureSource> all;
    PictureSource still = source;
    still.recorded.clear();
    for (const Frame& frame : source.recorded) {
        PictureSource at = still;
        at.frame = frame;
        if (isAvailable(at)) all.push_back(std::move(at));
    }
    std::vector<PictureSource> frames;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i % static_cast<std::size_t>(every) == 0 || i + 1 == all.size()) frames.push_back(all[i]);
    return frames;
}

}  // namespace headscope
