#pragma once

#include "tests/ui/snapshots.h"
#include "ui/picture_source.h"

namespace headscope {

/// A run whose every frame differs from the one before.
inline PictureSource recordedRun(int frames) {
    PictureSource source;
    for (int i = 0; i < frames; ++i) {
        auto snapshot = uniformSnapshot(4, 12);
        snapshot->steps_done = 10 * i;
        for (float& weight : snapshot->weights) weight /= 1 + static_cast<float>(i) / 100;
        source.recorded.push_back({snapshot, nullptr});
    }
    return source;
}

}  // namespace headscope
