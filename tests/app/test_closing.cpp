#include <csignal>
#include <cstdio>

#include <QAction>
#include <QDialog>
#include <QFileDialog>
#include <QProcess>
#include <QPushButton>
#include <QtTest>

#include "app/window_command.h"
#include "engine/training/session_file.h"
#include "ui/main_window.h"
#include "ui/style.h"

using namespace headscope;

// The window in a process of its own, which is this program again, told what to do once it trains.

namespace {

QDialog* openDialog() {
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (auto* dialog = qobject_cast<QDialog*>(widget); dialog && dialog->isVisible()) return dialog;
    return nullptr;
}

void trigger(MainWindow& window, const char* action) {
    window.findChild<QAction*>(QLatin1String(action))->trigger();
}

/// What goes wrong; nothing when all is well.
QString escapeFromEveryDialog(MainWindow& window) {
    QTest::keyClick(&window, Qt::Key_Escape);  // the tour of the first start
    for (const char* action :
         {"openAction", "saveAsAction", "exportHeadsAction", "exportLossAction", "exportAnimationAction",
          "keysAction", "resetAction", "sweepAction", "aboutAction"}) {
        trigger(window, action);
        QDialog* dialog = openDialog();
        if (!dialog) return QStringLiteral("%1 opens nothing\n").arg(QLatin1String(action));
        QTest::keyClick(dialog, Qt::Key_Escape);
        if (openDialog()) return QStringLiteral("%1 does not close\n").arg(QLatin1String(action));
    }
    return {};
}

void beginSweep(MainWindow& window) {
    trigger(window, "sweepAction");
    openDialog()->findChild<QPushButton*>("sweepStart")->click();
}

void beginExport(MainWindow& window) {
    trigger(window, "exportAnimationAction");
    QDialog* dialog = openDialog();
    dialog->findChild<QPushButton*>("animationSave")->click();
    auto* file = dialog->findChild<QFileDialog*>();
    emit file->fileSelected(QDir::home().filePath("run.gif"));
    file->close();
}

void act(MainWindow& window, const QString& what) {
    if (what.contains(u"save")) emit window.saveRequested(QDir::home().filePath("x.headscope"));
    if (what.contains(u"refused")) emit window.saveRequested(QDir::home().filePath("none/x.headscope"));
    if (what == u"corner") window.close();
    if (what == u"Ctrl+Q") QTest::keyClick(&window, Qt::Key_Q, Qt::ControlModifier);
    if (what == u"Esc") {
        std::fputs(qPrintable(escapeFromEveryDialog(window)), stderr);
        QTest::keyClick(&window, Qt::Key_Q, Qt::ControlModifier);
    }
    if (what == u"sweep") beginSweep(window);
    if (what == u"sweep, corner") {
        beginSweep(window);
        window.close();
    }
    if (what == u"export") beginExport(window);
    if (what == u"dialog") trigger(window, "openAction");
    std::puts("ready");
    std::fflush(stdout);
}

int child(int argc, char** argv) {
    const QString what = QString::fromUtf8(argv[2]);
    StopSignals stop;
    QApplication application(argc, argv);
    applyStyle(application);
    Experiment experiment;
    experiment.steps = 1'000'000'000;
    if (what == u"slow") experiment.model = {4096, 1024, 4, 256}, experiment.batch_size = 128;
    if (what.contains(u"save")) experiment.model = {1024, 512, 4, 256}, experiment.batch_size = 16;
    const bool isSlow = experiment.model.d_model > 100;
    QTimer watch;
    QObject::connect(&watch, &QTimer::timeout, &watch, [&] {
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            auto* window = qobject_cast<MainWindow*>(widget);
            if (!window || (window->record().curve.size() < 10 && !isSlow)) continue;
            watch.stop();
            return act(*window, what);
        }
    });
    watch.start(5);
    return openWindow({QStringLiteral("copy"), kUnlimitedPace, experiment}, QStringLiteral("en"), application,
                      stop, [](const Refusal& refusal) { std::fprintf(stderr, "%s\n", refusal.what()); });
}

class Window {
public:
    Window(const QString& what, const QString& home) {
        m_process.setProgram(QCoreApplication::applicationFilePath());
        m_process.setArguments({"--child", what});
        m_process.setEnvironment({"QT_QPA_PLATFORM=offscreen", "QT_LOGGING_RULES=*.warning=false",
                                  "LC_ALL=C.UTF-8", "HOME=" + home});
        m_process.start();
    }

    bool isReady() {
        while (!m_process.readAllStandardOutput().contains("ready"))
            if (!m_process.waitForReadyRead()) return false;
        return true;
    }
    bool isThere() const { return m_process.state() == QProcess::Running; }
    void send(int signal) { kill(pid_t(m_process.processId()), signal); }

    /// What it said on its way out, which is nothing when all is well.
    QString end(int status = 0) {
        if (!m_process.waitForFinished()) return QStringLiteral("it does not end");
        if (m_process.exitStatus() != QProcess::NormalExit) return QStringLiteral("it crashed");
        if (m_process.exitCode() != status)
            return QStringLiteral("its status is %1").arg(m_process.exitCode());
        return QString::fromUtf8(m_process.readAllStandardError());
    }

private:
    QProcess m_process;
};

}  // namespace

class TestClosing : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_place = std::make_unique<QTemporaryDir>();
        QVERIFY(m_place->isValid());
    }

    void endsQuietlyAndKeepsTheSitting_data() {
        QTest::addColumn<int>("signal");
        for (const char* what : {"corner", "Ctrl+Q", "Esc", "sweep, corner"}) QTest::newRow(what) << 0;
        for (const char* what : {"training", "sweep", "export", "dialog"}) QTest::newRow(what) << SIGTERM;
    }

    void endsQuietlyAndKeepsTheSitting() {
        QFETCH(int, signal);
        Window window(QTest::currentDataTag(), m_place->path());
        QVERIFY(window.isReady());
        if (signal) window.send(signal);
        QCOMPARE(window.end(), QString());
        QCOMPARE(sittings(), QStringList{"last.headscope"});
        const StoredSession kept = readSession(sitting("last.headscope"));
        QVERIFY(kept.record.curve.size() >= 10);
        QCOMPARE(kept.checkpoint.first.steps_done, std::int64_t(kept.record.curve.size()));
    }

    void aStepThatTakesLongHoldsNothingUp() {
        Window window("slow", m_place->path());
        QVERIFY(window.isReady());
        window.send(SIGTERM);
        QCOMPARE(window.end(), QString());
    }

    void aStepThatTakesLongLosesNothingThatWasSaved() {
        Window window("save", m_place->path());
        QVERIFY(window.isReady());
        window.send(SIGTERM);
        QCOMPARE(window.end(), QString());
        readSession(m_place->filePath("x.headscope").toStdString());
    }

    void whatCouldNotBeSavedIsSaidOnTheWayOut() {
        Window window("save, refused", m_place->path());
        QVERIFY(window.isReady());
        window.send(SIGTERM);
        const QString said = window.end(EXIT_FAILURE);
        QVERIFY2(said.contains("cannot write " + m_place->filePath("none/x.headscope")), qPrintable(said));
        QCOMPARE(said.count('\n'), 1);
        readSession(m_place->filePath("x.headscope").toStdString());
    }

    void windowsDoNotDisturbEachOther() {
        Window one("training", m_place->path()), other("training", m_place->path());
        QVERIFY(one.isReady() && other.isReady());
        one.send(SIGTERM);
        QCOMPARE(one.end(), QString());
        QVERIFY(other.isThere());
        readSession(sitting("last.headscope"));
        other.send(SIGTERM);
        QCOMPARE(other.end(), QString());
        readSession(sitting("last.headscope"));
        QCOMPARE(sittings(), QStringList{"last.headscope"});
    }

    void aHomeThatCannotBeWrittenToIsWarnedOf() {
        QFile file(m_place->filePath("file"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        Window window("training", file.fileName());  // a directory that is a file
        QVERIFY(window.isReady());
        window.send(SIGTERM);
        const QString said = window.end();
        QVERIFY2(said.contains("the settings cannot be kept in " + file.fileName()), qPrintable(said));
        QVERIFY2(said.contains("cannot make the directory " + file.fileName()), qPrintable(said));
        QCOMPARE(said.count('\n'), 2);
    }

private:
    QString directory() const { return m_place->filePath(".local/share/headscope/sittings"); }
    QStringList sittings() const { return QDir(directory()).entryList(QDir::Files | QDir::Hidden); }
    std::string sitting(const char* name) const { return QDir(directory()).filePath(name).toStdString(); }

    std::unique_ptr<QTemporaryDir> m_place;
};

int main(int argc, char** argv) {
    if (argc == 3 && std::string_view(argv[1]) == "--child") return child(argc, argv);
    QCoreApplication application(argc, argv);
    TestClosing test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_closing.moc"
