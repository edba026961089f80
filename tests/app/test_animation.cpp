// Animations, as other programs see them: gifsicle, webpinfo and ffprobe.
#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include "app/animation_job.h"
#include "engine/numeric/refusal.h"
#include "tests/app/recorded_run.h"
#include "tests/refusal_of.h"
#include "ui/output_files.h"

using namespace headscope;

namespace {

AnimationOptions small() {
    AnimationOptions options;
    options.look.size = {320, 200};
    return options;
}

/// What a program prints of a file.
QByteArray told(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    if (!process.waitForFinished()) QTest::qFail(qPrintable(program + " cannot be run"), __FILE__, __LINE__);
    return process.readAll();
}

QByteArray made(const PictureSource& source, const AnimationOptions& options, AnimationFormat format) {
    return *animationOf(source, options, format, [](int) { return true; });
}

QStringList filesIn(const QTemporaryDir& directory) {
    return QDir(directory.path()).entryList(QDir::Files | QDir::Hidden | QDir::System);
}

}  // namespace

class TestAnimation : public QObject {
    Q_OBJECT
private slots:
    void everyNthFrameAndTheLast() {
        const auto steps = [](int frames, int every) {
            std::vector<std::int64_t> of;
            for (const PictureSource& at : animationFrames(recordedRun(frames), every))
                of.push_back(at.frame.snapshot->steps_done);
            return of;
        };
        QCOMPARE(steps(5, 1), (std::vector<std::int64_t>{0, 10, 20, 30, 40}));
        QCOMPARE(steps(5, 2), (std::vector<std::int64_t>{0, 20, 40}));
        QCOMPARE(steps(6, 2), (std::vector<std::int64_t>{0, 20, 40, 50}));
        QCOMPARE(steps(5, 100), (std::vector<std::int64_t>{0, 40}));
        QCOMPARE(steps(1, 3), (std::vector<std::int64_t>{0}));
    }

    void aGifHasTheFramesTheDelaysAndTheLoop() {
        const QTemporaryDir directory;
        const QString path = directory.filePath("run.gif");
        AnimationOptions options = small();
        options.frames_per_second = 8;
        writeFile(path, made(recordedRun(7), options, AnimationFormat::Gif));
        const QByteArray info = told("gifsicle", {"--info", path});
        QVERIFY2(info.contains("7 images"), info);
        QVERIFY2(info.contains("logical screen 320x200"), info);
        QVERIFY2(info.contains("loop forever"), info);
        // Eighths of a second in hundredths: 12 and 13 take turns, and come to no less than 0.87 s.
        QCOMPARE(info.count("delay 0.13s") + info.count("delay 0.12s"), 7);
        QVERIFY(info.count("delay 0.13s") >= 3);
        options.loop = false;
        writeFile(path, made(recordedRun(2), options, AnimationFormat::Gif));
        QVERIFY(!told("gifsicle", {"--info", path}).contains("loop"));
    }

    void aGifShowsThePictures() {
        const QTemporaryDir directory;
        const QString path = directory.filePath("run.gif");
        const PictureSource source = recordedRun(3);
        writeFile(path, made(source, small(), AnimationFormat::Gif));
        told("ffmpeg", {"-v", "error", "-i", path, "-vsync", "0", directory.filePath("%d.png")});
        for (int i = 0; i < 3; ++i) {
            const QString png = directory.filePath(QStringLiteral("%1.png").arg(i + 1));
            const QImage shown = QImage(png).convertToFormat(QImage::Format_RGB32);
            PictureSource at = source;
            at.frame = source.recorded[static_cast<std::size_t>(i)];
            PictureOptions look = small().look;
            look.caption = captionOf(at);
            const QImage wanted = imageOf(pictureOf(at), look);
            QCOMPARE(shown.size(), wanted.size());
            // Colors that are hardly told apart may be one.
            int largest = 0;
            for (int y = 0; y < 200; ++y)
                for (int x = 0; x < 320; ++x) {
                    const QRgb a = shown.pixel(x, y), b = wanted.pixel(x, y);
                    for (const int difference :
                         {qRed(a) - qRed(b), qGreen(a) - qGreen(b), qBlue(a) - qBlue(b)}) {
                        largest = std::max(largest, std::abs(difference));
                    }
                }
            QVERIFY2(largest <= 12, QByteArray::number(largest));
        }
    }

    void aWebPHasTheFramesLosslessly() {
        const QTemporaryDir directory;
        const QString path = directory.filePath("run.webp");
        writeFile(path, made(recordedRun(7), small(), AnimationFormat::WebP));
        const QByteArray info = told("webpinfo", {path});
        QCOMPARE(info.count("Chunk ANMF"), 7);
        QCOMPARE(info.count("Format: Lossless"), 7);
        QVERIFY2(QString(info).contains(QRegularExpression("[Ll]oop.*: *0")), info);
        QVERIFY2(info.contains("No error detected"), info);
        // The first frame, to the pixel.
        const QString still = directory.filePath("still.webp"), png = directory.filePath("still.png");
        told("webpmux", {"-get", "frame", "1", path, "-o", still});
        told("dwebp", {still, "-o", png});
        PictureSource at = recordedRun(1);
        at.frame = at.recorded.front();
        PictureOptions look = small().look;
        look.caption = captionOf(at);
        QCOMPARE(QImage(png).convertToFormat(QImage::Format_RGB32),
                 imageOf(pictureOf(at), look).convertToFormat(QImage::Format_RGB32));
    }

    void anMp4HasTheFrames() {
        const QTemporaryDir directory;
        const QString path = directory.filePath("run.mp4");
        AnimationOptions options = small();
        options.look.size = {321, 201};  // odd sides are made even
        writeFile(path, made(recordedRun(7), options, AnimationFormat::Mp4));
        const QByteArray info =
            told("ffprobe", {"-v", "error", "-count_frames", "-show_entries",
                             "stream=nb_read_frames,width,height", "-of", "csv=p=0", path});
        QCOMPARE(info.trimmed(), "322,202,7");
    }

    void withoutFfmpegThatIsSaid() {
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", "/nowhere");
        QVERIFY(!canMakeMp4());
        QVERIFY_EXCEPTION_THROWN(made(recordedRun(2), small(), AnimationFormat::Mp4), Refusal);
        qputenv("PATH", path);
        QVERIFY(canMakeMp4());
    }

    void whatFfmpegComplainsOfFirstIsSaid() {
        const QTemporaryDir directory;
        const QString path = directory.filePath("ffmpeg");
        writeFile(path, "#!/bin/sh\nprintf 'no space left\\nand so: nothing\\n' >&2\nexec /bin/false\n");
        QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::ExeOwner));
        const QByteArray before = qgetenv("PATH");
        qputenv("PATH", directory.path().toUtf8());
        const QString said = refusalOf([] { made(recordedRun(2), small(), AnimationFormat::Mp4); });
        qputenv("PATH", before);
        QCOMPARE(said, "ffmpeg made no MP4: no space left");
    }

    void namesWithoutAFormatAreRefused() {
        QCOMPARE(animationFormatOf("a/注意力 1.GIF"), AnimationFormat::Gif);
        QCOMPARE(animationFormatOf("a.webp"), AnimationFormat::WebP);
        QCOMPARE(animationFormatOf("a.mp4"), AnimationFormat::Mp4);
        for (const char* name : {"a", "gif", "a.png", "a.gif.txt"})
            QVERIFY_EXCEPTION_THROWN(animationFormatOf(name), Refusal);
        QVERIFY_EXCEPTION_THROWN(made({}, small(), AnimationFormat::Gif), Refusal);
    }

    void aJobWritesInTheBackground_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"run.gif", "run.webp", "run.mp4"}) QTest::newRow(name) << name;
    }
    void aJobWritesInTheBackground() {
        QFETCH(QString, name);
        const QTemporaryDir directory;
        AnimationJob job(recordedRun(5), small(), directory.filePath(name));
        QTRY_VERIFY_WITH_TIMEOUT(job.hasEnded(), 60'000);
        QVERIFY(!job.failure());
        QCOMPARE(job.done(), 5);
        QCOMPARE(filesIn(directory), QStringList{name});
    }

    void aCancelledJobLeavesTheOldFile_data() { aJobWritesInTheBackground_data(); }
    void aCancelledJobLeavesTheOldFile() {
        QFETCH(QString, name);
        const QTemporaryDir directory;
        writeFile(directory.filePath(name), "old");
        AnimationOptions options = small();
        options.look.size = {1280, 720};
        {
            AnimationJob job(recordedRun(90), options, directory.filePath(name));
            QTRY_VERIFY_WITH_TIMEOUT(job.done() >= 2, 60'000);
            QVERIFY(!job.hasEnded());
        }
        QFile file(directory.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), "old");
        QCOMPARE(filesIn(directory), QStringList{name});
    }

    void aJobThatCannotWriteSaysWhy() {
        const QTemporaryDir directory;
        AnimationJob job(recordedRun(2), small(), directory.filePath("missing/run.gif"));
        QTRY_VERIFY_WITH_TIMEOUT(job.hasEnded(), 60'000);
        QVERIFY(job.failure());
        QVERIFY_EXCEPTION_THROWN(std::rethrow_exception(job.failure()), Refusal);
        QVERIFY(filesIn(directory).isEmpty());
    }
};

QTEST_MAIN(TestAnimation)
#include "test_animation.moc"
