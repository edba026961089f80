#pragma once

#include <QObject>
#include <QTimer>

#include "engine/training/session.h"
#include "engine/training/session_file.h"
#include "ui/main_window.h"

namespace headscope {

/// Carries what the session tells to the window, at the rate of the display, and what the window asks to the
/// session. A snapshot is asked for only when the one before has been shown: slow painting makes fewer of
/// them, never a queue. Lives in the window's thread; the window must outlive it.
class Bridge : public QObject {
    Q_OBJECT
public:
    explicit Bridge(MainWindow& window);

    /// Begins to run the experiment, from its seed, beside the twin of the lesson in hand. It must be valid.
    /// Must not block.
    void start(const Experiment& experiment, double steps_per_second);

    /// Shows a stored run in place of the one there is, from where it stood. Throws Refusal, and changes
    /// nothing, where it cannot be. Must not block.
    void open(const StoredSession& stored, const PanelState& panel, bool paused = true);

    /// Asks for an update with a checkpoint, of the run that is returned. Throws Refusal where there is none
    /// to give one. Must not block.
    RunId requestCheckpoint();

    /// Ends the run and passes on the rest of it, with a checkpoint where it has one to give: see
    /// Session::end(). Blocks.
    void end();

signals:
    /// The window has been shown it.
    void passed(const headscope::Update& update);

private:
    /// Gives a command to the session; where it refuses, the window says so.
    template <class Command>
    void orSay(Command command);
    void pass();
    void passWeights(const Update& update);

    MainWindow& m_window;
    Session m_session;
    QTimer m_timer;
    Update m_shown;         ///< the last one, without its points and snapshot
    RunId m_weightsOf = 0;  ///< whose next checkpoint is wanted for its weights
    RunId m_opened = 0;     ///< the window shows this one, or one after it
};

}  // namespace headscope
