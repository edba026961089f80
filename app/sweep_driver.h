#pragma once

#include <memory>

#include <QObject>
#include <QTimer>

#include "app/sweep_runner.h"
#include "ui/sweep_dialog.h"

namespace headscope {

/// Makes what a sweep dialog asks for, and tells it what comes. A child of the dialog, in its thread.
class SweepDriver : public QObject {
    Q_OBJECT
public:
    explicit SweepDriver(SweepDialog& dialog);

private:
    void start(const Sweep& sweep);
    void pass();
    /// Does some of it; where that fails the sweep ends, and the dialog says why.
    template <class Work>
    void orEnd(Work work);
    void stop();

    SweepDialog& m_dialog;
    std::unique_ptr<SweepRunner> m_runner;
    std::size_t m_missing = 0;  ///< runs that have not ended
    QTimer m_timer;
};

/// Opens the dialog over a window, for the experiment in hand. Deletes itself when closed.
void openSweep(const Experiment& experiment, QWidget* window);

}  // namespace headscope
