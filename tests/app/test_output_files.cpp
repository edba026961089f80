#include <QtTest>

#include "app/output_files.h"
#include "engine/numeric/refusal.h"

using namespace headscope;

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
        QCOMPARE(read(directory + "/a.txt"), "new");
        QCOMPARE(QDir(directory).entryList(QDir::Files | QDir::Hidden), (QStringList{"a.txt", "b.txt"}));
    }

    void oneThatCannotBeWrittenLeavesAllAsTheyWere() {
        const QTemporaryDir place;
        writeFiles(place.path(), {{"a.txt", "old"}});
        QVERIFY(QDir(place.path()).mkdir("taken"));
        try {
            writeFiles(place.path(), {{"a.txt", "new"}, {"taken", "x"}});
            QFAIL("not refused");
        } catch (const Refusal& refusal) {
            QCOMPARE(
                QString::fromUtf8(refusal.what()),
                QStringLiteral("cannot write %1/taken: Filename refers to a directory").arg(place.path()));
        }
        QCOMPARE(read(place.filePath("a.txt")), "old");
        QCOMPARE(QDir(place.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"a.txt"});
    }

    void aFileIsNoDirectory() {
        const QTemporaryDir place;
        writeFiles(place.path(), {{"a.txt", "old"}});
        QVERIFY_EXCEPTION_THROWN(makeDirectory(place.filePath("a.txt")), Refusal);
        QVERIFY_EXCEPTION_THROWN(makeDirectory(place.filePath("a.txt/b")), Refusal);
    }

private:
    static QByteArray read(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
    }
};

QTEST_APPLESS_MAIN(TestOutputFiles)
#include "test_output_files.moc"
