// What the window costs: ./run bench. Everything is the program's own, on Qt's offscreen platform.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include "app/bridge.h"
#include "app/lesson_library.h"
#include "engine/training/trainer.h"
#include "ui/head_grid.h"
#include "ui/loss_chart.h"
#include "ui/main_window.h"
#include "ui/style.h"
#include "ui/tick_slider.h"

using namespace headscope;

namespace {

constexpr int kEndless = 1'000'000'000;  // steps of a run that nobody waits for
constexpr QSize kScreen(1600, 1000);     // every panel of the window has room

/// What threads have had of their processors: CLOCK_THREAD_CPUTIME_ID for this one, CLOCK_PROCESS_CPUTIME_ID
/// for all. On a busy machine the share of other programs does not count.
double processorSeconds(clockid_t clock) {
    timespec time;
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Of the engine's thread, as the window's is the only other one that works.
double engineSeconds() {
    return processorSeconds(CLOCK_PROCESS_CPUTIME_ID) - processorSeconds(CLOCK_THREAD_CPUTIME_ID);
}

/// The least that doing something costs this thread, in milliseconds.
template <typename F>
double leastMilliseconds(F&& once) {
    double best = INFINITY;
    for (int turn = 0; turn < 30; ++turn) {
        const double start = processorSeconds(CLOCK_THREAD_CPUTIME_ID);
        once(turn);
        best = std::min(best, processorSeconds(CLOCK_THREAD_CPUTIME_ID) - start);
    }
    return 1e3 * best;
}

/// What a person waits, who has no choice of the best turn.
double median(std::vector<double> values) {
    if (values.empty()) return NAN;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double seconds(const QElapsedTimer& timer) { return 1e-9 * static_cast<double>(timer.nsecsElapsed()); }

void processEvents() { QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents); }

void processEventsFor(double duration) {
    QElapsedTimer timer;
    for (timer.start(); seconds(timer) < duration;) processEvents();
}

/// The window of the program and what runs behind it.
struct Program {
    MainWindow window;
    Bridge bridge{window};
    HeadGrid* grid = window.findChild<HeadGrid*>(QStringLiteral("headGrid"));
    LossChart* chart = window.findChild<LossChart*>(QStringLiteral("lossChart"));

    explicit Program(const Experiment& experiment) {
        window.setLessons(builtInLessons());
        window.resize(kScreen);
        window.show();
        bridge.start(experiment, kUnlimitedPace);
    }

    std::int64_t stepsDone() const {
        const auto last = chart->lastPoint();
        return last ? last->step + 1 : 0;
    }
    void runTo(std::int64_t steps) const {
        while (stepsDone() < steps) processEvents();
    }
};

struct Row {
    const char* name;
    const char* what;
    double value;
    double limit;
    const char* unit;
    bool at_least = false;

    bool holds() const { return at_least ? value >= limit : value <= limit; }
};

/// (a) Steps per second with the window open, as a share of those without one just before: by the
/// clock, which wants a core for each, and by the processor time of the engine's thread, which does not.
std::vector<Row> shareOfHeadlessPace() {
    Experiment e;
    e.model = {.vocab_size = 64, .d_model = 128, .n_heads = 8, .context_length = 64};
    e.steps = kEndless;
    constexpr double kTurn = 1;
    std::vector<double> by_clock, by_processor;  // of a turn with the window to the one before without
    for (int turn = 0; turn < 8; ++turn) {
        Trainer trainer(e);
        trainer.step();
        double start = processorSeconds(CLOCK_THREAD_CPUTIME_ID);
        QElapsedTimer timer;
        timer.start();
        while (seconds(timer) < kTurn) trainer.step();
        const auto alone = static_cast<double>(trainer.stepsDone() - 1);
        const double alone_by_clock = alone / seconds(timer);
        const double alone_by_processor = alone / (processorSeconds(CLOCK_THREAD_CPUTIME_ID) - start);

        Program program(e);
        processEventsFor(0.5);  // the first frames, and the kernels of the first step
        const std::int64_t before = program.stepsDone();
        start = engineSeconds();
        timer.restart();
        processEventsFor(kTurn);
        const auto shown = static_cast<double>(program.stepsDone() - before);
        by_clock.push_back(shown / seconds(timer) / alone_by_clock);
        by_processor.push_back(shown / (engineSeconds() - start) / alone_by_processor);
    }
    return {{"pace", "steps/s with 8 heads of 64x64 shown, share of headless", 100 * median(by_clock), 90,
             "%", true},
            {"pace_of_engine", "the same by the processor time of the engine's thread",
             100 * median(by_processor), 90, "%", true}};
}

std::shared_ptr<const Snapshot> snapshotOf(int heads, int length, float shift) {
    Snapshot s;
    s.experiment.model = {
        .vocab_size = 64, .d_model = 64 * heads, .n_heads = heads, .context_length = length};
    s.weights.assign(static_cast<std::size_t>(heads) * std::size_t(length) * std::size_t(length), 0);
    for (int h = 0; h < heads; ++h)
        for (int q = 0; q < length; ++q)
            for (int k = 0; k <= q; ++k)
                s.weights[(static_cast<std::size_t>(h) * std::size_t(length) + std::size_t(q)) *
                              std::size_t(length) +
                          std::size_t(k)] =
                    0.5f + 0.5f * std::sin(shift + 0.1f * static_cast<float>(q + h) * static_cast<float>(k));
    s.tokens.assign(static_cast<std::size_t>(length), 1);
    return std::make_shared<const Snapshot>(std::move(s));
}

/// (b) One frame of the heads, drawn anew.
double millisecondsPerFrame(int heads, int length) {
    HeadGrid grid;
    grid.resize(1000, 620);
    QImage screen(grid.size(), QImage::Format_ARGB32_Premultiplied);
    const std::shared_ptr<const Snapshot> snapshots[] = {snapshotOf(heads, length, 0),
                                                         snapshotOf(heads, length, 1)};
    return leastMilliseconds([&](int frame) {
        grid.showSnapshot(snapshots[frame % 2]);
        grid.render(&screen);
    });
}

/// (c) A replot of a long run, after new points.
double millisecondsPerReplot(std::int64_t points) {
    LossChart chart;
    chart.resize(1000, 300);
    Experiment e;
    e.steps = kEndless;
    chart.beginRun(e);
    std::vector<LossPoint> all;
    for (std::int64_t i = 0; i < points; ++i) {
        const auto x = static_cast<float>(i);
        all.push_back({i, 2 + std::sin(x * 0.7f) + 1000 / (1000 + x), 0.5f});
    }
    chart.append(all);
    QImage screen(chart.size(), QImage::Format_ARGB32_Premultiplied);
    chart.render(&screen);
    return leastMilliseconds([&](int frame) {
        chart.append({{points + frame, 2, 0.5f}});
        chart.render(&screen);
    });
}

/// (d) From the start of the program's process until Qt has put its first frame on the screen.
double secondsToFirstFrame() {
    std::vector<double> times;
    for (int turn = 0; turn < 9; ++turn) {
        QProcess program;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_LOGGING_RULES"), QStringLiteral("qt.widgets.painting=true"));
        program.setProcessEnvironment(environment);
        QElapsedTimer timer;
        timer.start();
        program.start(QStringLiteral(HEADSCOPE_PROGRAM));
        program.setReadChannel(QProcess::StandardError);
        QByteArray log;
        while (!log.contains("Flushing") && program.waitForReadyRead()) log += program.readAllStandardError();
        if (log.contains("Flushing")) times.push_back(seconds(timer));
        program.kill();
        program.waitForFinished();
    }
    return median(times);
}

/// (e) From a slider's release to the first snapshot of the run that it asked for, shown.
double millisecondsToNewRun() {
    Experiment e;
    e.steps = kEndless;
    Program program(e);
    auto* slider = program.window.findChild<TickSlider*>(QStringLiteral("headsSlider"));
    std::vector<double> times;
    for (int turn = 0; turn < 21; ++turn) {
        processEventsFor(0.2);
        const int heads = program.grid->snapshot()->experiment.model.n_heads;
        const QPoint place = slider->placeOf(turn % 2 == 0 ? slider->minimum() : slider->maximum());
        QTest::mousePress(slider, Qt::LeftButton, {}, place);
        QElapsedTimer timer;
        timer.start();
        QTest::mouseRelease(slider, Qt::LeftButton, {}, place);
        while (program.grid->snapshot()->experiment.model.n_heads == heads) processEvents();
        times.push_back(seconds(timer));
    }
    return 1e3 * median(times);
}

double residentMegabytes() {
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QFile::ReadOnly)) return NAN;
    return file.readAll().split(' ').at(1).toDouble() * 4096 / 1e6;
}

/// (f) A long run in the window: how its memory and its steps grow.
std::vector<Row> longRun() {
    Experiment e;
    e.batch_size = 1;
    e.steps = kEndless;
    Program program(e);
    const auto secondsPerStep = [&] {  // the best of some windows of about 1000 steps
        double best = INFINITY;
        for (int turn = 0; turn < 12; ++turn) {
            const std::int64_t from = program.stepsDone();
            const double start = engineSeconds();
            program.runTo(from + 1000);
            best =
                std::min(best, (engineSeconds() - start) / static_cast<double>(program.stepsDone() - from));
        }
        return best;
    };
    program.runTo(1);
    const double first = secondsPerStep();
    program.runTo(10'000);
    const double before = residentMegabytes();
    program.runTo(1'000'000);
    const double growth = residentMegabytes() - before;
    const double last = secondsPerStep();
    return {
        {"memory_growth", "resident memory at 10^6 steps over that at 10^4", growth, 150, "MB"},
        {"slower", "the last 1000 of 10^6 steps slower than the first", 100 * (last / first - 1), 5, "%"}};
}

/// Adds the rows to the figures of the engine that are in the file, where there are some.
bool write(const QString& path, const QJsonObject& window) {
    QFile file(path);
    QJsonObject all;
    if (file.open(QFile::ReadOnly)) all = QJsonDocument::fromJson(file.readAll()).object();
    file.close();
    all[QStringLiteral("window")] = window;
    return file.open(QFile::WriteOnly) && file.write(QJsonDocument(all).toJson()) > 0 && file.flush();
}

}  // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    QCommandLineParser arguments;
    arguments.addHelpOption();
    arguments.addOptions({{"json", "Add the figures to those in <file>.", "file"},
                          {"only", "Measure only these <rows>: pace, paint, start or run.", "rows"}});
    arguments.process(application);
    applyStyle(application);

    QJsonObject figures;
    const auto tell = [&](const Row& row) {
        std::printf("%-14s %8.2f %-2s (%s %g) %-6s %s\n", row.name, row.value, row.unit,
                    row.at_least ? "at least" : "at most", row.limit, row.holds() ? "" : "MISSED", row.what);
        std::fflush(stdout);
        figures[row.name] = QJsonObject{
            {"value", row.value}, {"limit", row.limit}, {"unit", row.unit}, {"holds", row.holds()}};
    };
    const QString only = arguments.value("only");
    const auto wanted = [&](const char* rows) { return only.isEmpty() || only == rows; };
    if (wanted("pace"))
        for (const Row& row : shareOfHeadlessPace()) tell(row);
    if (wanted("paint")) {
        tell({"frame_64", "a frame of 64 heads of 256x256", millisecondsPerFrame(64, 256), 10, "ms"});
        tell({"frame_8", "a frame of 8 heads of 12x12", millisecondsPerFrame(8, 12), 1, "ms"});
        tell({"replot", "a replot of 10^6 losses", millisecondsPerReplot(1'000'000), 10, "ms"});
    }
    if (wanted("start")) {
        tell({"first_frame", "from process start to the first painted frame", secondsToFirstFrame(), 0.4,
              "s"});
        tell({"new_run", "from a slider's release to the new run's snapshot", millisecondsToNewRun(), 50,
              "ms"});
    }
    if (wanted("run"))
        for (const Row& row : longRun()) tell(row);
    if (arguments.isSet("json") && !write(arguments.value("json"), figures)) {
        std::fprintf(stderr, "bench: cannot write %s\n", qPrintable(arguments.value("json")));
        return 1;
    }
    return 0;
}
