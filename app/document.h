#pragma once

#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include "app/attention_driver.h"
#include "app/bridge.h"
#include "app/settings.h"
#include "app/sitting.h"
#include "ui/look_back.h"

namespace headscope {

/// The run in the window as a file: opens and saves it, and keeps the sitting from time to time and at its
/// end. Files are read and written on threads of their own: neither the window nor training waits.
///
/// What the user saves is the run as it stood then, whatever follows, and is written or said not to be: a
/// window that is closed waits for it, and closes unless it was refused. (Closed once more it does not wait;
/// then end() tells.) Lives in the window's thread; all it is given must outlive it.
class Document : public QObject {
    Q_OBJECT
public:
    /// A file that is being read.
    struct Opening {
        QString path;
        bool as_file = false;  ///< what comes of it is of that file
        std::future<std::variant<StoredSession, Attending>> read;
    };
    /// What a document leaves to the one that follows it, behind another window.
    struct Handover {
        std::unique_ptr<Sitting> sitting;
        std::shared_ptr<const StoredSession> session;  ///< null where no run can be carried on
        PanelState panel;
        LookBack look_back;
        bool is_running = false;
        QString file;
        bool is_modified = false;
        Opening opening;
        std::vector<Refusal> refused;  ///< still to be said
    };

    /// Without a sitting nothing is kept but what is saved.
    Document(MainWindow& window, Bridge& bridge, Settings& settings, std::unique_ptr<Sitting> sitting);

    /// Opens a file, whatever kind it is of by its name: a run in this window, attention in one of its own.
    /// What cannot be is said in the window, and by openingRefused(). Must not block.
    void open(const QString& path);

    /// Whether something that the user saved has still to be written.
    bool isSaving() const;

    /// Ends the run, and its sitting as far as it was kept before. Returns why what the user saved could not
    /// be written. Blocks, until the step in hand has ended and what was saved is written.
    std::vector<Refusal> end();
    /// Keeps the run that has ended as the last sitting. Blocks.
    void keepLast() const;

    /// Ends the run here, to be carried on elsewhere with the same bits. Blocks until the step in hand has
    /// ended and what was saved is written.
    Handover handOver();
    /// Carries it on, but for the sitting, which was for the constructor to take. Must not block.
    void takeOver(Handover handover);

signals:
    void openingRefused(const headscope::Refusal& refusal);

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
        RunId run = 0;  ///< which
    };
    /// A run as it is to be written.
    struct Writing {
        Position position;
        std::shared_ptr<const StoredSession> session;
        std::vector<Target> targets;
    };
    using Reasons = std::vector<std::optional<Refusal>>;  ///< why not, for each target

    bool eventFilter(QObject* watched, QEvent* event) override;
    void endRun();
    void openSession(const QString& path, bool as_file);
    void startOpening(const QString& path, bool as_file);
    void finishOpening();
    void show(const StoredSession& stored, const Opening& opening);
    /// Where the run that was just opened stands.
    Position openedAt(const Checkpoint& checkpoint) const;
    void save(const QString& path);
    void keepSitting();
    void write(Target target);
    static Reasons writeAll(const StoredSession& session, const std::vector<Target>& targets);
    void passed(const Update& update);
    /// The run in the window as it stands there; null where there is not enough memory for it.
    std::shared_ptr<const StoredSession> sessionOf(const Checkpoint& checkpoint) const;
    void forgetWanted(const char* reason, RunId before);
    void startWriting();
    void finishWriting(const Reasons& reasons);
    void finishWritten(const Writing& writing, const Target& target);
    void showBusy();
    void closeIfSaved();
    void poll();
    void say(const Refusal& refusal);
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
    std::shared_ptr<const StoredSession> m_end;  ///< where the run stood when it ended
    std::vector<Refusal> m_refused;              ///< what there was no window any more to say
    bool m_closing = false;                      ///< the window, once all is saved

    Opening m_opening;
    std::vector<Target> m_wanted;    ///< waiting for a checkpoint
    std::deque<Writing> m_writings;  ///< the first one is being written
    std::future<Reasons> m_write;
    QTimer m_poll;  ///< looks whether a thread has done its work
    QTimer m_keep;  ///< when to keep the sitting next
    QElapsedTimer m_writeTime;
    bool m_keepRefused = false;
};

}  // namespace headscope
