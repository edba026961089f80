#include <QtTest>

#include "app/sitting.h"
#include "engine/numeric/refusal.h"
#include "tests/contents_of.h"
#include "ui/output_files.h"

using namespace headscope;

class TestSitting : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_place = std::make_unique<QTemporaryDir>();
        QVERIFY(m_place->isValid());
        m_directory = m_place->filePath("a/sittings");
    }

    void theFirstHasNothingBeforeIt() {
        const Sitting sitting(m_directory);
        QCOMPARE(sitting.left(), QString());
        QVERIFY(!QFile::exists(sitting.last()));
        QVERIFY(!QFile::exists(sitting.file()));
    }

    void whatEndedWellIsTheLast() {
        for (const char* content : {"one", "two"}) {
            Sitting sitting(m_directory);
            QCOMPARE(sitting.left(), QString());
            writeFile(sitting.file(), content);
            sitting.end();
            QCOMPARE(contentsOf(sitting.last()), QByteArray(content));
        }
        QCOMPARE(QDir(m_directory).entryList(QDir::Files), QStringList{"last.headscope"});
    }

    void endingWithNothingKeptLeavesTheLast() {
        Sitting first(m_directory);
        writeFile(first.file(), "one");
        first.end();
        Sitting(m_directory).end();
        QCOMPARE(contentsOf(first.last()), QByteArray("one"));
    }

    void aFileThatNobodyHoldsWasLeft() {
        leave("crashed");
        Sitting next(m_directory);
        QCOMPARE(contentsOf(next.left()), QByteArray("crashed"));
        const Sitting beside(m_directory);  // it is not offered twice
        QCOMPARE(beside.left(), QString());
        next.forgetLeft();
        QCOMPARE(next.left(), QString());
        QCOMPARE(Sitting(m_directory).left(), QString());
    }

    void whatIsNotForgottenIsOfferedAgain() {
        leave("crashed");
        Sitting(m_directory).end();
        QCOMPARE(contentsOf(Sitting(m_directory).left()), QByteArray("crashed"));
    }

    void theNewestIsOfferedFirst() {
        leave("older");
        QFile older(Sitting(m_directory).left());
        QVERIFY(older.open(QIODevice::ReadWrite));
        QVERIFY(
            older.setFileTime(QDateTime::currentDateTime().addDays(-1), QFileDevice::FileModificationTime));
        older.close();
        const Sitting holder(m_directory);  // so that the next is left beside it
        leave("newer");
        QCOMPARE(contentsOf(Sitting(m_directory).left()), QByteArray("newer"));
    }

    void windowsDoNotDisturbEachOther() {
        Sitting one(m_directory), other(m_directory);
        QVERIFY(one.file() != other.file());
        writeFile(one.file(), "one");
        writeFile(other.file(), "other");
        QCOMPARE(Sitting(m_directory).left(), QString());  // both are held
        one.end();
        QCOMPARE(contentsOf(other.file()), QByteArray("other"));
        QCOMPARE(contentsOf(other.last()), QByteArray("one"));
    }

    void oldRemainsOfWritingGo() {
        Sitting(m_directory).end();
        for (const char* name : {"x.headscope.AbCdEf", "y.headscope.AbCdEf"})
            writeFile(QDir(m_directory).filePath(name), "part");
        QFile old(QDir(m_directory).filePath("x.headscope.AbCdEf"));
        QVERIFY(old.open(QIODevice::ReadWrite));
        QVERIFY(old.setFileTime(QDateTime::currentDateTime().addDays(-1), QFileDevice::FileModificationTime));
        old.close();
        Sitting(m_directory).end();
        QCOMPARE(QDir(m_directory).entryList(QDir::Files), QStringList{"y.headscope.AbCdEf"});
    }

    void aPlaceThatCannotBeIsRefused() {
        writeFile(m_place->filePath("file"), "");
        QVERIFY_EXCEPTION_THROWN(Sitting(m_place->filePath("file")), Refusal);
        QVERIFY_EXCEPTION_THROWN(Sitting(m_place->filePath("file/below")), Refusal);
    }

private:
    /// A sitting that does not end well: its lock goes, its file stays.
    void leave(const char* content) {
        const Sitting sitting(m_directory);
        writeFile(sitting.file(), content);
    }

    std::unique_ptr<QTemporaryDir> m_place;
    QString m_directory;
};

QTEST_APPLESS_MAIN(TestSitting)
#include "test_sitting.moc"
