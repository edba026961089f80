#include "app/output_files.h"

#include <cerrno>
#include <cstring>
#include <memory>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>

#include "engine/numeric/refusal.h"

namespace headscope {

void makeDirectory(const QString& directory) {
    const std::string path = directory.toStdString();
    if (QFileInfo(directory).exists() && !QFileInfo(directory).isDir())
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

void writeFiles(const QString& directory, const std::vector<OutputFile>& files) {
    std::vector<std::unique_ptr<QSaveFile>> open;
    const auto require = [&](bool done) {
        if (!done)
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot write %1: %2"),
                          {open.back()->fileName().toStdString(), open.back()->errorString().toStdString()});
    };
    for (const OutputFile& file : files) {
        open.push_back(std::make_unique<QSaveFile>(QDir(directory).filePath(file.name)));
        require(open.back()->open(QIODevice::WriteOnly));
        require(open.back()->write(file.content) == file.content.size());
        require(open.back()->flush());
    }
    for (; !open.empty(); open.pop_back()) require(open.back()->commit());
}

}  // namespace headscope
