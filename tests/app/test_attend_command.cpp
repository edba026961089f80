#include <cmath>

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include "app/attend_command.h"
#include "engine/formats/input_file.h"
#include "engine/formats/npy.h"
#include "tests/refusal_of.h"
#include "ui/output_files.h"

using namespace headscope;

namespace {

QString reference(const char* name) {
    return QStringLiteral(HEADSCOPE_TEST_DATA "/reference/%1.safetensors").arg(QLatin1String(name));
}

Array read(const QString& path) { return parseNpy(readFile(path.toStdString()), path.toStdString()); }

/// The first sequence of a tensor of the reference, which float32 holds to 1e-7 of its size.
bool isFirstOf(const Array& array, const TensorView& tensor) {
    const auto is = array.view().toDoubles(), expected = tensor.toDoubles();
    bool same = std::vector(tensor.shape.begin() + 1, tensor.shape.end()) == array.shape;
    for (std::size_t i = 0; same && i < is.size(); ++i)
        same = std::abs(is[i] - expected[i]) <= 1e-9 + 1e-7 * std::abs(expected[i]);
    return same;
}

}  // namespace

class TestAttendCommand : public QObject {
    Q_OBJECT
private slots:
    void givesWhatPyTorchGave_data() {
        QTest::addColumn<QString>("file");
        for (const char* name : {"lesson_repeat", "prefix_copy_d128_h1_unscaled", "prefix_copy_learned_h2",
                                 "prefix_copy_rope_h3", "repeat_unscaled_h8"})
            QTest::newRow(name) << reference(name);
    }

    void givesWhatPyTorchGave() {
        QFETCH(QString, file);
        const auto expected = Safetensors::read(file.toStdString());
        const auto ids = expected.tensor("batches.input").toInts();
        QString tokens;
        for (std::size_t t = 0; t < expected.tensor("batches.input").shape[2]; ++t)
            tokens += QString::number(ids[t]) + u' ';
        attendToFiles(parseAttend({file, "--tokens", tokens, "--out", at("a.npy"), "--logits", at("l.npy")}));
        QCOMPARE(read(at("a.npy")).type, TensorType::F32);
        QVERIFY(isFirstOf(read(at("a.npy")), expected.tensor("step0.weights")));
        QVERIFY(isFirstOf(read(at("l.npy")), expected.tensor("step0.logits")));
    }

    void letsABareBlockAttendToVectors() {
        const auto expected = Safetensors::read(reference("attention_causal").toStdString());
        const TensorView x = expected.tensor("x");
        const TensorView first{x.type, {x.shape[1], x.shape[2]}, x.bytes.first(x.bytes.size() / x.shape[0])};
        writeFile(at("x.npy"), QByteArray::fromStdString(npyFile(first)));
        const QStringList words{reference("attention_causal"),
                                "--input",
                                at("x.npy"),
                                "--out",
                                at("a.npy"),
                                "--logits",
                                at("l.npy")};
        attendToFiles(parseAttend(words));
        QVERIFY(isFirstOf(read(at("a.npy")), expected.tensor("weights")));
        QVERIFY(isFirstOf(read(at("l.npy")), expected.tensor("out")));
    }

    void optionsGoBeforeWhatTheFileSays() {
        const QStringList words{reference("lesson_repeat"), "--tokens", "3,1, 4", "--out", at("a.npy")};
        attendToFiles(parseAttend(words));
        const auto as_trained = read(at("a.npy"));
        QCOMPARE(as_trained.shape, (std::vector<std::size_t>{4, 3, 3}));
        attendToFiles(parseAttend(words + QStringList{"--heads", "2"}));
        QCOMPARE(read(at("a.npy")).shape, (std::vector<std::size_t>{2, 3, 3}));
        for (const auto& other :
             {QStringList{"--no-scaling"}, {"--positions", "none"}, {"--prefix", "final.param."}}) {
            attendToFiles(parseAttend(words + other));
            QCOMPARE(read(at("a.npy")).shape, as_trained.shape);
            QVERIFY(read(at("a.npy")).bytes != as_trained.bytes);
        }
    }

    void refusesWhatCannotBeMeant_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, const QStringList& words, const char* sentence) {
            QTest::newRow(name) << words << QString(sentence);
        };
        const QString w = reference("lesson_repeat"), b = reference("attention_causal");
        const char* either = "attend needs either --tokens \"3 1 4\" or, for a bare block, --input X.npy";
        row("no weights", {"--tokens", "1"}, "attend needs a safetensors file of weights");
        row("two", {w, b, "--tokens", "1"}, qPrintable("unexpected argument '" + b + "'"));
        row("no tokens", {w, "--out", "a.npy"}, either);
        row("empty tokens", {w, "--tokens", " ", "--out", "a.npy"}, either);
        row("both", {w, "--tokens", "1", "--input", "x", "--out", "a.npy"}, either);
        row("no place", {w, "--tokens", "1"}, "attend needs --out FILE, where to write to");
        row("a place that is no NPY", {w, "--tokens", "1", "--out", w},
            qPrintable(w + ": its name must end with .npy"));
        row("one place for both", {w, "--tokens", "1", "--out", "a.npy", "--logits", "./a.npy"},
            "./a.npy can hold either attention or logits");
        row("its own input", {w, "--input", "x.npy", "--out", "x.npy"},
            "x.npy is to be read: another file must be written");
        row("words", {w, "--tokens", "1 two", "--out", "a.npy"},
            "--tokens is 'two': it must be a whole number");
        row("unknown", {w, "--tokens", "1", "--out", "a.npy", "--colour", "red"},
            "unknown option '--colour': see headscope --help");
        row("of training", {w, "--tokens", "1", "--out", "a.npy", "--steps", "3"},
            "attend does not take --steps");
        row("input for a model", {w, "--input", "x", "--out", "a.npy"},
            qPrintable(w + " holds a whole model: give it --tokens, not --input"));
        row("tokens for a block", {b, "--tokens", "1", "--out", "a.npy"},
            qPrintable(b + " holds a bare block, which knows no tokens: give it --input X.npy"));
        row("heads", {w, "--tokens", "1", "--out", "a.npy", "--heads", "5"},
            qPrintable(w + ": n_heads 5 does not divide d_model 32"));
        row("token", {w, "--tokens", "64", "--out", "a.npy"},
            "token 64 is outside the vocabulary: it must be from 0 to 63");
        row("no file", {"/no/where", "--tokens", "1", "--out", "a.npy"}, "/no/where: there is no such file");
    }

    void refusesWhatCannotBeMeant() {
        QFETCH(QStringList, words);
        QFETCH(QString, sentence);
        QCOMPARE(refusalOf([&] { attendToFiles(parseAttend(words)); }), sentence);
        QVERIFY(!QFile::exists("a"));
    }

    void writesBothFilesOrNone() {
        const QStringList words{reference("lesson_repeat"), "--tokens", "1 2", "--out", at("new.npy")};
        QVERIFY(refusalOf([&] {
                    attendToFiles(parseAttend(words + QStringList{"--logits", at("no/where.npy")}));
                }).contains("no/where.npy"));
        QVERIFY(!QFile::exists(at("new.npy")));
    }

private:
    QString at(const char* name) const { return m_directory.filePath(QLatin1String(name)); }

    QTemporaryDir m_directory;
};

QTEST_GUILESS_MAIN(TestAttendCommand)
#include "test_attend_command.moc"
