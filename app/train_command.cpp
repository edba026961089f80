#include "app/train_command.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include "app/animation_job.h"
#include "app/progress.h"
#include "engine/training/experiment_json.h"
#include "engine/training/session_file.h"
#include "engine/training/trainer_pair.h"
#include "ui/loss_chart.h"
#include "ui/output_files.h"
#include "ui/pictures.h"
#include "ui/run_data.h"
#include "ui/run_text.h"

namespace headscope {
namespace {

constexpr QLatin1String kRunFile("run.headscope");
/// About as many frames as an animation needs.
constexpr int kFrames = 120;

/// A run in training, with its twin where there is one, and what it has told.
class Training {
public:
    explicit Training(const Experiment& experiment) : m_trainers(experiment, std::nullopt) {
        m_update.run = 1;
        m_update.experiment = experiment;
        tell();
    }

    explicit Training(const StoredSession& stored)
        : m_trainers(stored.checkpoint), m_record(stored.record), m_panel(stored.panel) {
        m_update.run = m_record.run;
        m_update.experiment = m_record.experiment;
        m_update.twin = m_record.twin;
        for (const float loss : m_record.curve.loss) smooth(loss);
    }

    const Trainer& trainer() const { return m_trainers.first(); }
    const RunRecord& record() const { return m_record; }
    double smoothedLoss() const { return m_smoothed_loss; }
    bool isDiverged() const { return m_diverged.has_value(); }

    void step() {
        const TrainerPair::Points points = *m_trainers.step();
        m_diverged = points.diverged();
        if (m_diverged) return;
        m_update.points = {points.first};
        if (points.twin) m_update.twin_points = {*points.twin};
        smooth(points.first.loss);
        m_record.add(m_update);
    }

    /// Records the heads as they are; null where the run diverged.
    std::shared_ptr<const Snapshot> look() {
        m_update.points.clear();
        m_update.twin_points.clear();
        return m_diverged ? nullptr : tell();
    }

    QByteArray file() const {
        return QByteArray::fromStdString(sessionFile({m_trainers.checkpoint(m_diverged), m_record, m_panel}));
    }

private:
    std::shared_ptr<const Snapshot> tell() {
        if (auto made = m_trainers.snapshots()) {
            m_update.snapshot = std::move(made->first);
            m_update.twin_snapshot = std::move(made->twin);
        }
        m_record.add(m_update);
        m_update.twin_snapshot.reset();
        return std::exchange(m_update.snapshot, nullptr);
    }

    void smooth(float loss) {
        m_smoothed_loss =
            m_smoothed ? LossChart::kSmoothing * m_smoothed_loss + (1 - LossChart::kSmoothing) * double{loss}
                       : double{loss};
        m_smoothed = true;
    }

    TrainerPair m_trainers;
    RunRecord m_record;
    std::string m_panel;
    Update m_update;
    std::optional<TwinSide> m_diverged;
    double m_smoothed_loss = 0;  // 0.9-EMA
    bool m_smoothed = false;
};

std::vector<OutputFile> filesOf(Training& training, PictureFormat format) {
    const Experiment& experiment = training.trainer().experiment();
    PictureOptions look;
    look.caption = captionFor(experiment, training.trainer().stepsDone());
    const auto picture = [&](const char* name, const Picture& what) {
        return OutputFile{QLatin1String(name) + u'.' + suffixOf(format), fileOf(what, look, format)};
    };
    const std::vector<LossPoint> points = training.record().curve.points(0, training.record().curve.size());
    std::vector<OutputFile> files{
        {QStringLiteral("experiment.json"), QByteArray::fromStdString(toJson(experiment))},
        {QStringLiteral("loss.csv"), lossCsv(points)},
        picture("loss", lossPicture(experiment, points))};
    if (const auto snapshot = training.look()) {
        files.push_back(picture("heads", headsPicture(snapshot)));
        files.push_back({QStringLiteral("attention.npy"), attentionNpy(*snapshot)});
    }
    files.push_back({kRunFile, training.file()});
    return files;
}

/// Throws Refusal where it was stopped.
OutputFile animationFile(const QString& name, const Training& training, StopSignals& stop) {
    PictureSource source;
    source.recorded = training.record().recorder.frames();
    const auto file =
        animationOf(source, {}, animationFormatOf(name), [&stop](int) { return !stop.arrived(); });
    if (!file)
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                        "stopped while making the animation; nothing was written"));
    return {name, *file};
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

/// Trains to the end, or until the loss is not finite.
void train(Training& training, const TrainedFiles& wanted, StopSignals& stop, Progress& progress) {
    const int steps = training.trainer().experiment().steps;
    const int every = wanted.animation.isEmpty() ? steps : 1 + (steps - 1) / kFrames;
    while (training.trainer().stepsDone() < steps && !training.isDiverged()) {
        training.step();
        if (training.trainer().stepsDone() % every == 0) training.look();
        progress.show(training.trainer().stepsDone(), training.smoothedLoss());
        if (!stop.arrived()) continue;
        const QString file = QDir(wanted.directory).filePath(kRunFile);
        writeFile(file, training.file());
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                        "stopped at step %1; train --resume %2 goes on from there"),
                      {std::to_string(training.trainer().stepsDone()), file.toStdString()});
    }
}

void toFiles(Training& training, const TrainedFiles& wanted, StopSignals& stop) {
    const std::int64_t before = training.trainer().stepsDone();
    Progress progress(training.trainer().experiment().steps);
    train(training, wanted, stop, progress);
    const double rate = progress.stepsPerSecond(training.trainer().stepsDone() - before);
    std::vector<OutputFile> files = filesOf(training, wanted.format);
    if (!wanted.animation.isEmpty()) files.push_back(animationFile(wanted.animation, training, stop));
    writeFiles(wanted.directory, files);
    removeOthers(wanted.directory, files);
    if (training.isDiverged())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "diverged at step %1"),
                      {std::to_string(training.record().curve.size())});
    const QString line = QCoreApplication::translate(
                             "headscope::TrainCommand",
                             "%1 steps: loss %2 (moving average), accuracy %3 %, %4 steps/s; written to %5")
                             .arg(training.trainer().stepsDone())
                             .arg(training.smoothedLoss(), 0, 'g', 3)
                             .arg(100 * training.record().curve.accuracy.back(), 0, 'f', 1)
                             .arg(rate, 0, 'f', 0)
                             .arg(QDir::toNativeSeparators(wanted.directory));
    std::printf("%s\n", qPrintable(line));
}

/// Throws Refusal before any training where there would be no place for what comes of it.
void makePlaces(const TrainedFiles& files) {
    makeDirectory(files.directory);
    const QFileInfo animation(QDir(files.directory).filePath(files.animation));
    if (!files.animation.isEmpty() && !animation.dir().exists())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot write %1: %2"),
                      {animation.filePath().toStdString(), std::strerror(ENOENT)});
}

}  // namespace

void trainToFiles(const TrainToFiles& request, StopSignals& stop) {
    makePlaces(request.files);
    Training training(request.experiment);
    toFiles(training, request.files, stop);
}

void resumeToFiles(const ResumeToFiles& request, StopSignals& stop) {
    StoredSession stored = readSession(request.file.toStdString());
    if (request.steps) setSteps(stored, *request.steps);
    const std::string file = request.file.toStdString();
    const std::string done = std::to_string(stepsDone(stored.checkpoint));
    if (stored.checkpoint.diverged)
        throw Refusal(
            QT_TRANSLATE_NOOP("headscope::Refusal", "%1: this run diverged at step %2 and cannot go on"),
            {file, done});
    if (stepsDone(stored.checkpoint) == stored.checkpoint.first.experiment.steps)
        throw Refusal(
            QT_TRANSLATE_NOOP("headscope::Refusal",
                              "%1: this run has made all of its %2 steps; --steps N lets it make more"),
            {file, done});
    makePlaces(request.files);
    Training training(stored);
    toFiles(training, request.files, stop);
}

}  // namespace headscope
