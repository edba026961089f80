#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include "app/bridge.h"
#include "app/settings.h"
#include "app/sitting.h"

namespace headscope {

/// The run in the window as a file: opens and saves it, and keeps the sitting from time to time and at its
/// end. Files are read and written on threads of their own: neither the window nor training waits. Lives in
/// the window's thread; all it is given must outlive it.
class Document : public QObject {
    Q_OBJECT
public:
    /// What a document leaves to the one that follows it, behind another window.
    struct Handover {
        std::unique_ptr<Sitting> sitting;
        std::optional<StoredSession> session;  ///< nothing where no run can be carried on
        PanelState panel;
        bool is_running = false;
        QString file;
        bool is_modified = false;
    };

    /// Without a sitting nothing is kept but what is saved.
    Document(MainWindow& window, Bridge& bridge, Settings& settings, std::unique_ptr<Sitting> sitting);

    /// Opens a file, whatever kind it is of by its name: a run in this window, attention in one of its own.
    /// What cannot be is said in the window.
    void open(const QString& path);

    /// Ends the run and keeps it as the last sitting. Blocks.
    void end();

    /// Ends the run here, to be carried on elsewhere with the same bits. Blocks until the step in hand has
    /// ended.
    Handover handOver();
    /// Carries it on, but for the sitting, which was for the constructor to take. Must not block.
    void takeOver(const Handover& handover);

private:
    /// Enough to tell whether a run has changed since.
    struct Position {
        RunId run = 0;
        std::int64_t steps_done = 0;
        Experiment experiment;
        std::vector<HeadMode> modes;
        bool operator==(const Position&) const = default;
    };
    /// A file to write the run to.
    struct Target {
        QString path;
        bool is_sitting;
    };
    struct Written {
        Target target;
        std::optional<Refusal> refusal;
    };

    void endRun();
    void openSession(const QString& path, bool as_file);
    void finishOpening();
    void save(const QString& path);
    void keepSitting();
    void write(const Target& target);
    static std::vector<Written> writeAll(const StoredSession& session, const std::vector<Target>& targets);
    void passed(const Update& update);
    void finishWriting();
    void poll();
    void showFile();
    void addRecent(const QString& path);
    void forgetRecent(const QString& path);
    void setRecent(const QStringList& paths);

    MainWindow& m_window;
    Bridge& m_bridge;
    Settings& m_settings;
    std::unique_ptr<Sitting> m_sitting;  // null where none is kept

    QString m_file;  ///< empty while the run is of none
    Position m_now;
    std::optional<Position> m_saved;  ///< as it is in m_file
    std::optional<Position> m_kept;   ///< as it is in the sitting's file
    RunState m_state = RunState::Idle;
    bool m_ending = false;
    std::optional<StoredSession> m_end;  ///< where the run stood when it ended

    QString m_opening;             ///< the path that is being read
    bool m_openingAsFile = false;  ///< what comes of it is of that file
    std::future<StoredSession> m_read;
    std::vector<Target> m_wanted;  ///< waiting for a checkpoint
    Position m_writing;            ///< what is being written
    std::future<std::vector<Written>> m_write;
    QTimer m_poll;  ///< looks whether a thread has done its work
    QTimer m_keep;  ///< when to keep the sitting next
    QElapsedTimer m_writeTime;
    bool m_keepRefused = false;
};

}  // namespace headscope
