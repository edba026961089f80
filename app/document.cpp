#include "app/document.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include <QCoreApplication>
#include <QFileInfo>

#include "app/attention_driver.h"
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

template <typename T>
bool isReady(const std::future<T>& future) {
    return future.valid() && future.wait_for(0s) == std::future_status::ready;
}

Refusal outOfMemory() {
    return Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "there is not enough memory for this file"));
}

}  // namespace

Document::Document(MainWindow& window, Bridge& bridge, Settings& settings, std::unique_ptr<Sitting> sitting)
    : m_window(window), m_bridge(bridge), m_settings(settings), m_sitting(std::move(sitting)) {
    connect(&window, &MainWindow::openRequested, this, &Document::open);
    connect(&window, &MainWindow::saveRequested, this, &Document::save);
    connect(&window, &MainWindow::resetRequested, this, [this] { setRecent({}); });
    connect(&bridge, &Bridge::passed, this, &Document::passed);
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
    try {
        if (!QStringList{"npy", "npz", "safetensors"}.contains(kind))
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1: its name must end with %2"),
                          {path.toStdString(), ".headscope, .npy, .npz, .safetensors"});
        openAttention(file.absoluteFilePath(), &m_window);
        addRecent(file.absoluteFilePath());
    } catch (const Refusal& refusal) {
        m_window.showProblem(refusal);
        if (!file.exists()) forgetRecent(file.absoluteFilePath());
    } catch (const std::bad_alloc&) {
        m_window.showProblem(outOfMemory());
    }
}

void Document::openSession(const QString& path, bool as_file) {
    if (m_read.valid()) return;  // the one before is still being read
    m_opening = path;
    m_openingAsFile = as_file;
    m_read = std::async(std::launch::async, [name = path.toStdString()] { return readSession(name); });
    m_poll.start();
    // The run there is stays within reach.
    if (m_sitting && m_now.run != 0 && path != m_sitting->last() && path != m_sitting->left())
        write({m_sitting->last(), true});
}

void Document::finishOpening() {
    const bool left = m_sitting && m_opening == m_sitting->left();
    try {
        const StoredSession stored = m_read.get();
        m_bridge.open(stored, panelFromJson(stored.panel));
        const TrainerState& first = stored.checkpoint.first;
        m_now = {m_window.record().run, stepsDone(stored.checkpoint), first.experiment, first.modes};
        m_file = m_openingAsFile ? m_opening : QString();
        m_saved = m_now;
        showFile();
        if (m_openingAsFile) addRecent(m_opening);
        if (left) m_sitting->forgetLeft();
    } catch (const Refusal& refusal) {
        m_window.showProblem(refusal);
        if (!QFileInfo::exists(m_opening)) forgetRecent(m_opening);
    } catch (const std::bad_alloc&) {
        m_window.showProblem(outOfMemory());
    }
}

void Document::save(const QString& path) { write({QFileInfo(path).absoluteFilePath(), false}); }

void Document::keepSitting() {
    m_keep.start(kKeep);
    if (m_now != m_kept) write({m_sitting->file(), true});
}

void Document::write(const Target& target) {
    m_wanted.push_back(target);
    if (m_write.valid()) return;  // the next one, when that is done
    try {
        m_bridge.requestCheckpoint();
    } catch (const Refusal& refusal) {
        m_wanted.clear();
        if (!target.is_sitting) m_window.showProblem(refusal);
    }
}

std::vector<Document::Written> Document::writeAll(const StoredSession& session,
                                                  const std::vector<Target>& targets) {
    std::vector<Written> written;
    for (const Target& target : targets) {
        written.push_back({target, std::nullopt});
        try {
            StoredSession kept = session;
            if (target.is_sitting) kept.record.recorder = session.record.recorder.thinnedTo(kSittingFrames);
            writeFile(target.path, QByteArray::fromStdString(sessionFile(kept)));
        } catch (const Refusal& refusal) {
            written.back().refusal = refusal;
        } catch (const std::bad_alloc&) {
            written.back().refusal = outOfMemory();
        }
    }
    return written;
}

void Document::passed(const Update& update) {
    if (update.run != m_now.run) {
        m_file.clear();  // another run is not what was saved there
        m_wanted.clear();
    }
    m_now = {update.run, update.steps_done, update.experiment, update.modes};
    m_state = update.state;
    showFile();
    if (!update.checkpoint) return;
    StoredSession session{*update.checkpoint, m_window.record(), toJson(m_window.panelState())};
    if (m_ending) {
        m_end = std::move(session);
        return;
    }
    if (m_wanted.empty() || m_write.valid()) return;
    m_writing = m_now;
    m_writeTime.start();
    m_write =
        std::async(std::launch::async, [session = std::move(session), targets = std::exchange(m_wanted, {})] {
            return writeAll(session, targets);
        });
    m_poll.start();
}

void Document::finishWriting() {
    for (const Written& written : m_write.get()) {
        const bool is_sitting = written.target.is_sitting;
        if (written.refusal) {
            // Said once: a disk that is full stays so.
            if (!is_sitting || !m_keepRefused) m_window.showProblem(*written.refusal);
            m_keepRefused |= is_sitting;
        } else if (is_sitting) {
            if (written.target.path == m_sitting->file()) m_kept = m_writing;
            m_keepRefused = false;
            m_window.setHasLastSitting(QFileInfo::exists(m_sitting->last()));
        } else {
            m_window.showHint(tr("Saved %1.").arg(QFileInfo(written.target.path).fileName()));
            if (m_writing.run == m_now.run) {
                m_file = written.target.path;
                m_saved = m_writing;
            }
            addRecent(written.target.path);
        }
        if (is_sitting)
            m_keep.start(std::max(kKeep, kKeepShare * std::chrono::milliseconds(m_writeTime.elapsed())));
    }
    showFile();
    if (m_wanted.empty()) return;
    const Target next = m_wanted.back();
    m_wanted.pop_back();
    write(next);
}

void Document::poll() {
    if (isReady(m_write)) finishWriting();
    const bool kept = !m_write.valid() && m_wanted.empty();
    if (kept && isReady(m_read)) finishOpening();
    if (!m_read.valid() && !m_write.valid()) m_poll.stop();
}

void Document::endRun() {
    m_keep.stop();
    m_poll.stop();
    if (m_write.valid()) finishWriting();
    m_ending = true;
    m_bridge.end();
}

void Document::end() {
    if (m_write.valid()) m_write.wait();  // or it would write to a sitting that has ended
    // What was kept before stands for the sitting until the rest of it is written, should there be no time.
    if (m_sitting) {
        m_sitting->end();
        m_wanted.push_back({m_sitting->last(), true});
    }
    endRun();
    if (m_end) writeAll(*m_end, m_wanted);
}

Document::Handover Document::handOver() {
    const bool is_running = m_state == RunState::Running;
    endRun();
    if (m_end) writeAll(*m_end, m_wanted);
    const bool is_modified = m_saved != m_now;
    return {std::move(m_sitting), std::move(m_end), m_window.panelState(), is_running, m_file, is_modified};
}

void Document::takeOver(const Handover& handover) {
    if (!handover.session) return;
    m_bridge.open(*handover.session, handover.panel, !handover.is_running);
    const TrainerState& first = handover.session->checkpoint.first;
    m_now = {m_window.record().run, stepsDone(handover.session->checkpoint), first.experiment, first.modes};
    m_file = handover.file;
    m_saved = handover.is_modified ? std::nullopt : std::optional(m_now);
    showFile();
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
