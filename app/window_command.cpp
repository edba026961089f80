#include "app/window_command.h"

#include <algorithm>
#include <csignal>
#include <optional>
#include <unistd.h>
#include <utility>

#include <QSocketNotifier>

#include "app/animation_driver.h"
#include "app/animation_encoder.h"
#include "app/bridge.h"
#include "app/document.h"
#include "app/language.h"
#include "app/lesson_library.h"
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
/// the window waits for that, unless the run was to be saved: what of the sitting was kept before stands.
void endSoon(int status) {
    if (status == EXIT_SUCCESS)
        std::signal(SIGALRM, [](int) { _exit(EXIT_SUCCESS); });
    else
        std::signal(SIGALRM, [](int) { _exit(EXIT_FAILURE); });
    ualarm(500'000, 0);
}

/// The window is closed. Returns the exit status.
int end(Document& document, WindowMemory& memory, const Settings::Warn& warn) {
    const bool isSaving = document.isSaving();
    if (!isSaving) endSoon(EXIT_SUCCESS);
    memory.keep();
    const std::vector<Refusal> refused = document.end();
    for (const Refusal& refusal : refused) warn(refusal);
    const int status = refused.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
    if (isSaving) endSoon(status);
    document.keepLast();
    return status;
}

/// What the event loop ends with when the window is to come up again in another language.
constexpr int kInAnotherLanguage = 2000;

QString lastChosenLanguage(const Settings& settings) {
    QString code = settings.value(setting::kLanguage);
    if (code.isEmpty() || isLanguage(code)) return code;
    settings.refuse(setting::kLanguage.key);
    return {};
}

void offerLanguages(MainWindow& window, Settings& settings, QString& language) {
    std::vector<SpokenLanguage> offered;
    for (const Language& each : languages())
        offered.push_back(
            {each.code, each.name, [code = each.code] { return std::make_shared<const Translation>(code); }});
    window.setLanguages(offered, language, languageFor(language));
    QObject::connect(&window, &MainWindow::languageChosen, &window, [&, offered](const QString& code) {
        const QList<QWidget*> all = QApplication::topLevelWidgets();
        // What runs in a dialog, or stands in a window of its own, would end with this window.
        const bool alone = std::none_of(all.begin(), all.end(), [&](const QWidget* other) {
            return other != &window && other->isVisible() && other->windowType() != Qt::Popup &&
                   other->windowType() != Qt::ToolTip;
        });
        if (!alone) {
            window.setLanguages(offered, language, languageFor(language));
            return window.showHint(QCoreApplication::translate(
                "headscope::WindowCommand", "Close the other windows and dialogs first, then choose again"));
        }
        settings.setValue(setting::kLanguage, code);
        if (code == std::exchange(language, code)) return;
        QApplication::exit(kInAnotherLanguage);
    });
}

}  // namespace

int openWindow(OpenWindow request, QString language, QApplication& application, StopSignals& stop,
               const Settings::Warn& warn) {
    Settings settings(Settings::standardFile(), warn);
    if (language.isEmpty()) language = lastChosenLanguage(settings);
    QSocketNotifier notifier(stop.descriptor(), QSocketNotifier::Read);
    QObject::connect(&notifier, &QSocketNotifier::activated, &application, [&] {
        if (stop.arrived()) QApplication::exit(EXIT_SUCCESS);
    });
    std::optional<Document::Handover> before;
    for (;;) {
        const Translation translation(languageFor(language));
        const std::vector<Lesson> lessons = builtInLessons(languageFor(language));
        MainWindow window;
        WindowMemory memory(window, settings);
        request = memory.lastOr(request, lessons);
        offerLanguages(window, settings, language);
        window.setLessons(lessons);
        window.setOtherLibraries(encoderLibraries());
        window.showLesson(request.lesson);
        window.showPace(request.pace);
        Bridge bridge(window);
        bridge.start(request.experiment, request.pace);
        Document document(window, bridge, settings, before ? std::move(before->sitting) : makeSitting(warn));
        QObject::connect(&document, &Document::openingRefused, &window, warn);
        if (before)
            document.takeOver(std::move(*std::exchange(before, std::nullopt)));
        else if (!request.file.isEmpty())
            document.open(request.file);
        QObject::connect(&window, &MainWindow::sweepRequested, &window,
                         [&window](const Experiment& base) { openSweep(base, &window); });
        QObject::connect(&window, &MainWindow::animationRequested, &window,
                         [&window](const PictureSource& run) { openAnimation(run, &window); });
        window.show();
        memory.welcome();
        const int status = QApplication::exec();
        if (status != kInAnotherLanguage) return end(document, memory, warn);
        memory.keep();
        request.asked = false;
        before = document.handOver();
    }
}

}  // namespace headscope
