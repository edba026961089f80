#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <optional>
#include <thread>

#include "app/animation_encoder.h"
#include "ui/animation_options.h"

namespace headscope {

/// The bytes of an animation; nothing where `goesOn`, which is told how many frames are done, says no. Throws
/// Refusal where it cannot be made, or has no frame. Blocks.
std::optional<QByteArray> animationOf(const PictureSource& source, const AnimationOptions& options,
                                      AnimationFormat format, const std::function<bool(int done)>& goesOn);

/// Paints, encodes and writes an animation on a thread of its own. The file is there whole, or as it was
/// before.
class AnimationJob {
public:
    /// Throws Refusal where the name has no format of an animation, or the system starts no thread. Must not
    /// block.
    AnimationJob(const PictureSource& source, const AnimationOptions& options, const QString& path);
    /// Gives it up where it has not ended. Blocks for the frame in hand at most.
    ~AnimationJob();

    /// Frames that are done. Must not block.
    int done() const { return m_done; }
    /// Whether the thread has come to its end. Must not block.
    bool hasEnded() const { return m_ended; }
    /// What went wrong; null where nothing did. Once it has ended.
    std::exception_ptr failure() const { return m_failure; }

private:
    std::atomic<int> m_done = 0;
    std::exception_ptr m_failure;  ///< written before m_ended
    std::atomic<bool> m_ended = false;
    std::jthread m_thread;  ///< last, so that it ends first
};

}  // namespace headscope
