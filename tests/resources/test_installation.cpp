#include <QDirIterator>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

namespace {

const QString kId = QStringLiteral("org.headscope.Headscope");

struct Outcome {
    int status = -1;
    QString text;  ///< of both streams
};

Outcome run(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    if (!process.waitForFinished()) return {-1, program + ": " + process.errorString()};
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAll())};
}

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QSet<QString> matches(const QString& text, const char* pattern) {
    QSet<QString> found;
    for (auto all = QRegularExpression(QLatin1String(pattern), QRegularExpression::MultilineOption)
                        .globalMatch(text);
         all.hasNext();)
        found += all.next().captured(1);
    return found;
}

/// In one line, which a failed comparison then shows.
QString sorted(const QSet<QString>& set) {
    QStringList list(set.begin(), set.end());
    list.sort();
    return list.join(u' ');
}

/// The lines, or words, that a shell's completion prints.
QSet<QString> offered(const QString& text) {
    const QStringList words = text.split(QRegularExpression("\\s+"), Qt::SkipEmptyParts);
    return {words.begin(), words.end()};
}

}  // namespace

/// What `cmake --install` brings: complete, in one place of the caller's choice, and well formed to the
/// programs that read it.
class TestInstallation : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(m_place.isValid());
        qputenv("DESTDIR", m_place.path().toUtf8());
        const Outcome outcome =
            run(HEADSCOPE_CMAKE, {"--install", HEADSCOPE_BUILD_DIR, "--prefix", "/opt/any where"});
        qunsetenv("DESTDIR");
        QVERIFY2(outcome.status == 0, qPrintable(outcome.text));
        const Outcome help = run(program(), {"--language", "en", "--help"});
        QVERIFY2(help.status == 0, qPrintable(help.text));
        m_options = matches(help.text, "(?:^|[ ,])(--?[a-z][a-z-]*)\\b");
        m_commands = matches(help.text, "^  headscope ([a-z]+) ");
        QVERIFY(m_options.contains("--lesson") && m_options.contains("-h") &&
                m_options.contains("--version"));
        QVERIFY(m_commands.contains("train") && m_commands.contains("lessons"));
    }

    void nothingLiesOutsideThePrefixAndNothingIsMissing() {
        QStringList files;
        QDirIterator walk(m_place.path(), QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (walk.hasNext()) {
            const QString file = walk.next();
            QVERIFY2(file.startsWith(prefix() + '/'), qPrintable(file));
            files += QDir(prefix()).relativeFilePath(file);
        }
        QStringList expected{"bin/headscope",
                             "share/applications/" + kId + ".desktop",
                             "share/bash-completion/completions/headscope",
                             "share/doc/headscope/changelog.gz",
                             "share/doc/headscope/copyright",
                             "share/icons/hicolor/scalable/apps/" + kId + ".svg",
                             "share/icons/hicolor/scalable/mimetypes/application-x-headscope.svg",
                             "share/man/man1/headscope.1.gz",
                             "share/metainfo/" + kId + ".metainfo.xml",
                             "share/mime/packages/" + kId + ".xml",
                             "share/zsh/site-functions/_headscope"};
        for (const int size : kSizes)
            expected << icon(size, "apps/" + kId) << icon(size, "mimetypes/application-x-headscope");
        files.sort();
        expected.sort();
        QCOMPARE(files, expected);
    }

    void theProgramRunsWhereverItLiesAndSearchesNoOtherPlace() {
        QCOMPARE(run(program(), {"--version"}).text, "headscope " HEADSCOPE_VERSION "\n");
        const Outcome elf = run("readelf", {"--dynamic", "--wide", program()});
        QCOMPARE(elf.status, 0);
        QVERIFY(elf.text.contains("(NEEDED)"));
        QVERIFY2(!elf.text.contains("(RPATH)") && !elf.text.contains("(RUNPATH)"), qPrintable(elf.text));
    }

    void theDesktopFileIsValid() {
        const QString file = share("applications/" + kId + ".desktop");
        const Outcome outcome = run("desktop-file-validate", {file});
        QCOMPARE(outcome.text, QString());
        QCOMPARE(outcome.status, 0);
        const QByteArray text = read(file);
        QVERIFY(text.contains("\nIcon=org.headscope.Headscope\n"));
        QVERIFY(text.contains("\nMimeType=application/x-headscope;\n"));
    }

    void theMetainfoIsValidAndTellsThisVersion() {
        const QString file = share("metainfo/" + kId + ".metainfo.xml");
        const Outcome outcome = run("appstreamcli", {"validate", "--no-net", file});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.text));
        QXmlStreamReader xml(read(file));
        QString id, version;
        int screenshots = 0;
        while (!xml.atEnd()) {
            xml.readNext();
            if (!xml.isStartElement()) continue;
            if (xml.name() == u"id") id = xml.readElementText();
            if (xml.name() == u"release" && version.isEmpty())
                version = xml.attributes().value("version").toString();
            if (xml.name() == u"screenshot") ++screenshots;
        }
        QCOMPARE(id, kId);
        QCOMPARE(version, HEADSCOPE_VERSION);
        QVERIFY(screenshots > 0);
    }

    void sessionFilesAreKnownByTheirName() {
        const QString mime = m_place.filePath("mime");
        QVERIFY(QDir().mkpath(mime + "/packages"));
        QVERIFY(QFile::copy(share("mime/packages/" + kId + ".xml"), mime + "/packages/" + kId + ".xml"));
        const Outcome outcome = run("update-mime-database", {mime});
        QVERIFY2(outcome.status == 0, qPrintable(outcome.text));
        QVERIFY(read(mime + "/globs2").contains("50:application/x-headscope:*.headscope\n"));
        QVERIFY(read(mime + "/icons").contains("application/x-headscope:application-x-headscope\n"));
    }

    void theIconsHaveTheirSizes() {
        for (const int size : kSizes)
            for (const QString& name : {"apps/" + kId, QString("mimetypes/application-x-headscope")}) {
                const QImage image(prefix() + '/' + icon(size, name));
                QCOMPARE(image.size(), QSize(size, size));
                QVERIFY(image.hasAlphaChannel() && qAlpha(image.pixel(0, 0)) < 128);
            }
        // A causal triangle: something below the diagonal, the ground above it.
        const QImage image(prefix() + '/' + icon(128, "apps/" + kId));
        QCOMPARE(image.pixelColor(28, 28), QColor(0xfde725));
        QCOMPARE(image.pixelColor(100, 28), QColor(0xe8ecf8));
    }

    void theManualIsFoundWithoutAWarning() {
        const QString man = share("man");
        const Outcome found = run("man", {"-M", man, "-w", "headscope"});
        QCOMPARE(found.text.trimmed(), man + "/man1/headscope.1.gz");
        qputenv("MAN_KEEP_FORMATTING", "");
        const Outcome outcome = run("man", {"--warnings", "-l", man + "/man1/headscope.1.gz"});
        QCOMPARE(outcome.status, 0);
        QVERIFY2(!outcome.text.contains("warning"), qPrintable(outcome.text));
        QVERIFY(outcome.text.contains("Headscope " HEADSCOPE_VERSION));
        m_manual = outcome.text;
    }

    void theManualTellsEveryOptionAndCommand() {
        QVERIFY(!m_manual.isEmpty());
        const QSet<QString> told =
            matches(m_manual, "^ +(--?[a-z][a-z-]*)\\b") + matches(m_manual, "^ +-h, (--help)");
        QCOMPARE(sorted(m_options - told), QString());
        QCOMPARE(sorted(told - m_options), QString());
        const QSet<QString> commands = matches(m_manual, "^ {7}([a-z]+)\\b");
        QCOMPARE(sorted(m_commands - commands), QString());
    }

    void bashOffersWhatThereIs() {
        QCOMPARE(sorted(bash("headscope -")), sorted(m_options));
        QCOMPARE(sorted(bash("headscope ''")), sorted(m_commands));
        QCOMPARE(sorted(bash("headscope train --he")), "--head --heads --help");
        QCOMPARE(sorted(bash("headscope train --task ''")), "lag-copy prefix-copy repeat");
        QCOMPARE(sorted(bash("headscope --language z")), "zh_CN");
        QVERIFY(bash("headscope --lesson s") == QSet<QString>{"scaling-stall"});
        QCOMPARE(sorted(bash("headscope --heads ''")), QString());
    }

    void zshOffersWhatThereIs() {
        QCOMPARE(run("zsh", {"-n", share("zsh/site-functions/_headscope")}).status, 0);
        QCOMPARE(sorted(zsh("_headscope_commands $program")), sorted(m_commands));
        QCOMPARE(sorted(zsh("_headscope_options $program | sed 's/:.*//'")), sorted(m_options));
        QCOMPARE(sorted(zsh("_headscope_words $program --task")), "lag-copy prefix-copy repeat");
    }

private:
    static constexpr int kSizes[] = {16, 24, 32, 48, 64, 128, 256};

    QString prefix() const { return m_place.filePath("opt/any where"); }
    QString share(const QString& path) const { return prefix() + "/share/" + path; }
    QString program() const { return prefix() + "/bin/headscope"; }
    static QString icon(int size, const QString& name) {
        return QStringLiteral("share/icons/hicolor/%1x%1/%2.png").arg(size).arg(name);
    }

    /// What stands for the last word of a command line that is being typed.
    QSet<QString> bash(const QString& line) {
        const Outcome outcome =
            run("bash",
                {"-c",
                 QStringLiteral(
                     "source \"$1\"; COMP_WORDS=(%1); COMP_WORDS[0]=$0; "
                     "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _headscope; printf '%s\\n' \"${COMPREPLY[@]}\"")
                     .arg(line),
                 program(), share("bash-completion/completions/headscope")});
        return offered(outcome.text);
    }

    QSet<QString> zsh(const QString& command) {
        return offered(run("zsh", {"-f", "-c", "source $1; program=$2; " + command, "zsh",
                                   share("zsh/site-functions/_headscope"), program()})
                           .text);
    }

    QTemporaryDir m_place;
    QSet<QString> m_options, m_commands;
    QString m_manual;
};

QTEST_GUILESS_MAIN(TestInstallation)
#include "test_installation.moc"
