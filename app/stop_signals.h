#pragma once

#include <csignal>

namespace headscope {

/// The polite requests to stop (SIGINT, SIGTERM, SIGHUP), as a file descriptor instead of a sudden death.
/// SIGHUP stays ignored where it is, which is what nohup asks for. After the first has been taken the next
/// one does what it would have done before. Make it before any thread.
class StopSignals {
public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /// Readable once a signal has come: for a QSocketNotifier.
    int descriptor() const { return m_descriptor; }

    /// Whether one has come by now. Must not block.
    bool arrived();

private:
    sigset_t m_before;
    int m_descriptor;
    bool m_arrived = false;
};

}  // namespace headscope
