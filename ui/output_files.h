#pragma once

#include <vector>

#include <QByteArray>
#include <QString>

namespace headscope {

/// Replaces the file, or makes it, at once and whole; where it cannot, what was there stays as it was and
/// nothing else is left behind. A link is followed. Throws Refusal, naming the file and the reason; a
/// directory, a device and a pipe are refused. Blocks.
void writeFile(const QString& path, const QByteArray& content);

struct OutputFile {
    QString name;
    QByteArray content;
};

/// Puts every file into the directory, each as writeFile() does; none is touched before all have been written
/// out beside their places. An absolute name is its own place. Throws Refusal. Blocks.
void writeFiles(const QString& directory, const std::vector<OutputFile>& files);

/// Makes the directory, and those above it, where there is none. Throws Refusal where it cannot be had.
void makeDirectory(const QString& directory);

}  // namespace headscope
