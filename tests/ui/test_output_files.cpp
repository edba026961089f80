#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QtTest>

#include "engine/numeric/refusal.h"
#include "ui/output_files.h"

using namespace headscope;

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

QStringList filesIn(const QString& directory) {
    return QDir(directory).entryList(QDir::Files | QDir::Hidden | QDir::System);
}

/// What the refusal says; empty where there is none.
QString refusalOf(const std::function<void()>& write) {
    try {
        write();
    } catch (const Refusal& refusal) {
        return QString::fromUtf8(refusal.what());
    }
    return {};
}

/// The kernel refuses every byte beyond a few thousand of a file, as on a disk that is full.
class FullDisk {
public:
    FullDisk() {
        getrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{4096, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FullDisk() { setrlimit(RLIMIT_FSIZE, &m_before); }

private:
    rlimit m_before;
};

/// Nothing can be made in it or renamed in it, not by the superuser either: a directory of the kernel's.
const QString kReadOnly = QStringLiteral("/proc/self");

}  // namespace

class TestOutputFiles : public QObject {
    Q_OBJECT
private slots:
    void writesAndReplaces() {
        const QTemporaryDir place;
        const QString directory = place.filePath(QStringLiteral("損失 curve/deep"));
        makeDirectory(directory);
        makeDirectory(directory);
        writeFiles(directory, {{"a.txt", "old"}, {"b.txt", ""}});
        writeFiles(directory, {{"a.txt", "new"}});
        writeFile(directory + QStringLiteral("/注意力 头.txt"), "三");
        QCOMPARE(contentOf(directory + "/a.txt"), "new");
        QCOMPARE(contentOf(directory + QStringLiteral("/注意力 头.txt")), "三");
        QCOMPARE(filesIn(directory), (QStringList{"a.txt", "b.txt", QStringLiteral("注意力 头.txt")}));
    }

    void anAbsoluteNameIsItsOwnPlace() {
        const QTemporaryDir place, other;
        writeFiles(place.path(), {{other.filePath("a.txt"), "a"}});
        QCOMPARE(contentOf(other.filePath("a.txt")), "a");
        QVERIFY(filesIn(place.path()).isEmpty());
    }

    void aLinkIsFollowed() {
        const QTemporaryDir place;
        writeFile(place.filePath("a.txt"), "old");
        QVERIFY(QFile::link("a.txt", place.filePath("link.txt")));
        writeFile(place.filePath("link.txt"), "new");
        QCOMPARE(contentOf(place.filePath("a.txt")), "new");
        QVERIFY(QFileInfo(place.filePath("link.txt")).isSymLink());
    }

    void oneThatCannotBeWrittenLeavesAllAsTheyWere() {
        const QTemporaryDir place;
        writeFiles(place.path(), {{"a.txt", "old"}});
        QVERIFY(QDir(place.path()).mkdir("taken"));
        QCOMPARE(refusalOf([&] {
                     writeFiles(place.path(), {{"a.txt", "new"}, {"taken", "x"}});
                 }),
                 QStringLiteral("cannot write %1/taken: it is a directory").arg(place.path()));
        QCOMPARE(contentOf(place.filePath("a.txt")), "old");
        QCOMPARE(filesIn(place.path()), QStringList{"a.txt"});
    }

    void aNameThatTheDiskDoesNotTakeLeavesAllAsTheyWere() {
        const QTemporaryDir place;
        writeFiles(place.path(), {{"a.txt", "old"}});
        const QString name(300, 'x');
        QCOMPARE(refusalOf([&] {
                     writeFiles(place.path(), {{"a.txt", "new"}, {name, "x"}});
                 }),
                 QStringLiteral("cannot write %1: File name too long").arg(place.filePath(name)));
        QCOMPARE(contentOf(place.filePath("a.txt")), "old");
        QCOMPARE(filesIn(place.path()), QStringList{"a.txt"});
    }

    void whatIsNoFileIsNotReplaced() {
        const QTemporaryDir place;
        const QString pipe = place.filePath("pipe");
        QCOMPARE(mkfifo(qPrintable(pipe), 0600), 0);
        QCOMPARE(refusalOf([&] { writeFile(pipe, "x"); }),
                 QStringLiteral("cannot write %1: it is not a regular file").arg(pipe));
        struct stat status;
        QCOMPARE(stat(qPrintable(pipe), &status), 0);
        QVERIFY(S_ISFIFO(status.st_mode));
    }

    void theReasonIsSaid_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("reason");
        const QString there = QDir::tempPath();
        QTest::newRow("no directory") << there + "/headscope-is-not-here/a.png"
                                      << "No such file or directory";
        QTest::newRow("a file for a directory") << "/etc/passwd/a.png"
                                                << "Not a directory";
        QTest::newRow("long name") << there + "/" + QString(300, 'x') + ".png"
                                   << "File name too long";
        QTest::newRow("long name, wide letters") << there + "/" + QString(300, QChar(0x6ce8)) + ".png"
                                                 << "File name too long";
        QTest::newRow("read-only") << kReadOnly + "/a.png"
                                   << "(Operation not permitted|Permission denied)";
        QTest::newRow("a directory") << there << "it is a directory";
    }
    void theReasonIsSaid() {
        QFETCH(QString, path);
        QFETCH(QString, reason);
        const QString said = refusalOf([&] { writeFile(path, "x"); });
        const QString start = QStringLiteral("cannot write %1: ").arg(path);
        QVERIFY2(said.startsWith(start), qPrintable(said));
        const QRegularExpression expected(QRegularExpression::anchoredPattern(reason));
        QVERIFY2(expected.match(said.mid(start.size())).hasMatch(), qPrintable(said));
    }

    void aFullDiskLeavesTheOldFile() {
        const QTemporaryDir place;
        const QString path = place.filePath(QStringLiteral("注意力 頭.png"));
        writeFile(path, "old");
        QString refusal;
        {
            const FullDisk full;
            refusal = refusalOf([&] { writeFile(path, QByteArray(1'000'000, 'x')); });
        }
        QCOMPARE(refusal, QStringLiteral("cannot write %1: File too large").arg(path));
        QCOMPARE(contentOf(path), "old");
        QCOMPARE(filesIn(place.path()), QStringList{QStringLiteral("注意力 頭.png")});
    }

    void aFullDiskLeavesAllOfSeveral() {
        const QTemporaryDir place;
        writeFiles(place.path(), {{"a.txt", "old"}});
        const std::vector<OutputFile> files{{"a.txt", "new"}, {"b.txt", QByteArray(1'000'000, 'x')}};
        {
            const FullDisk full;
            QVERIFY(!refusalOf([&] { writeFiles(place.path(), files); }).isEmpty());
        }
        QCOMPARE(contentOf(place.filePath("a.txt")), "old");
        QCOMPARE(filesIn(place.path()), QStringList{"a.txt"});
    }

    void aFileIsNoDirectory() {
        const QTemporaryDir place;
        writeFiles(place.path(), {{"a.txt", "old"}});
        QVERIFY_EXCEPTION_THROWN(makeDirectory(place.filePath("a.txt")), Refusal);
        QVERIFY_EXCEPTION_THROWN(makeDirectory(place.filePath("a.txt/b")), Refusal);
    }
};

QTEST_APPLESS_MAIN(TestOutputFiles)
#include "test_output_files.moc"
