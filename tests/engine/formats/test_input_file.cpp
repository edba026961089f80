#include <filesystem>
#include <fstream>

#include <QTemporaryDir>
#include <QtTest>

#include "engine/formats/input_file.h"
#include "tests/engine/formats/bytes.h"

using namespace headscope;

class TestInputFile : public QObject {
    Q_OBJECT
private slots:
    void readsAllOfAFile() {
        const std::string content("a\0b\xff\n", 5);
        const auto path = directory() / "注意 力.npy";
        std::ofstream(path, std::ios::binary) << content;
        QVERIFY(readFile(path) == bytesOfText(content));
        std::ofstream(path, std::ios::trunc);
        QCOMPARE(complaint([&] { readFile(path); }), path.string() + ": the file is empty");
    }

    void refusesPathsThatAreNoFiles() {
        QCOMPARE(complaint([&] { readFile(directory()); }), directory().string() + ": this is not a file");
        QCOMPARE(complaint([&] { readFile(directory() / "no"); }),
                 directory().string() + "/no: there is no such file");
        QCOMPARE(complaint([] { readFile("/dev/zero"); }), "/dev/zero: this is not a file");
        const auto tooLong = directory() / std::string(300, 'n');
        QCOMPARE(complaint([&] { readFile(tooLong); }), tooLong.string() + ": there is no such file");
    }

    void refusesWhatMemoryShouldNotHold() {
        const auto path = directory() / "hole";
        std::ofstream(path) << "x";
        std::filesystem::resize_file(path, kLargestFile + 1);
        QCOMPARE(complaint([&] { readFile(path); }),
                 path.string() + ": the file has 2147483649 bytes: at most 2147483648 can be read");
    }

    void quotesNamesOnOneShortLine() {
        QCOMPARE(quoted("a\nb\x7f\"é"), "“a?b?\"é”");
        QCOMPARE(quoted(std::string(80, 'n')), "“" + std::string(80, 'n') + "”");
        QCOMPARE(quoted(std::string(79, 'n') + "é"), "“" + std::string(79, 'n') + "…”");
    }

private:
    std::filesystem::path directory() const { return m_directory.path().toStdString(); }

    QTemporaryDir m_directory;
};

QTEST_APPLESS_MAIN(TestInputFile)
#include "test_input_file.moc"
