#include "app/stop_signals.h"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace headscope {

StopSignals::StopSignals() {
    sigset_t wanted;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGINT);
    sigaddset(&wanted, SIGTERM);
    struct sigaction hangUp = {};
    sigaction(SIGHUP, nullptr, &hangUp);
    if (hangUp.sa_handler != SIG_IGN) sigaddset(&wanted, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &wanted, &m_before);
    m_descriptor = signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
}

StopSignals::~StopSignals() {
    close(m_descriptor);
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

bool StopSignals::arrived() {
    signalfd_siginfo signal;
    if (!m_arrived && read(m_descriptor, &signal, sizeof signal) == sizeof signal) {
        m_arrived = true;
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    return m_arrived;
}

}  // namespace headscope
