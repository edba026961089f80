#pragma once

#include <QObject>

#include "app/command_line.h"
#include "app/settings.h"

namespace headscope {

class MainWindow;

/// Gives the window the look it had last time, and remembers what is chosen in it. Both must outlive it.
class WindowMemory : public QObject {
    Q_OBJECT
public:
    WindowMemory(MainWindow& window, Settings& settings);

    /// The lesson and experiment of the last sitting; `request` where it asks for another, or where none is
    /// remembered.
    OpenWindow lastOr(const OpenWindow& request, const std::vector<Lesson>& lessons) const;

    /// Shows what is to be seen to whoever opens the window for the first time. The window must have been
    /// shown.
    void welcome();

    /// Keeps what is only known when the window is about to go: its layout, lesson and experiment.
    void keep();

private:
    void restoreLook();

    MainWindow& m_window;
    Settings& m_settings;
};

}  // namespace headscope
