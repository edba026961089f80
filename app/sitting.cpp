#include "app/sitting.h"

#include <chrono>
#include <filesystem>

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QStandardPaths>
#include <QUuid>

#include "engine/numeric/refusal.h"
#include "ui/output_files.h"

namespace headscope {
namespace {

constexpr QLatin1String kSuffix(".headscope");
constexpr QLatin1String kLast("last");

/// What a write that was cut off left behind goes when surely nobody writes it any more.
void removeRemains(const QDir& directory) {
    const QDateTime old = QDateTime::currentDateTime().addSecs(-3600);
    for (const QFileInfo& file : directory.entryInfoList({QStringLiteral("*.headscope.*")}, QDir::Files))
        if (file.lastModified() < old) QFile::remove(file.filePath());
}

}  // namespace

QString Sitting::standardDirectory() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           QStringLiteral("/headscope/sittings");
}

Sitting::Sitting(const QString& directory)
    : m_directory(directory), m_name(QUuid::createUuid().toString(QUuid::WithoutBraces)) {
    makeDirectory(directory);
    m_lock = lockOf(m_name);
    if (!m_lock)
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot keep this sitting in %1"),
                      {directory.toStdString()});
    removeRemains(QDir(directory));
    claimLeft();
}

QString Sitting::fileOf(const QString& name) const { return QDir(m_directory).filePath(name + kSuffix); }

QString Sitting::last() const { return fileOf(kLast); }

/// Null where another holds it.
std::unique_ptr<QLockFile> Sitting::lockOf(const QString& name) const {
    auto lock = std::make_unique<QLockFile>(QDir(m_directory).filePath(name + QStringLiteral(".lock")));
    lock->setStaleLockTime(std::chrono::milliseconds(0));  // only a holder that is gone lets go of it
    return lock->tryLock() ? std::move(lock) : nullptr;
}

void Sitting::claimLeft() {
    const QDir directory(m_directory);
    for (const QFileInfo& file : directory.entryInfoList({u'*' + kSuffix}, QDir::Files, QDir::Time)) {
        const QString name = file.completeBaseName();
        if (name == kLast || name == m_name) continue;
        m_leftLock = lockOf(name);
        m_leftName = name;
        if (m_leftLock) return;
    }
}

void Sitting::forgetLeft() {
    QFile::remove(left());
    m_leftLock.reset();
}

void Sitting::end() {
    std::error_code none;  // there need not be anything to keep
    std::filesystem::rename(file().toStdString(), last().toStdString(), none);
    m_lock.reset();
    m_leftLock.reset();
}

}  // namespace headscope
