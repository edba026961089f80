#include "app/train_command.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include "app/progress.h"
#include "engine/formats/npy.h"
#include "engine/training/experiment_json.h"
#include "engine/training/trainer.h"
#include "ui/loss_chart.h"
#include "ui/output_files.h"
#include "ui/pictures.h"
#include "ui/run_text.h"

namespace headscope {
namespace {

/// The shortest text that reads back as the same float, whatever the locale.
void append(QByteArray& text, float value) {
    char digits[32];
    text.append(digits, std::to_chars(digits, std::end(digits), value).ptr - digits);
}

QByteArray lossCsv(const std::vector<LossPoint>& points) {
    QByteArray csv = "step,loss,accuracy\n";
    for (const LossPoint& point : points) {
        csv += QByteArray::number(static_cast<qlonglong>(point.step)) + ',';
        append(csv, point.loss);
        csv += ',';
        append(csv, point.accuracy);
        csv += '\n';
    }
    return csv;
}

/// What a run has shown so far.
struct Record {
    std::vector<LossPoint> points;
    double smoothed_loss = 0;  ///< 0.9-EMA
    bool diverged = false;
    double steps_per_second = 0;
};

Record run(Trainer& trainer, StopSignals& stop) {
    Record record;
    const int steps = trainer.experiment().steps;
    Progress progress(steps);
    while (trainer.stepsDone() < steps) {
        const LossPoint point = trainer.step();
        record.diverged = !std::isfinite(point.loss);
        if (record.diverged) break;
        record.smoothed_loss = record.points.empty() ? point.loss
                                                     : LossChart::kSmoothing * record.smoothed_loss +
                                                           (1 - LossChart::kSmoothing) * point.loss;
        record.points.push_back(point);
        progress.show(trainer.stepsDone(), record.smoothed_loss);
        if (stop.arrived())
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "stopped at step %1; nothing was written"),
                          {std::to_string(trainer.stepsDone())});
    }
    record.steps_per_second = progress.stepsPerSecond(trainer.stepsDone());
    return record;
}

std::vector<OutputFile> filesOf(const Trainer& trainer, const Record& record) {
    const Experiment& experiment = trainer.experiment();
    PictureOptions look;
    look.caption = captionFor(experiment, trainer.stepsDone());
    std::vector<OutputFile> files{
        {QStringLiteral("experiment.json"), QByteArray::fromStdString(toJson(experiment))},
        {QStringLiteral("loss.csv"), lossCsv(record.points)},
        {QStringLiteral("loss.png"),
         fileOf(lossPicture(experiment, record.points), look, PictureFormat::Png)}};
    if (const auto trained = trainer.snapshot()) {
        const auto snapshot = std::make_shared<const Snapshot>(*trained);
        const auto heads = static_cast<std::size_t>(experiment.model.n_heads);
        const auto length = static_cast<std::size_t>(experiment.model.context_length);
        const std::string attention = npyFile(viewOf(snapshot->weights, {heads, length, length}));
        files.push_back(
            {QStringLiteral("heads.png"), fileOf(headsPicture(snapshot), look, PictureFormat::Png)});
        files.push_back({QStringLiteral("attention.npy"), QByteArray::fromStdString(attention)});
    }
    return files;
}

/// What an earlier run left in the directory and this one has nothing to say of.
void removeOthers(const QString& directory, const std::vector<OutputFile>& files) {
    for (const char* name : {"heads.png", "attention.npy"}) {
        const bool written = std::any_of(files.begin(), files.end(), [&](const OutputFile& file) {
            return file.name == QLatin1String(name);
        });
        if (!written) QFile::remove(QDir(directory).filePath(QLatin1String(name)));
    }
}

}  // namespace

void trainToFiles(const TrainToFiles& request, StopSignals& stop) {
    makeDirectory(request.directory);
    Trainer trainer(request.experiment);
    const Record record = run(trainer, stop);
    const std::vector<OutputFile> files = filesOf(trainer, record);
    writeFiles(request.directory, files);
    removeOthers(request.directory, files);
    if (record.diverged)
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "diverged at step %1"),
                      {std::to_string(trainer.stepsDone())});
    const QString line = QCoreApplication::translate(
                             "headscope::TrainCommand",
                             "%1 steps: loss %2 (moving average), accuracy %3 %, %4 steps/s; written to %5")
                             .arg(trainer.stepsDone())
                             .arg(record.smoothed_loss, 0, 'g', 3)
                             .arg(100 * record.points.back().accuracy, 0, 'f', 1)
                             .arg(record.steps_per_second, 0, 'f', 0)
                             .arg(QDir::toNativeSeparators(request.directory));
    std::printf("%s\n", qPrintable(line));
}

}  // namespace headscope
