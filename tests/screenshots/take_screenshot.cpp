// Runs the program's own window until its run has ended, and takes its picture:
//   take_screenshot FILE.png WIDTHxHEIGHT light|dark [headscope's options]

#include <cstdio>

#include <QAbstractButton>
#include <QApplication>
#include <QScreen>
#include <QTimer>

#include "app/bridge.h"
#include "app/command_line.h"
#include "app/language.h"
#include "app/lesson_library.h"
#include "ui/main_window.h"
#include "ui/sentences.h"
#include "ui/style.h"
#include "ui/theme.h"

using namespace headscope;

namespace {

// Snapshots come at display rate: at this pace about every second step is in the curves of the mechanism.
constexpr double kPace = 120;
constexpr int kLookEvery = 50, kSettle = 700;  // milliseconds

int take(QStringList words) {
    const QString file = words.takeFirst();
    const QStringList size = words.takeFirst().split(u'x');
    const ThemeChoice theme = words.takeFirst() == u"dark" ? ThemeChoice::Dark : ThemeChoice::Light;
    const QString language = languageFor(takeLanguage(words));
    const Translation translation(language);
    applyStyle(*qApp);
    const std::vector<Lesson> lessons = builtInLessons(language);
    const auto request = std::get<OpenWindow>(parseCommandLine(words, lessons));

    MainWindow window;
    window.setTheme(theme);
    window.setLessons(lessons);
    window.showLesson(request.lesson);
    window.showPace(kPace);
    Bridge bridge(window);
    bridge.start(request.experiment, kPace);
    window.resize(size.value(0).toInt(), size.value(1).toInt());
    window.show();

    // A step can be asked for exactly while there is a run that has not ended.
    const auto* step = window.findChild<QAbstractButton*>(QStringLiteral("stepButton"));
    bool begun = false;
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, [&] {
        begun = begun || step->isEnabled();
        if (!begun || step->isEnabled()) return;
        look.stop();
        QTimer::singleShot(kSettle, &window, [&] {
            const QPixmap picture = window.grab();
            std::printf("%s: %d x %d, window %d x %d\n", qPrintable(file), picture.width(), picture.height(),
                        window.width(), window.height());
            QApplication::exit(picture.save(file) ? 0 : 1);
        });
    });
    look.start(kLookEvery);
    return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    const QStringList words = QApplication::arguments().mid(1);
    if (words.size() < 3) {
        std::fputs("take_screenshot FILE.png WIDTHxHEIGHT light|dark [OPTION]...\n", stderr);
        return 2;
    }
    try {
        return take(words);
    } catch (const Refusal& refusal) {
        std::fprintf(stderr, "take_screenshot: %s\n", qPrintable(sentence(refusal)));
        return 1;
    }
}
