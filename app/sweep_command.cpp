#include "app/sweep_command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include <QCoreApplication>
#include <QDir>

#include "app/progress.h"
#include "app/sweep_files.h"
#include "app/sweep_runner.h"

namespace headscope {
namespace {

using namespace std::chrono_literals;

QString tr(const char* text) { return QCoreApplication::translate("headscope::SweepCommand", text); }

void report(const SweepFiles& files, const QString& directory) {
    const auto learned = std::count_if(files.rows().begin(), files.rows().end(), [](const SweepRow& row) {
        return row.outcome == SweepOutcome::Learned;
    });
    const QString line =
        tr(QT_TRANSLATE_NOOP("headscope::SweepCommand", "%1 runs, %2 learned; written to %3"))
            .arg(files.rows().size())
            .arg(learned)
            .arg(QDir::toNativeSeparators(directory));
    std::printf("%s\n", qPrintable(line));
}

}  // namespace

void sweepToFiles(const SweepToFiles& request, StopSignals& stop) {
    SweepFiles files(request.directory, request.part);
    const std::size_t total = runsOf(request.part.sweep, request.part.shard).size();
    {
        Progress progress(static_cast<std::int64_t>(total));
        SweepRunner runner(files.missing(), request.part.sweep.threshold, request.jobs);
        while (files.rows().size() < total && !stop.arrived()) {
            for (const SweepRow& row : runner.drain(100ms)) files.add(row);
            progress.showRuns(static_cast<std::int64_t>(files.rows().size()));
        }
        runner.stop();
        for (const SweepRow& row : runner.drain()) files.add(row);
    }
    files.finish();
    if (files.rows().size() < total)
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                        "stopped after %1 of %2 runs; the same command goes on from there"),
                      {std::to_string(files.rows().size()), std::to_string(total)});
    report(files, request.directory);
}

void mergeToFiles(const MergeSweeps& request) {
    const StoredSweep whole = mergeSweeps(request.parts);
    SweepFiles files(request.directory, whole.part);
    for (const SweepRow& row : whole.rows) files.add(row);
    files.finish();
    report(files, request.directory);
}

}  // namespace headscope
