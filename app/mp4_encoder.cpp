#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include "app/animation_encoder.h"
#include "engine/numeric/refusal.h"

namespace headscope {
namespace {

constexpr int kPatience = 50;  // milliseconds between two looks at whether to go on

/// Feeds raw frames to ffmpeg, which writes into a directory of its own.
class Mp4Encoder : public AnimationEncoder {
public:
    Mp4Encoder(const QSize& size, const AnimationTiming& timing, std::function<bool()> goesOn)
        : m_goesOn(std::move(goesOn)) {
        if (!canMakeMp4())
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                            "cannot make an MP4: the program ffmpeg is not on the PATH"));
        const QStringList frames{
            QStringLiteral("-f"),       QStringLiteral("rawvideo"),
            QStringLiteral("-pix_fmt"), QStringLiteral("bgra"),
            QStringLiteral("-s"),       QStringLiteral("%1x%2").arg(size.width()).arg(size.height()),
            QStringLiteral("-r"),       QString::number(timing.frames_per_second),
            QStringLiteral("-i"),       QStringLiteral("-")};
        // Players want halved colors, and so even sides.
        const QStringList video{QStringLiteral("-vf"),       QStringLiteral("pad=ceil(iw/2)*2:ceil(ih/2)*2"),
                                QStringLiteral("-pix_fmt"),  QStringLiteral("yuv420p"),
                                QStringLiteral("-movflags"), QStringLiteral("+faststart")};
        m_ffmpeg.start(QStringLiteral("ffmpeg"), QStringList{QStringLiteral("-v"), QStringLiteral("error"),
                                                             QStringLiteral("-nostdin")} +
                                                     frames + video + QStringList{path()});
        require(m_directory.isValid() && m_ffmpeg.waitForStarted());
    }
    ~Mp4Encoder() override {
        m_ffmpeg.kill();
        m_ffmpeg.waitForFinished();
    }

    void add(const QImage& image) override {
        const QImage frame = image.convertToFormat(QImage::Format_RGB32);
        require(m_ffmpeg.write(reinterpret_cast<const char*>(frame.constBits()), frame.sizeInBytes()) ==
                frame.sizeInBytes());
        while (m_ffmpeg.bytesToWrite() > 0 && m_goesOn())
            require(m_ffmpeg.waitForBytesWritten(kPatience) || m_ffmpeg.state() == QProcess::Running);
    }

    QByteArray finish() override {
        m_ffmpeg.closeWriteChannel();
        while (m_ffmpeg.state() != QProcess::NotRunning && m_goesOn()) m_ffmpeg.waitForFinished(kPatience);
        if (!m_goesOn()) return {};
        require(m_ffmpeg.exitStatus() == QProcess::NormalExit && m_ffmpeg.exitCode() == 0);
        QFile file(path());
        require(file.open(QIODevice::ReadOnly));
        return file.readAll();
    }

private:
    QString path() const { return m_directory.filePath(QStringLiteral("animation.mp4")); }

    void require(bool done) {
        if (done) return;
        const QByteArray said = m_ffmpeg.readAllStandardError().trimmed();
        const QByteArray reason = said.isEmpty() ? m_ffmpeg.errorString().toUtf8() : said.split('\n').first();
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "ffmpeg made no MP4: %1"),
                      {reason.toStdString()});
    }

    std::function<bool()> m_goesOn;
    QTemporaryDir m_directory;
    QProcess m_ffmpeg;
};

}  // namespace

std::unique_ptr<AnimationEncoder> makeMp4Encoder(const QSize& size, const AnimationTiming& timing,
                                                 std::function<bool()> goesOn) {
    return std::make_unique<Mp4Encoder>(size, timing, std::move(goesOn));
}

}  // namespace headscope
