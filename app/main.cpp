#include <cstdio>
#include <new>
#include <system_error>

#include <QApplication>
#include <QIcon>
#include <QLoggingCategory>

#include "app/command_line.h"
#include "app/language.h"
#include "app/lesson_library.h"
#include "app/stop_signals.h"
#include "app/train_command.h"
#include "app/verify_command.h"
#include "app/window_command.h"
#include "ui/sentences.h"
#include "ui/style.h"

namespace headscope {
namespace {

enum ExitStatus { Done = 0, Failed = 1, BadUsage = 2 };

void print(const QString& text) { std::fputs(qPrintable(text), stdout); }

ExitStatus complain(const QString& sentence, ExitStatus status) {
    std::fprintf(stderr, "headscope: %s\n", qPrintable(QString(sentence).replace(u'\n', u' ')));
    return status;
}

void warn(const Refusal& refusal) { complain(sentence(refusal), Done); }

QIcon programIcon() {
    QIcon icon;
    for (const int size : {16, 24, 32, 48, 64, 128, 256})
        icon.addFile(QStringLiteral(":/icons/%1/org.headscope.Headscope.png").arg(size));
    return icon;
}

/// Handles one kind of request; the application object each needs is made first.
struct Run {
    int& argc;
    char** argv;
    const std::vector<Lesson>& lessons;
    const QString& language;
    const QString& asked_language;  ///< empty where none was asked for

    int operator()(OpenWindow request) {
        if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") &&
            qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
            throw Refusal(
                QT_TRANSLATE_NOOP("headscope::Refusal",
                                  "there is no display to open the window on; headscope train needs none"));
        StopSignals stop;
        QApplication application(argc, argv);
        QApplication::setWindowIcon(programIcon());
        applyStyle(application);
        return openWindow(std::move(request), asked_language, application, stop, warn);
    }

    int operator()(const TrainToFiles& request) {
        return withoutDisplay([&](StopSignals& stop) { trainToFiles(request, stop); });
    }

    int operator()(const ResumeToFiles& request) {
        return withoutDisplay([&](StopSignals& stop) { resumeToFiles(request, stop); });
    }

    int operator()(const SweepToFiles& request) {
        return withoutDisplay([&](StopSignals& stop) { sweepToFiles(request, stop); });
    }

    int operator()(const MergeSweeps& request) {
        return withoutDisplay([&](StopSignals&) { mergeToFiles(request); });
    }

    int operator()(const VerifyBlock& request) {
        QCoreApplication application(argc, argv);
        const Translation translation(language);
        return verifyBlock(request) ? Done : Failed;
    }

    int operator()(const AttendToFiles& request) {
        QCoreApplication application(argc, argv);
        const Translation translation(language);
        attendToFiles(request);
        return Done;
    }

    int operator()(const RenderToFile& request) {
        return withoutDisplay([&](StopSignals&) { renderToFile(request); });
    }

    int operator()(const ListLessons&) {
        QCoreApplication application(argc, argv);
        const Translation translation(language);
        for (const Lesson& lesson : lessons)
            print(QStringLiteral("%1  %2\n").arg(lesson.id, -16).arg(lesson.title));
        return Done;
    }

    int operator()(const ShowHelp&) {
        QCoreApplication application(argc, argv);
        const Translation translation(language);
        print(helpText());
        return Done;
    }

    int operator()(const ShowVersion&) {
        print(QStringLiteral("headscope " HEADSCOPE_VERSION "\n"));
        return Done;
    }

private:
    /// Pictures need an application even where nothing is on a screen.
    template <typename Work>
    int withoutDisplay(const Work& work) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        // Where there is no desktop session, Qt warns of that; it does not matter here.
        QLoggingCategory::setFilterRules(QStringLiteral("default.warning=false"));
        StopSignals stop;
        QApplication application(argc, argv);
        const Translation translation(language);
        applyStyle(application);  // pictures have the type that those of the window have
        work(stop);
        return Done;
    }
};

}  // namespace
}  // namespace headscope

int main(int argc, char** argv) {
    using namespace headscope;
    QApplication::setApplicationName(QStringLiteral("headscope"));
    QApplication::setApplicationDisplayName(QStringLiteral("Headscope"));
    QApplication::setDesktopFileName(QStringLiteral("org.headscope.Headscope"));
    QApplication::setApplicationVersion(QStringLiteral(HEADSCOPE_VERSION));
    QStringList words;
    for (int i = 1; i < argc; ++i) words += QString::fromLocal8Bit(argv[i]);

    QString asked_language, language = languageFor({});
    std::vector<Lesson> lessons;
    Request request;
    try {
        asked_language = takeLanguage(words);
        language = languageFor(asked_language);
        lessons = builtInLessons(language);
        request = parseCommandLine(words, lessons);
    } catch (const Refusal& refusal) {
        QCoreApplication application(argc, argv);
        const Translation translation(language);
        return complain(sentence(refusal), BadUsage);
    }
    try {
        const int status = std::visit(Run{argc, argv, lessons, language, asked_language}, request);
        if (std::fflush(stdout) != 0)
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "cannot write to the standard output"));
        return status;
    } catch (const Refusal& refusal) {
        return complain(sentence(refusal), Failed);
    } catch (const std::bad_alloc&) {
        return complain(sentence(Refusal(QT_TRANSLATE_NOOP(
                            "headscope::Refusal", "there is not enough memory for this experiment"))),
                        Failed);
    } catch (const std::system_error& error) {
        return complain(sentence(Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                                           "the system starts no further thread: %1"),
                                         {error.code().message()})),
                        Failed);
    }
}
