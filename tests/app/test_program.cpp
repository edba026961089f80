#include <cmath>
#include <csignal>
#include <cstring>

#include <QImage>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

namespace {

struct Outcome {
    int status = -1;
    QString out, error;
};

/// The real program; with no environment at all, so with no display and no locale, unless told otherwise.
class Program {
public:
    explicit Program(const QStringList& arguments, const QStringList& environment = {}) {
        m_process.setProgram(QStringLiteral(HEADSCOPE_PROGRAM));
        m_process.setArguments(arguments);
        m_process.setEnvironment(environment);
        m_process.start();
        started = m_process.waitForStarted();
    }

    Outcome finish() {
        if (!m_process.waitForFinished()) return {};
        return {m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1,
                QString::fromUtf8(m_process.readAllStandardOutput()),
                QString::fromUtf8(m_process.readAllStandardError())};
    }

    void send(int signal) { kill(static_cast<pid_t>(m_process.processId()), signal); }

    int threads() const {
        return static_cast<int>(QDir(QStringLiteral("/proc/%1/task").arg(m_process.processId()))
                                    .entryList(QDir::Dirs | QDir::NoDotAndDotDot)
                                    .size());
    }

    bool started = false;

private:
    QProcess m_process;
};

Outcome run(const QStringList& arguments, const QStringList& environment = {}) {
    return Program(arguments, environment).finish();
}

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QStringList filesIn(const QString& directory) {
    return QDir(directory).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
}

const QStringList kEveryFile{"attention.npy", "experiment.json", "heads.png",
                             "loss.csv",      "loss.png",        "run.headscope"};

}  // namespace

class TestProgram : public QObject {
    Q_OBJECT
private slots:
    void init() { QVERIFY(m_place.isValid()); }

    void theRunScriptPassesEveryCommandOn() {
        const QString script = QString::fromUtf8(read(QStringLiteral(HEADSCOPE_RUN)));
        const QRegularExpression passed(
            QStringLiteral("^    ([a-z |]+)\\)\\n.*\\n        exec build/release/headscope"),
            QRegularExpression::MultilineOption);
        const QStringList commands = passed.match(script).captured(1).split(QStringLiteral(" | "));
        QStringList told;
        auto line =
            QRegularExpression(QStringLiteral("^  headscope ([a-z]+) "), QRegularExpression::MultilineOption)
                .globalMatch(run({"--help"}).out);
        while (line.hasNext()) told += line.next().captured(1);
        told.removeDuplicates();
        QVERIFY(told.size() >= 6);
        for (const QString& command : told) QVERIFY2(commands.contains(command), qPrintable(command));
    }

    void speaksWithNoDisplay_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("begin");
        QTest::newRow("help") << QStringList{"--help"} << "Headscope shows how attention learns";
        QTest::newRow("help of train")
            << QStringList{"train", "--help"} << "Headscope shows how attention learns";
        QTest::newRow("version") << QStringList{"--version"} << "headscope " HEADSCOPE_VERSION "\n";
        QTest::newRow("verify") << QStringList{"verify", "--context", "5"} << "Check ";
        QTest::newRow("lessons") << QStringList{"lessons"} << "copy              Four heads learn to copy\n";
    }

    void speaksWithNoDisplay() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, begin);
        const Outcome outcome = run(arguments);
        QCOMPARE(outcome.error, QString());
        QVERIFY2(outcome.out.startsWith(begin), qPrintable(outcome.out));
        QCOMPARE(outcome.status, 0);
    }

    void badUsageIsOneLine() {
        const Outcome outcome = run({"--heads", "5\n6"});
        QCOMPARE(outcome.error, "headscope: --heads is '5 6': it must be a whole number\n");
        QCOMPARE(outcome.out, QString());
        QCOMPARE(outcome.status, 2);
    }

    void theWindowNeedsADisplay() {
        const Outcome outcome = run({});
        QCOMPARE(outcome.error,
                 "headscope: there is no display to open the window on; headscope train needs none\n");
        QCOMPARE(outcome.status, 1);
    }

    void trainWritesTheLesson() {
        const QString out = m_place.filePath("a/b");
        const Outcome outcome = run({"train", "--out", out});
        QCOMPARE(outcome.error, QString());
        QCOMPARE(outcome.status, 0);
        QVERIFY2(outcome.out.startsWith("360 steps: loss 0.00"), qPrintable(outcome.out));
        QVERIFY(outcome.out.endsWith(out + '\n'));
        QCOMPARE(filesIn(out), kEveryFile);
    }

    void trainWritesDrawingsAndAnAnimation() {
        const QString out = m_place.filePath("drawn");
        QCOMPARE(run({"train", "--steps", "20", "--out", out}).status, 0);
        const Outcome outcome =
            run({"train", "--steps", "20", "--format", "svg", "--animation", "run.gif", "--out", out});
        QCOMPARE(outcome.error, QString());
        // The pictures of before are gone: they are of another run.
        QCOMPARE(filesIn(out), (QStringList{"attention.npy", "experiment.json", "heads.svg", "loss.csv",
                                            "loss.svg", "run.gif", "run.headscope"}));
        QVERIFY(read(out + "/heads.svg").startsWith("<?xml"));
        QProcess gifsicle;
        gifsicle.start("gifsicle", {"--info", out + "/run.gif"});
        QVERIFY(gifsicle.waitForFinished());
        QVERIFY(gifsicle.readAllStandardOutput().contains("21 images"));
    }

    void theLossFallsBelowAHundredth() {
        const QList<QByteArray> lines = read(m_place.filePath("a/b/loss.csv")).split('\n');
        QCOMPARE(lines.front(), "step,loss,accuracy");
        QCOMPARE(lines.size(), 1 + 360 + 1);
        double smoothed = lines[1].split(',')[1].toDouble();
        QVERIFY(std::abs(smoothed - std::log(64.0)) < 0.2);
        for (int step = 0; step < 360; ++step) {
            const QList<QByteArray> cells = lines[1 + step].split(',');
            QCOMPARE(cells.size(), 3);
            QCOMPARE(cells[0].toInt(), step);
            smoothed = 0.9 * smoothed + 0.1 * cells[1].toDouble();
            QVERIFY(cells[2].toDouble() >= 0 && cells[2].toDouble() <= 1);
        }
        QVERIFY2(smoothed < 0.01, qPrintable(QString::number(smoothed)));
    }

    void theAttentionIsCausalAndSumsToOne() {
        const QByteArray file = read(m_place.filePath("a/b/attention.npy"));
        QVERIFY(file.startsWith("\x93NUMPY\x01"));
        QVERIFY(file.contains("'descr': '<f4'"));
        QVERIFY(file.contains("'shape': (4, 12, 12)"));
        const qsizetype size = 4 * 12 * 12 * qsizetype(sizeof(float));
        QCOMPARE((file.size() - size) % 64, 0);
        std::vector<float> weights(4 * 12 * 12);
        std::memcpy(weights.data(), file.constData() + file.size() - size, static_cast<std::size_t>(size));
        for (std::size_t row = 0; row < 4 * 12; ++row) {
            double sum = 0;
            for (std::size_t key = 0; key < 12; ++key) {
                const float weight = weights[row * 12 + key];
                QVERIFY(weight >= 0);
                if (key > row % 12) QCOMPARE(weight, 0.0f);
                sum += double(weight);
            }
            QVERIFY(std::abs(sum - 1) < 1e-5);
        }
    }

    void thePicturesOpenAndTheExperimentIsTold() {
        for (const char* name : {"a/b/loss.png", "a/b/heads.png"}) {
            const QImage picture(m_place.filePath(name));
            QVERIFY2(picture.width() >= 1000 && picture.height() >= 500, name);
        }
        const QJsonObject told =
            QJsonDocument::fromJson(read(m_place.filePath("a/b/experiment.json"))).object();
        QCOMPARE(told["task"].toString(), "repeat");
        QCOMPARE(told["n_heads"].toInt(), 4);
        QCOMPARE(told["steps"].toInt(), 360);
    }

    void theSameExperimentGivesTheSameBits() {
        const QString again = m_place.filePath("again");
        QCOMPARE(run({"train", "--lesson", "copy", "--out", again}).status, 0);
        const QString other = m_place.filePath("other seed");
        QCOMPARE(run({"train", "--seed", "2", "--out", other}).status, 0);
        for (const char* name : {"/loss.csv", "/attention.npy"}) {
            QCOMPARE(read(again + name), read(m_place.filePath("a/b") + name));
            QVERIFY(read(other + name) != read(again + name));
        }
    }

    void aRunThatDivergesSaysWhere() {
        const QString out = m_place.filePath("diverged");
        QCOMPARE(run({"train", "--steps", "3", "--out", out}).status, 0);  // its heads must not stay
        const Outcome outcome = run({"train", "--learning-rate", "1e30", "--out", out});
        QVERIFY2(QRegularExpression("^headscope: diverged at step \\d+\n$").match(outcome.error).hasMatch(),
                 qPrintable(outcome.error));
        QCOMPARE(outcome.status, 1);
        QCOMPARE(filesIn(out), (QStringList{"experiment.json", "loss.csv", "loss.png", "run.headscope"}));
        QVERIFY(!read(out + "/loss.csv").contains("nan"));
    }

    void aDirectoryThatCannotBe() {
        QFile file(m_place.filePath("file"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const Outcome taken = run({"train", "--out", file.fileName()});
        QCOMPARE(
            taken.error,
            QStringLiteral("headscope: cannot write to %1: it is not a directory\n").arg(file.fileName()));
        QCOMPARE(taken.status, 1);
        const Outcome below = run({"train", "--out", file.fileName() + "/below"});
        QCOMPARE(below.error,
                 QStringLiteral("headscope: cannot make the directory %1/below: Not a directory\n")
                     .arg(file.fileName()));
        QCOMPARE(below.status, 1);
    }

    void resumingGivesTheSameBits() {
        const QString begun = m_place.filePath("begun"), resumed = m_place.filePath("resumed");
        QCOMPARE(run({"train", "--steps", "150", "--out", begun}).status, 0);
        const Outcome outcome =
            run({"train", "--resume", begun + "/run.headscope", "--steps", "360", "--out", resumed});
        QCOMPARE(outcome.error, QString());
        QVERIFY2(outcome.out.startsWith("360 steps: loss 0.00"), qPrintable(outcome.out));
        QCOMPARE(filesIn(resumed), kEveryFile);
        for (const char* name :
             {"/loss.csv", "/loss.png", "/attention.npy", "/heads.png", "/experiment.json"})
            QVERIFY2(read(resumed + name) == read(m_place.filePath("a/b") + name), name);
    }

    void whatCannotBeResumedIsSaid_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("reason");
        const QString done = m_place.filePath("begun/run.headscope");
        QTest::newRow("finished")
            << QStringList{"--resume", done}
            << done + ": this run has made all of its 150 steps; --steps N lets it make more";
        QTest::newRow("too few steps")
            << QStringList{"--resume", done, "--steps", "100"} << "a run of 100 steps cannot have made 150";
        QTest::newRow("no session") << QStringList{"--resume", m_place.filePath("begun/loss.csv")}
                                    << m_place.filePath("begun/loss.csv") + ": ";
        QTest::newRow("no file") << QStringList{"--resume", m_place.filePath("none")}
                                 << m_place.filePath("none") + ": there is no such file";
    }

    void whatCannotBeResumedIsSaid() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, reason);
        const QString out = m_place.filePath("not resumed");
        const Outcome outcome = run(QStringList{"train"} + arguments + QStringList{"--out", out});
        QVERIFY2(outcome.error.startsWith("headscope: " + reason), qPrintable(outcome.error));
        QCOMPARE(outcome.error.count('\n'), 1);
        QCOMPARE(outcome.status, 1);
        QVERIFY(!QFile::exists(out));
    }

    void anInterruptedRunCanBeResumed() {
        const QString out = m_place.filePath("interrupted");
        Program program({"train", "--steps", "1000000000", "--out", out});
        QVERIFY(program.started);
        QTRY_VERIFY(QDir(out).exists());
        program.send(SIGINT);
        const Outcome outcome = program.finish();
        const auto said = QRegularExpression(
                              "^headscope: stopped at step (\\d+); train --resume (.+) goes on "
                              "from there\n$")
                              .match(outcome.error);
        QVERIFY2(said.hasMatch(), qPrintable(outcome.error));
        QCOMPARE(outcome.status, 1);
        QCOMPARE(filesIn(out), QStringList{"run.headscope"});
        QCOMPARE(said.captured(2), out + "/run.headscope");
        const QString steps = QString::number(said.captured(1).toInt() + 3);
        const Outcome more = run({"train", "--resume", said.captured(2), "--steps", steps, "--out", out});
        QCOMPARE(more.error, QString());
        QVERIFY(read(out + "/loss.csv").contains('\n' + said.captured(1).toUtf8() + ','));
    }

    void theWindowEndsQuietly_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGINT") << SIGINT;
    }

    void theWindowEndsQuietly() {
        QFETCH(int, signal);
        // What the offscreen plugin itself has to say of windows is none of ours.
        Program program(
            {"--steps", "1000000000"},
            {"QT_QPA_PLATFORM=offscreen", "QT_LOGGING_RULES=*.warning=false", "HOME=" + m_place.path()});
        QVERIFY(program.started);
        QTRY_VERIFY(program.threads() > 1);
        program.send(signal);
        const Outcome outcome = program.finish();
        QCOMPARE(outcome.error, QString());
        QCOMPARE(outcome.out, QString());
        QCOMPARE(outcome.status, 0);
    }

private:
    QTemporaryDir m_place;
};

QTEST_MAIN(TestProgram)
#include "test_program.moc"
