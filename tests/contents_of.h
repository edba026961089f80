#pragma once

#include <QByteArray>
#include <QFile>

namespace headscope {

/// What is in a file; empty where it cannot be read.
inline QByteArray contentsOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace headscope
