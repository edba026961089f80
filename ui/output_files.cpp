#include "ui/output_files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

#include "engine/numeric/refusal.h"

namespace headscope {
namespace {

/// Replacing by rename would put a plain file in the place of a device or a pipe, and a name that the disk
/// does not take would be found out only then.
void requireReplaceable(const QString& path) {
    std::error_code error;
    if (std::filesystem::status(path.toStdString(), error).type() == std::filesystem::file_type::none)
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot write %1: %2"),
                      {path.toStdString(), error.message()});
    const QFileInfo existing(path);
    if (existing.isDir())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot write %1: it is a directory"),
                      {path.toStdString()});
    if (existing.exists() && !existing.isFile())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot write %1: it is not a regular file"),
                      {path.toStdString()});
}

void require(bool done, const QSaveFile& file) {
    if (!done)
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot write %1: %2"),
                      {file.fileName().toStdString(), file.errorString().toStdString()});
}

/// All of it, beside its place.
std::unique_ptr<QSaveFile> writtenBeside(const QString& path, const QByteArray& content) {
    requireReplaceable(path);
    auto file = std::make_unique<QSaveFile>(path);
    require(file->open(QIODevice::WriteOnly), *file);
    // A disk that fills takes a part, and gives the reason only to the rest.
    for (qint64 done = 0; done < content.size();) {
        const qint64 taken = file->write(content.constData() + done, content.size() - done);
        require(taken > 0, *file);
        done += taken;
    }
    require(file->flush(), *file);
    return file;
}

void putInPlace(QSaveFile& file) { require(file.commit(), file); }

}  // namespace

void makeDirectory(const QString& directory) {
    const std::string path = directory.toStdString();
    if (QFileInfo::exists(directory) && !QFileInfo(directory).isDir())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot write to %1: it is not a directory"),
                      {path});
    errno = 0;
    if (!QDir().mkpath(directory))
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot make the directory %1: %2"),
                      {path, std::strerror(errno)});
    if (!QFileInfo(directory).isWritable())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot write to %1: %2"),
                      {path, std::strerror(EACCES)});
}

void writeFile(const QString& path, const QByteArray& content) { putInPlace(*writtenBeside(path, content)); }

void writeFiles(const QString& directory, const std::vector<OutputFile>& files) {
    std::vector<std::unique_ptr<QSaveFile>> written;
    for (const OutputFile& file : files)
        written.push_back(writtenBeside(QDir(directory).filePath(file.name), file.content));
    for (const auto& file : written) putInPlace(*file);
}

}  // namespace headscope
