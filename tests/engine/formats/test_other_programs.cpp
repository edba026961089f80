#include <fstream>
#include <numeric>

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "engine/formats/input_file.h"
#include "engine/formats/npy.h"
#include "engine/formats/npz.h"
#include "engine/formats/safetensors.h"
#include "tests/engine/formats/bytes.h"

using namespace headscope;

/// What Headscope writes opens elsewhere, and what is written elsewhere opens in it: see other_programs.py.
class TestOtherPrograms : public QObject {
    Q_OBJECT
private slots:
    void numpyAndAnIndependentParserReadWhatIsWritten() {
        const QTemporaryDir directory;
        const std::vector<float> f = {0.1f, -0.0f, 3};
        const std::vector<double> d = {0.1, 2};
        const std::vector<std::int64_t> i = {-9};
        const std::vector<std::uint64_t> none;
        const std::map<std::string, TensorView> tensors = {{"d", viewOf(d, {1, 2})},
                                                           {"f", viewOf(f, {3})},
                                                           {"i", viewOf(i, {})},
                                                           {"none", viewOf(none, {2, 0})}};
        write(directory, "a.npy", npyFile(tensors.at("f")));
        write(directory, "b.npz", npzFile(tensors));
        write(directory, "c.safetensors", safetensorsFile(tensors, {{"注意力", "头"}}));
        const QString arrays =
            "%1 d <f8 [1, 2] 0.1 2.0\n"
            "%1 f <f4 [3] 0.10000000149011612 -0.0 3.0\n"
            "%1 i <i8 [] -9.0\n"
            "%1 none <u8 [2, 0]\n";
        QCOMPARE(python("read", directory),
                 "a.npy - <f4 [3] 0.10000000149011612 -0.0 3.0\n" + arrays.arg("b.npz") +
                     "c.safetensors __metadata__ 注意力 头\n" + arrays.arg("c.safetensors"));
    }

    void whatNumpyWritesIsRead() {
        const QTemporaryDir directory;
        QCOMPARE(python("write", directory), "");
        std::vector<double> count(24);
        std::iota(count.begin(), count.end(), 0);
        int files = 0;
        for (const QString& name : QDir(directory.path()).entryList(QDir::Files)) {
            const auto bytes = readFile(directory.filePath(name).toStdString());
            if (name.endsWith(".npz")) {
                const auto arrays = parseNpz(bytes, "npz");
                QCOMPARE(arrays.size(), 2u);
                QCOMPARE(arrays.at("a").view().toDoubles(), count);
                QCOMPARE(arrays.at("b").view().toDoubles(), count);
            } else if (name.contains("pickle")) {
                QCOMPARE(complaint([&] { parseNpy(bytes, "npy"); }),
                         "npy: it holds pickled Python objects, which are never read");
            } else {
                const Array array = parseNpy(bytes, "npy");
                QCOMPARE(array.shape, (std::vector<std::size_t>{2, 3, 4}));
                QCOMPARE(array.view().toDoubles(), count);
            }
            ++files;
        }
        QCOMPARE(files, 2 * 14 + 3 + 2 + 1);
    }

private:
    static void write(const QTemporaryDir& directory, const char* name, const std::string& content) {
        std::ofstream(directory.filePath(name).toStdString(), std::ios::binary) << content;
    }

    static QString python(const QString& verb, const QTemporaryDir& directory) {
        QProcess process;
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start("/usr/bin/python3", {HEADSCOPE_CHECKER, verb, directory.path()});
        if (!process.waitForFinished(60'000) || process.exitCode() != 0) return "python3 failed";
        return QString::fromUtf8(process.readAllStandardOutput());
    }
};

QTEST_GUILESS_MAIN(TestOtherPrograms)
#include "test_other_programs.moc"
