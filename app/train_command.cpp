#include "app/train_command.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include "app/animation_job.h"
#include "app/progress.h"
#include "engine/training/experiment_json.h"
#include "engine/training/trainer.h"
#include "ui/loss_chart.h"
#include "ui/output_files.h"
#include "ui/pictures.h"
#include "ui/run_data.h"
#include "ui/run_text.h"

namespace headscope {
namespace {

/// What a run has shown so far.
struct Record {
    std::vector<LossPoint> points;
    std::vector<Frame> frames;  ///< for an animation; steps ascend
    double smoothed_loss = 0;   ///< 0.9-EMA
    bool diverged = false;
    double steps_per_second = 0;
};

/// About as many frames as an animation needs.
constexpr int kFrames = 120;

void keepFrame(const Trainer& trainer, std::vector<Frame>& frames) {
    if (!frames.empty() && frames.back().snapshot->steps_done == trainer.stepsDone()) return;
    if (const auto snapshot = trainer.snapshot())
        frames.push_back({std::make_shared<const Snapshot>(*snapshot), nullptr});
}

Record run(Trainer& trainer, bool animated, StopSignals& stop) {
    Record record;
    const int steps = trainer.experiment().steps;
    const int every = 1 + (steps - 1) / kFrames;
    Progress progress(steps);
    while (trainer.stepsDone() < steps) {
        if (animated && trainer.stepsDone() % every == 0) keepFrame(trainer, record.frames);
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
    if (animated) keepFrame(trainer, record.frames);
    record.steps_per_second = progress.stepsPerSecond(trainer.stepsDone());
    return record;
}

std::vector<OutputFile> filesOf(const Trainer& trainer, const Record& record, PictureFormat format) {
    const Experiment& experiment = trainer.experiment();
    PictureOptions look;
    look.caption = captionFor(experiment, trainer.stepsDone());
    const auto picture = [&](const char* name, const Picture& what) {
        return OutputFile{QLatin1String(name) + u'.' + suffixOf(format), fileOf(what, look, format)};
    };
    std::vector<OutputFile> files{
        {QStringLiteral("experiment.json"), QByteArray::fromStdString(toJson(experiment))},
        {QStringLiteral("loss.csv"), lossCsv(record.points)},
        picture("loss", lossPicture(experiment, record.points))};
    if (const auto snapshot = trainer.snapshot()) {
        files.push_back(picture("heads", headsPicture(std::make_shared<const Snapshot>(*snapshot))));
        files.push_back({QStringLiteral("attention.npy"), attentionNpy(*snapshot)});
    }
    return files;
}

/// Throws Refusal where it was stopped.
OutputFile animationFile(const TrainToFiles& request, const Record& record, StopSignals& stop) {
    PictureSource source;
    source.recorded = record.frames;
    const auto file = animationOf(source, {}, animationFormatOf(request.animation),
                                  [&stop](int) { return !stop.arrived(); });
    if (!file)
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                        "stopped while making the animation; nothing was written"));
    return {request.animation, *file};
}

/// What an earlier run left in the directory and this one has nothing to say of.
void removeOthers(const QString& directory, const std::vector<OutputFile>& files) {
    for (const char* name :
         {"heads.png", "heads.svg", "heads.pdf", "loss.png", "loss.svg", "loss.pdf", "attention.npy"}) {
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
    const Record record = run(trainer, !request.animation.isEmpty(), stop);
    std::vector<OutputFile> files = filesOf(trainer, record, request.format);
    if (!request.animation.isEmpty()) files.push_back(animationFile(request, record, stop));
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
