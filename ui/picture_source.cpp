#include "ui/picture_source.h"

#include <algorithm>

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include "engine/training/experiment_names.h"
#include "ui/loss_chart.h"
#include "ui/run_text.h"

namespace headscope {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Pictures)
};

/// The recorded snapshots whose heads are those of the last: carrying on may have changed them.
std::vector<std::shared_ptr<const Snapshot>> comparable(const PictureSource& source) {
    std::vector<std::shared_ptr<const Snapshot>> frames;
    for (const Frame& frame : source.recorded) frames.push_back(frame.snapshot);
    std::erase_if(frames, [last = frames.empty() ? nullptr : frames.back()](const auto& frame) {
        return frame->experiment.model.n_heads != last->experiment.model.n_heads ||
               frame->experiment.model.context_length != last->experiment.model.context_length;
    });
    return frames;
}

std::vector<std::shared_ptr<const Snapshot>> chosenFrames(const PictureSource& source) {
    const auto frames = comparable(source);
    std::vector<std::shared_ptr<const Snapshot>> chosen;
    for (const std::int64_t step : source.steps) {
        const auto nearer = [step](const auto& a, const auto& b) {
            return std::abs(a->steps_done - step) < std::abs(b->steps_done - step);
        };
        const auto& frame = *std::min_element(frames.begin(), frames.end(), nearer);
        if (chosen.empty() || chosen.back()->steps_done < frame->steps_done) chosen.push_back(frame);
    }
    return chosen;
}

Experiment experimentOf(const PictureSource& source) {
    switch (source.kind) {
        case PictureKind::LossCurve:
            return *source.chart->experiment();
        case PictureKind::Filmstrip:
        case PictureKind::Mechanism:
            return source.recorded.back().snapshot->experiment;
        default:
            return source.frame.snapshot->experiment;
    }
}

std::int64_t stepOf(const PictureSource& source) {
    switch (source.kind) {
        case PictureKind::LossCurve:
            return source.chart->lastPoint()->step + 1;  // done, as in the captions of the heads
        case PictureKind::Filmstrip:
        case PictureKind::Mechanism:
            return source.recorded.back().snapshot->steps_done;
        default:
            return source.frame.snapshot->steps_done;
    }
}

/// Where what is shown came from; empty of a run.
QString originOf(const PictureSource& source) {
    return source.frame.snapshot ? QString::fromStdString(source.frame.snapshot->origin) : QString();
}

/// Letters and digits of a text, with hyphens for all between.
QString slugOf(const QString& text) {
    QString slug;
    for (const QChar c : text)
        if (c.isLetterOrNumber())
            slug += c.toLower();
        else if (!slug.isEmpty() && !slug.endsWith(u'-'))
            slug += u'-';
    return slug;
}

QString kindName(const PictureSource& source) {
    switch (source.kind) {
        case PictureKind::Head:
            return QStringLiteral("head%1").arg(source.head + 1);
        case PictureKind::Filmstrip:
            return QStringLiteral("filmstrip-head%1").arg(source.head + 1);
        case PictureKind::Twin:
            return QStringLiteral("twins");
        case PictureKind::LossCurve:
            return QStringLiteral("loss");
        case PictureKind::Mechanism:
            return QStringLiteral("mechanism");
        case PictureKind::HeadGrid:
            break;
    }
    return QStringLiteral("heads");
}

}  // namespace

bool isAvailable(const PictureSource& source) {
    const auto hasHead = [&](const Snapshot& snapshot) {
        return source.head >= 0 && source.head < snapshot.experiment.model.n_heads;
    };
    switch (source.kind) {
        case PictureKind::LossCurve:
            return source.chart && !source.chart->isEmpty();
        case PictureKind::Head:
            return source.frame.snapshot && hasHead(*source.frame.snapshot);
        case PictureKind::Filmstrip:
            return !source.recorded.empty() && !source.steps.empty() &&
                   hasHead(*source.recorded.back().snapshot);
        case PictureKind::Twin:
            return source.frame.snapshot && source.frame.twin;
        case PictureKind::Mechanism:
            return !source.recorded.empty() && !source.recorded.back().snapshot->diagnostics.empty();
        case PictureKind::HeadGrid:
            break;
    }
    return source.frame.snapshot != nullptr;
}

Picture pictureOf(const PictureSource& source) {
    switch (source.kind) {
        case PictureKind::Head:
            return headPicture(source.frame.snapshot, source.head, source.muteLog, source.values);
        case PictureKind::Filmstrip:
            return filmstripPicture(chosenFrames(source), source.head, source.values);
        case PictureKind::Twin:
            return twinPicture(source.frame, source.muteLog, source.twinMuteLog, source.values);
        case PictureKind::LossCurve:
            return lossPicture(source.chart);
        case PictureKind::Mechanism:
            return mechanismPicture(source.recorded, source.measure);
        case PictureKind::HeadGrid:
            break;
    }
    return headsPicture(source.frame.snapshot, source.muteLog, source.values);
}

QString captionOf(const PictureSource& source) {
    if (QString origin = originOf(source); !origin.isEmpty()) return origin;
    if (source.kind != PictureKind::Filmstrip) return captionFor(experimentOf(source), stepOf(source));
    return Text::tr("head %1 · %2").arg(source.head + 1).arg(captionFor(experimentOf(source), {}));
}

QString suggestedName(const PictureSource& source) {
    if (QString origin = originOf(source); !origin.isEmpty()) return kindName(source) + u'-' + slugOf(origin);
    const Experiment experiment = experimentOf(source);
    return QStringLiteral("%1-%2-h%3-step%4")
        .arg(kindName(source))
        .arg(QString::fromStdString(std::string(nameOf(kTaskNames, experiment.task))))
        .arg(experiment.model.n_heads)
        .arg(stepOf(source));
}

std::vector<QString> pathsOfEachHead(const PictureSource& source, const QString& path) {
    const QFileInfo file(path);
    const int n_heads = source.frame.snapshot->experiment.model.n_heads;
    const auto digits = static_cast<int>(QString::number(n_heads).size());
    std::vector<QString> paths;
    for (int head = 1; head <= n_heads; ++head)
        paths.push_back(QDir(file.path())
                            .filePath(QStringLiteral("%1-head%2.%3")
                                          .arg(file.completeBaseName())
                                          .arg(head, digits, 10, QLatin1Char('0'))
                                          .arg(file.suffix())));
    return paths;
}

std::vector<std::int64_t> evenSteps(const PictureSource& source, int count) {
    const auto frames = comparable(source);
    const auto wanted = std::min<std::size_t>(static_cast<std::size_t>(count), frames.size());
    std::vector<std::int64_t> steps;
    for (std::size_t i = 0; i < wanted; ++i)
        steps.push_back(frames[wanted > 1 ? i * (frames.size() - 1) / (wanted - 1) : 0]->steps_done);
    return steps;
}

}  // namespace headscope
