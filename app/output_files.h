#pragma once

#include <vector>

#include <QByteArray>
#include <QString>

namespace headscope {

struct OutputFile {
    QString name;
    QByteArray content;
};

/// Makes the directory, and those above it, where there is none. Throws Refusal where it cannot be had.
void makeDirectory(const QString& directory);

/// Puts every file into the directory, each at once and whole; none is touched before all have been written
/// out beside their places. Throws Refusal, naming the file and the reason. Blocks.
void writeFiles(const QString& directory, const std::vector<OutputFile>& files);

}  // namespace headscope
