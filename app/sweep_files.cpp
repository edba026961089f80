#include "app/sweep_files.h"

#include <algorithm>

#include <QCoreApplication>
#include <QDir>

#include "ui/output_files.h"
#include "ui/sweep_picture.h"

namespace headscope {
namespace {

const QString kPart = QStringLiteral("sweep.json");
const QString kTable = QStringLiteral("sweep.csv");
const QString kPicture = QStringLiteral("sweep.png");

[[noreturn]] void refuse(const char* pattern, const QFile& file) {
    throw Refusal(pattern, {file.fileName().toStdString(), file.errorString().toStdString()});
}

QByteArray contentOf(const QString& directory, const QString& name) {
    QFile file(QDir(directory).filePath(name));
    if (!file.open(QIODevice::ReadOnly))
        refuse(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot read %1: %2"), file);
    return file.readAll();
}

SweepPart readPart(const QString& directory) {
    try {
        return sweepPartFromJson(contentOf(directory, kPart).toStdString());
    } catch (const Refusal& refusal) {
        if (!QDir(directory).exists(kPart)) throw;
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot use %1: %2"),
                      {QDir(directory).filePath(kPart).toStdString(), refusal.what()});
    }
}

/// Without the last line where it does not end: it was being written when all ended.
std::vector<SweepRow> readRows(const QString& directory, const std::vector<Experiment>& runs) {
    std::vector<SweepRow> rows;
    if (!QDir(directory).exists(kTable)) return rows;
    const QList<QByteArray> lines = contentOf(directory, kTable).split('\n');
    for (qsizetype i = 1; i + 1 < lines.size(); ++i) {
        const auto row = fromCsvLine(lines[i].toStdString());
        const bool known = row && std::any_of(runs.begin(), runs.end(),
                                              [&](const Experiment& run) { return isRowOf(*row, run); });
        if (!known)
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot use %1: line %2 is no run of it"),
                          {QDir(directory).filePath(kTable).toStdString(), std::to_string(i + 1)});
        rows.push_back(*row);
    }
    return rows;
}

QByteArray tableOf(const std::vector<SweepRow>& rows) {
    QByteArray table(sweepCsvHead().data(), static_cast<qsizetype>(sweepCsvHead().size()));
    for (const SweepRow& row : rows) table += QByteArray::fromStdString(toCsvLine(row));
    return table;
}

}  // namespace

SweepFiles::SweepFiles(const QString& directory, const SweepPart& part)
    : m_directory(directory),
      m_part(part),
      m_runs(runsOf(part.sweep, part.shard)),
      m_table(QDir(directory).filePath(kTable)) {
    makeDirectory(directory);
    if (QDir(directory).exists(kPart)) {
        if (toJson(readPart(directory)) != toJson(part))
            throw Refusal(
                QT_TRANSLATE_NOOP("headscope::Refusal",
                                  "%1 holds another sweep, or another part of it: choose another directory"),
                {directory.toStdString()});
        m_rows = readRows(directory, m_runs);
    } else if (QDir(directory).exists(kTable)) {
        throw Refusal(
            QT_TRANSLATE_NOOP("headscope::Refusal", "%1 has a %2 in it but no %3: choose another directory"),
            {directory.toStdString(), kTable.toStdString(), kPart.toStdString()});
    }
    writeFiles(directory, {{kPart, QByteArray::fromStdString(toJson(part))}});
    writeTable();
    if (!m_table.open(QIODevice::WriteOnly | QIODevice::Append))
        refuse(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot write %1: %2"), m_table);
}

std::vector<Experiment> SweepFiles::missing() const {
    std::vector<Experiment> missing;
    for (const Experiment& run : m_runs)
        if (std::none_of(m_rows.begin(), m_rows.end(), [&](const SweepRow& r) { return isRowOf(r, run); }))
            missing.push_back(run);
    return missing;
}

void SweepFiles::add(const SweepRow& row) {
    m_rows.push_back(row);
    const QByteArray line = QByteArray::fromStdString(toCsvLine(row));
    if (m_table.write(line) != line.size() || !m_table.flush())
        refuse(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot write %1: %2"), m_table);
}

void SweepFiles::writeTable() {
    m_rows = inOrder(m_rows, m_runs);
    writeFiles(m_directory, {{kTable, tableOf(m_rows)}});
}

void SweepFiles::finish() {
    m_table.close();
    writeTable();
    PictureOptions look;
    look.caption = sweepCaption(m_part.sweep);
    const Picture picture = sweepPicture(m_part.sweep, m_rows);
    writeFiles(m_directory, {{kPicture, fileOf(picture, look, PictureFormat::Png)}});
}

StoredSweep readSweep(const QString& directory) {
    StoredSweep stored{readPart(directory), {}};
    stored.rows = readRows(directory, runsOf(stored.part.sweep, stored.part.shard));
    return stored;
}

StoredSweep mergeSweeps(const std::vector<QString>& directories) {
    StoredSweep whole;
    std::vector<Experiment> runs;
    for (const QString& directory : directories) {
        const StoredSweep part = readSweep(directory);
        if (runs.empty()) {
            whole.part.sweep = part.part.sweep;
            runs = runsOf(whole.part.sweep);
        }
        if (!(part.part.sweep == whole.part.sweep))
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 and %2 hold different sweeps"),
                          {directories.front().toStdString(), directory.toStdString()});
        for (const SweepRow& row : part.rows) {
            if (std::any_of(whole.rows.begin(), whole.rows.end(), [&](const SweepRow& other) {
                    return row.n_heads == other.n_heads && row.scale_scores == other.scale_scores &&
                           row.seed == other.seed;
                }))
                throw Refusal(
                    QT_TRANSLATE_NOOP("headscope::Refusal",
                                      "%1 has a run that another part has too: n_heads %2, seed %3"),
                    {directory.toStdString(), std::to_string(row.n_heads), std::to_string(row.seed)});
            whole.rows.push_back(row);
        }
    }
    whole.rows = inOrder(whole.rows, runs);
    if (whole.rows.size() != runs.size())
        throw Refusal(
            QT_TRANSLATE_NOOP("headscope::Refusal", "%1 of the sweep's %2 runs are in none of the parts"),
            {std::to_string(runs.size() - whole.rows.size()), std::to_string(runs.size())});
    return whole;
}

}  // namespace headscope
