#include "app/animation_job.h"

#include <system_error>

#include <QCoreApplication>

#include "app/background.h"
#include "engine/numeric/refusal.h"
#include "ui/output_files.h"

namespace headscope {

std::optional<QByteArray> animationOf(const PictureSource& source, const AnimationOptions& options,
                                      AnimationFormat format, const std::function<bool(int done)>& goesOn) {
    const std::vector<PictureSource> frames = animationFrames(source, options.every);
    if (frames.empty())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                        "there is no animation of a run that has no recorded step"));
    int done = 0;
    const auto encoder = makeEncoder(format, options.look.size, {options.frames_per_second, options.loop},
                                     [&] { return goesOn(done); });
    for (const PictureSource& frame : frames) {
        PictureOptions look = options.look;
        look.caption = options.captions ? captionOf(frame) : QString();
        encoder->add(imageOf(pictureOf(frame), look));
        ++done;
        if (!goesOn(done)) return {};
    }
    QByteArray file = encoder->finish();
    if (!goesOn(done)) return {};
    return file;
}

AnimationJob::AnimationJob(const PictureSource& source, const AnimationOptions& options,
                           const QString& path) {
    const AnimationFormat format = animationFormatOf(path);
    PictureSource heads = source;
    heads.chart.reset();  // a widget, which only its own thread may let go
    auto work = [this, heads = std::move(heads), options, path, format](const std::stop_token& stop) {
        try {
            const auto file = animationOf(heads, options, format, [&](int done) {
                m_done = done;
                return !stop.stop_requested();
            });
            if (file) writeFile(path, *file);
        } catch (...) {
            m_failure = std::current_exception();
        }
        m_ended = true;
    };
    try {
        m_thread = std::jthread(std::move(work));
    } catch (const std::system_error& error) {
        refuseThread(error);
    }
}

AnimationJob::~AnimationJob() = default;

}  // namespace headscope
