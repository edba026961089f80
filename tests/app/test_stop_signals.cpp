#include <csignal>

#include <QtTest>

#include "app/stop_signals.h"

using namespace headscope;

class TestStopSignals : public QObject {
    Q_OBJECT
private slots:
    void eachArrives_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGHUP") << SIGHUP;
    }

    void eachArrives() {
        QFETCH(int, signal);
        StopSignals stop;
        QVERIFY(!stop.arrived());
        raise(signal);
        QVERIFY(stop.arrived());
        QVERIFY(stop.arrived());
    }

    void theNextOneIsTakenAsUsual() {
        StopSignals stop;
        raise(SIGTERM);
        QVERIFY(isBlocked(SIGTERM));
        QVERIFY(stop.arrived());
        QVERIFY(!isBlocked(SIGTERM));
    }

    void nohupIsHonored() {
        const auto before = std::signal(SIGHUP, SIG_IGN);
        {
            StopSignals stop;
            raise(SIGHUP);
            QVERIFY(!stop.arrived());
        }
        std::signal(SIGHUP, before);
    }

    // As shells do with what they start in the background.
    void anIgnoredInterruptIsTaken() {
        const auto before = std::signal(SIGINT, SIG_IGN);
        {
            StopSignals stop;
            raise(SIGINT);
            QVERIFY(stop.arrived());
        }
        std::signal(SIGINT, before);
    }

    void theMaskIsRestored() {
        { StopSignals stop; }
        QVERIFY(!isBlocked(SIGTERM));
    }

private:
    static bool isBlocked(int signal) {
        sigset_t mask;
        pthread_sigmask(SIG_SETMASK, nullptr, &mask);
        return sigismember(&mask, signal) == 1;
    }
};

QTEST_APPLESS_MAIN(TestStopSignals)
#include "test_stop_signals.moc"
