#pragma once

#include <future>
#include <system_error>
#include <type_traits>
#include <utility>

#include <QCoreApplication>

#include "engine/numeric/refusal.h"

namespace headscope {

// What is done with files beside the window, and what that may lack.

/// Throws the Refusal that says why the system starts no thread.
[[noreturn]] inline void refuseThread(const std::system_error& error) {
    throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "the system starts no further thread: %1"),
                  {error.code().message()});
}

inline Refusal outOfMemory() {
    return Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "there is not enough memory for this file"));
}

/// Does it on a thread of its own; the future's destructor blocks until it is done. Throws Refusal where the
/// system starts no thread. Must not block.
template <typename Work>
std::future<std::invoke_result_t<std::decay_t<Work>>> inBackground(Work&& work) {
    try {
        return std::async(std::launch::async, std::forward<Work>(work));
    } catch (const std::system_error& error) {
        refuseThread(error);
    }
}

}  // namespace headscope
