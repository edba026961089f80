#include "app/document.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <new>
#include <utility>

#include <QCoreApplication>
#include <QEvent>
#include <QFileInfo>

#include "app/background.h"
#include "app/panel_json.h"
#include "ui/main_window.h"
#include "ui/output_files.h"

namespace headscope {
namespace {

using namespace std::chrono_literals;

constexpr auto kPoll = 15ms;
constexpr std::chrono::milliseconds kKeep = 30s;  // at least between two writings of the sitting
constexpr int kKeepShare = 20;                    // which take no more than one part in so many of the time
/// Of the frames in a sitting's file: it is written often, and within the moment that closing may take.
constexpr std::size_t kSittingFrames = std::size_t{32} << 20;
constexpr qsizetype kRecent = 10;
constexpr const char* kRunEnded =
    QT_TRANSLATE_NOOP("headscope::Refusal", "%1 was not saved: its run ended before it could be");

template <typename T>
bool isReady(const std::future<T>& future) {
    return future.valid() && future.wait_for(0s) == std::future_status::ready;
}

}  // namespace

Document::Document(MainWindow& window, Bridge& bridge, Settings& settings, std::unique_ptr<Sitting> sitting)
    : m_window(window), m_bridge(bridge), m_settings(settings), m_sitting(std::move(sitting)) {
    connect(&window, &MainWindow::openRequested, this, &Document::open);
    connect(&window, &MainWindow::saveRequested, this, &Document::save);
    connect(&window, &MainWindow::resetRequested, this, [this] { setRecent({}); });
    connect(&bridge, &Bridge::passed, this, &Document::passed);
    window.installEventFilter(this);
    m_poll.setInterval(kPoll);
    connect(&m_poll, &QTimer::timeout, this, &Document::poll);
    window.setRecentFiles(settings.value(setting::kRecentFiles));
    if (!m_sitting) return;
    m_keep.setSingleShot(true);
    m_keep.start(kKeep);
    connect(&m_keep, &QTimer::timeout, this, &Document::keepSitting);
    connect(&window, &MainWindow::lastSittingRequested, this,
            [this] { openSession(m_sitting->last(), false); });
    connect(&window, &MainWindow::restoreRequested, this, [this] { openSession(m_sitting->left(), false); });
    connect(&window, &MainWindow::discardRequested, this, [this] { m_sitting->forgetLeft(); });
    window.setHasLastSitting(QFileInfo::exists(m_sitting->last()));
    if (!m_sitting->left().isEmpty()) window.offerToRestore();
}

void Document::open(const QString& path) {
    const QFileInfo file(path);
    const QString kind = file.suffix().toLower();
    if (kind == u"headscope") return openSession(file.absoluteFilePath(), true);
    if (QStringList{"npy", "npz", "safetensors"}.contains(kind))
        return startOpening(file.absoluteFilePath(), true);
    const Refusal refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1: its name must end with %2"),
                          {path.toStdString(), ".headscope, .npy, .npz, .safetensors"});
    say(refusal);
    emit openingRefused(refusal);
}

void Document::openSession(const QString& path, bool as_file) {
    const bool is_free = !m_opening.read.valid();
    startOpening(path, as_file);
    // The run there is stays within reach.
    if (is_free && m_opening.read.valid() && m_sitting && m_now.run != 0 && path != m_sitting->last() &&
        path != m_sitting->left())
        write({m_sitting->last(), true});
}

void Document::startOpening(const QString& path, bool as_file) {
    const QString name = QFileInfo(path).fileName();
    if (m_opening.read.valid())
        return m_window.showBusy(
            tr("%1 is still being read: open %2 after it").arg(QFileInfo(m_opening.path).fileName(), name));
    m_window.clearProblem();
    try {
        m_opening = {path, as_file, inBackground([path]() -> std::variant<StoredSession, Attending> {
                         if (path.endsWith(QStringLiteral(".headscope"), Qt::CaseInsensitive))
                             return readSession(path.toStdString());
                         return readAttending(path);
                     })};
    } catch (const Refusal& refusal) {
        say(refusal);
        emit openingRefused(refusal);
        return;
    }
    m_poll.start();
    showBusy();
}

void Document::finishOpening() {
    Opening opening = std::exchange(m_opening, {});
    std::optional<Refusal> refusal;
    try {
        auto read = opening.read.get();
        if (auto* attending = std::get_if<Attending>(&read))
            openAttending(std::move(*attending), opening.path, &m_window);
        else
            show(std::get<StoredSession>(read), opening);
        if (opening.as_file) addRecent(opening.path);
    } catch (const Refusal& reason) {
        refusal = reason;
    } catch (const std::bad_alloc&) {
        refusal = outOfMemory();
    }
    showBusy();
    if (!refusal) return;
    say(*refusal);
    emit openingRefused(*refusal);
    if (!QFileInfo::exists(opening.path)) forgetRecent(opening.path);
}

void Document::show(const StoredSession& stored, const Opening& opening) {
    m_bridge.open(stored, panelFromJson(stored.panel));
    m_now = openedAt(stored.checkpoint);
    m_file = opening.as_file ? opening.path : QString();
    m_saved = m_now;
    showFile();
    if (m_sitting && opening.path == m_sitting->left()) m_sitting->forgetLeft();
}

Document::Position Document::openedAt(const Checkpoint& checkpoint) const {
    const TrainerState& first = checkpoint.first;
    return {m_window.record().run, stepsDone(checkpoint), first.experiment, first.modes};
}

void Document::save(const QString& path) {
    m_window.clearProblem();
    write({QFileInfo(path).absoluteFilePath(), false});
}

void Document::keepSitting() {
    m_keep.start(kKeep);
    if (m_now != m_kept && m_wanted.empty() && m_writings.empty()) write({m_sitting->file(), true});
}

void Document::write(Target target) {
    try {
        target.run = m_bridge.requestCheckpoint();
        m_wanted.push_back(target);
    } catch (const Refusal& refusal) {
        if (!target.is_sitting) say(refusal);
    }
}

Document::Reasons Document::writeAll(const StoredSession& session, const std::vector<Target>& targets) {
    Reasons reasons;
    for (const Target& target : targets) {
        std::optional<Refusal>& reason = reasons.emplace_back();
        try {
            std::string file;
            if (target.is_sitting) {
                StoredSession kept = session;
                kept.record.recorder = session.record.recorder.thinnedTo(kSittingFrames);
                file = sessionFile(kept);
            } else {
                file = sessionFile(session);
            }
            writeFile(target.path, QByteArray::fromStdString(file));
        } catch (const Refusal& refusal) {
            reason = refusal;
        } catch (const std::bad_alloc&) {
            reason = outOfMemory();
        }
    }
    return reasons;
}

void Document::passed(const Update& update) {
    if (update.run != m_now.run) {
        m_file.clear();  // another run is not what was saved there
        forgetWanted(kRunEnded, update.run);
    }
    m_now = {update.run, update.steps_done, update.experiment, update.modes};
    m_state = update.state;
    showFile();
    if (update.state == RunState::Failed) forgetWanted(kRunEnded, update.run + 1);
    const auto session = update.checkpoint ? sessionOf(*update.checkpoint) : nullptr;
    if (update.checkpoint_failed || (update.checkpoint && !session))
        forgetWanted(
            QT_TRANSLATE_NOOP("headscope::Refusal", "%1 was not saved: there is not enough memory for it"),
            update.run + 1);
    if (!session) return;
    if (m_ending) m_end = session;
    const auto later = std::stable_partition(m_wanted.begin(), m_wanted.end(),
                                             [&](const Target& target) { return target.run == update.run; });
    if (later == m_wanted.begin()) return;
    m_writings.push_back({m_now, session, {m_wanted.begin(), later}});
    m_wanted.erase(m_wanted.begin(), later);
    startWriting();
}

std::shared_ptr<const StoredSession> Document::sessionOf(const Checkpoint& checkpoint) const {
    try {
        return std::make_shared<const StoredSession>(
            StoredSession{checkpoint, m_window.record(), toJson(m_window.panelState())});
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

/// What waits for a checkpoint that will not come, of runs before that one.
void Document::forgetWanted(const char* reason, RunId before) {
    std::erase_if(m_wanted, [&](const Target& target) {
        if (target.run >= before) return false;
        if (!target.is_sitting) say(Refusal(reason, {target.path.toStdString()}));
        return true;
    });
    closeIfSaved();
}

void Document::startWriting() {
    if (m_write.valid() || m_writings.empty()) return;
    const Writing& next = m_writings.front();
    m_writeTime.start();
    try {
        m_write = inBackground(
            [session = next.session, targets = next.targets] { return writeAll(*session, targets); });
        m_poll.start();
    } catch (const Refusal& refusal) {
        finishWriting(Reasons(next.targets.size(), refusal));
    }
}

void Document::finishWriting(const Reasons& reasons) {
    const Writing done = std::move(m_writings.front());
    m_writings.pop_front();
    for (std::size_t i = 0; i < reasons.size(); ++i) {
        const Target& target = done.targets[i];
        if (!reasons[i])
            finishWritten(done, target);
        else if (!target.is_sitting || !m_keepRefused)  // said once: a disk that is full stays so
            say(*reasons[i]);
        if (!target.is_sitting) continue;
        m_keepRefused = reasons[i].has_value();
        m_keep.start(std::max(kKeep, kKeepShare * std::chrono::milliseconds(m_writeTime.elapsed())));
    }
    showFile();
    closeIfSaved();
    startWriting();
}

void Document::finishWritten(const Writing& writing, const Target& target) {
    if (target.is_sitting) {
        if (target.path == m_sitting->file()) m_kept = writing.position;
        m_window.setHasLastSitting(QFileInfo::exists(m_sitting->last()));
        return;
    }
    m_window.showHint(tr("Saved %1.").arg(QFileInfo(target.path).fileName()));
    if (writing.position.run == m_now.run) {
        m_file = target.path;
        m_saved = writing.position;
    }
    addRecent(target.path);
}

bool Document::isSaving() const {
    const auto holds = [](const std::vector<Target>& targets) {
        return std::any_of(targets.begin(), targets.end(), [](const Target& t) { return !t.is_sitting; });
    };
    return holds(m_wanted) || std::any_of(m_writings.begin(), m_writings.end(),
                                          [&](const Writing& writing) { return holds(writing.targets); });
}

bool Document::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Close || m_ending || m_closing || !isSaving())
        return QObject::eventFilter(watched, event);
    m_closing = true;
    showBusy();
    event->ignore();
    return true;
}

void Document::showBusy() {
    const bool is_reading = m_opening.read.valid();
    m_window.showBusy(m_closing    ? tr("Headscope closes when the run is saved…")
                      : is_reading ? tr("Reading %1…").arg(QFileInfo(m_opening.path).fileName())
                                   : QString());
}

void Document::closeIfSaved() {
    if (m_closing && !m_ending && !isSaving()) m_window.close();
}

void Document::say(const Refusal& refusal) {
    if (m_ending) return m_refused.push_back(refusal);
    m_closing = false;  // it is there to be read
    showBusy();
    m_window.showProblem(refusal);
}

void Document::poll() {
    if (isReady(m_write)) finishWriting(m_write.get());
    const bool is_kept = m_wanted.empty() && m_writings.empty();
    if (is_kept && isReady(m_opening.read)) finishOpening();
    if (!m_opening.read.valid() && !m_write.valid()) m_poll.stop();
}

void Document::endRun() {
    m_keep.stop();
    m_poll.stop();
    m_ending = true;
    m_bridge.end();
    forgetWanted(kRunEnded, std::numeric_limits<RunId>::max());
    while (m_write.valid()) finishWriting(m_write.get());  // which starts the next
}

std::vector<Refusal> Document::end() {
    const auto drop = [](std::vector<Target>& targets) {
        std::erase_if(targets, [](const Target& target) { return target.is_sitting; });
    };
    drop(m_wanted);
    if (m_write.valid()) m_write.wait();  // or it would write to a sitting that has ended
    for (std::size_t i = 1; i < m_writings.size(); ++i) drop(m_writings[i].targets);
    // What was kept before stands for the sitting until the rest of it is written, should there be no time.
    if (m_sitting) m_sitting->end();
    endRun();
    return std::exchange(m_refused, {});
}

void Document::keepLast() const {
    if (m_end && m_sitting) writeAll(*m_end, {{m_sitting->last(), true}});
}

Document::Handover Document::handOver() {
    const bool is_running = m_state == RunState::Running;
    endRun();
    return {std::move(m_sitting),
            m_end,
            m_window.panelState(),
            m_window.lookBack(),
            is_running,
            m_file,
            m_saved != m_now,
            std::move(m_opening),
            std::exchange(m_refused, {})};
}

void Document::takeOver(Handover handover) {
    if (handover.session) {
        m_bridge.open(*handover.session, handover.panel, !handover.is_running);
        m_window.showLookBack(handover.look_back);
        m_now = openedAt(handover.session->checkpoint);
        m_file = handover.file;
        m_saved = handover.is_modified ? std::nullopt : std::optional(m_now);
        showFile();
    }
    m_opening = std::move(handover.opening);
    if (m_opening.read.valid()) m_poll.start();
    showBusy();
    for (const Refusal& refusal : handover.refused) say(refusal);
}

void Document::showFile() { m_window.setFile(m_file, m_saved != m_now); }

void Document::addRecent(const QString& path) {
    QStringList paths = m_settings.value(setting::kRecentFiles);
    paths.removeAll(path);
    paths.prepend(path);
    setRecent(paths.mid(0, kRecent));
}

void Document::forgetRecent(const QString& path) {
    QStringList paths = m_settings.value(setting::kRecentFiles);
    if (paths.removeAll(path)) setRecent(paths);
}

void Document::setRecent(const QStringList& paths) {
    m_settings.setValue(setting::kRecentFiles, paths);
    m_window.setRecentFiles(paths);
}

}  // namespace headscope
