#include "app/window_command.h"

#include <csignal>
#include <unistd.h>

#include <QSocketNotifier>

#include "app/animation_driver.h"
#include "app/animation_encoder.h"
#include "app/bridge.h"
#include "app/document.h"
#include "app/sitting.h"
#include "app/sweep_driver.h"
#include "app/window_memory.h"

namespace headscope {
namespace {

/// A home that cannot be written to keeps nothing.
std::unique_ptr<Sitting> makeSitting(const Settings::Warn& warn) {
    try {
        return std::make_unique<Sitting>(Sitting::standardDirectory());
    } catch (const Refusal& refusal) {
        warn(refusal);
        return nullptr;
    }
}

/// The session ends after the step in hand, which takes seconds in the largest models. Nobody who has closed
/// the window waits for that: what of the sitting was kept before stands.
void endSoon() {
    std::signal(SIGALRM, [](int) { _exit(EXIT_SUCCESS); });
    ualarm(700'000, 0);
}

}  // namespace

int openWindow(OpenWindow request, const std::vector<Lesson>& lessons, QApplication& application,
               StopSignals& stop, const Settings::Warn& warn) {
    Settings settings(Settings::standardFile(), warn);
    MainWindow window;
    WindowMemory memory(window, settings);
    request = memory.lastOr(request, lessons);
    window.setLessons(lessons);
    window.setOtherLibraries(encoderLibraries());
    window.showLesson(request.lesson);
    window.showPace(request.pace);
    Bridge bridge(window);
    bridge.start(request.experiment, request.pace);
    Document document(window, bridge, settings, makeSitting(warn));
    if (!request.file.isEmpty()) document.open(request.file);
    QObject::connect(&window, &MainWindow::sweepRequested, &window,
                     [&window](const Experiment& base) { openSweep(base, &window); });
    QObject::connect(&window, &MainWindow::animationRequested, &window,
                     [&window](const PictureSource& run) { openAnimation(run, &window); });
    QSocketNotifier notifier(stop.descriptor(), QSocketNotifier::Read);
    QObject::connect(&notifier, &QSocketNotifier::activated, &application, [&] {
        if (stop.arrived()) QApplication::exit(EXIT_SUCCESS);
    });
    window.show();
    memory.welcome();
    const int status = QApplication::exec();
    endSoon();
    memory.keep();
    document.end();
    return status;
}

}  // namespace headscope
