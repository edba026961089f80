#pragma once

#include <vector>

#include <QFile>
#include <QString>

#include "engine/training/sweep_json.h"

namespace headscope {

/// A directory with a sweep, or a part of one, in it: sweep.json says which, sweep.csv has a row for every
/// run that has ended, and sweep.png shows them. All throw Refusal, naming the file and the reason, where it
/// cannot be read or written, and block.
class SweepFiles {
public:
    /// Makes the directory where there is none, and takes over the rows that are there: an unfinished last
    /// line is dropped. Throws Refusal where another sweep, or another part, is in it.
    SweepFiles(const QString& directory, const SweepPart& part);

    const std::vector<SweepRow>& rows() const { return m_rows; }

    /// The runs that have no row yet.
    std::vector<Experiment> missing() const;

    /// Puts a row at the end of sweep.csv, so that it outlives what may come.
    void add(const SweepRow& row);

    /// Writes sweep.csv anew, in the order of the grid, and sweep.png. Needs a QGuiApplication.
    void finish();

private:
    void writeTable();

    QString m_directory;
    SweepPart m_part;
    std::vector<Experiment> m_runs;
    std::vector<SweepRow> m_rows;
    QFile m_table;
};

/// Which sweep and part a directory holds, and its rows.
struct StoredSweep {
    SweepPart part;
    std::vector<SweepRow> rows;
};
StoredSweep readSweep(const QString& directory);

/// Joins the parts into the whole that they are of. Throws Refusal, naming the directory or the run, when
/// they are not of one sweep, when two have the same run, or when a run is in none.
StoredSweep mergeSweeps(const std::vector<QString>& directories);

}  // namespace headscope
