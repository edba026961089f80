#include <QLocale>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "engine/formats/safetensors.h"
#include "engine/training/experiment_json.h"
#include "tests/ui/snapshots.h"
#include "ui/output_files.h"
#include "ui/run_data.h"

using namespace headscope;

namespace {

std::vector<Frame> recorded(bool twin) {
    std::vector<Frame> frames;
    for (int i = 0; i < 3; ++i) {
        auto snapshot = uniformSnapshot(2, 4);
        snapshot->steps_done = 10 * i;
        snapshot->probe_loss = 4 - static_cast<float>(i);
        snapshot->diagnostics.assign(2, {.score_std = 0.1f, .row_entropy = static_cast<float>(i)});
        auto other = std::make_shared<Snapshot>(*snapshot);
        other->probe_loss = 3;
        frames.push_back({snapshot, twin ? other : nullptr});
    }
    return frames;
}

}  // namespace

class TestRunData : public QObject {
    Q_OBJECT
private slots:
    void lossHasAllDigitsWhateverTheLocale() {
        QLocale::setDefault(QLocale::German);
        QCOMPARE(lossCsv({{0, 4.1588831f, 0}, {1, 0.1f, 0.5f}}),
                 "step,loss,accuracy\n0,4.158883,0\n1,0.1,0.5\n");
        QCOMPARE(lossCsv({{0, 4, 0}, {1, 3, 1}}, {{0, 4, 0}, {1, 2.5f, 0.25f}}),
                 "step,loss,accuracy,twin_loss,twin_accuracy\n0,4,0,4,0\n1,3,1,2.5,0.25\n");
        QCOMPARE(lossCsv({}), "step,loss,accuracy\n");
        QLocale::setDefault(QLocale::c());
    }

    void mechanismHasARowAStepAndHead() {
        const QList<QByteArray> lines = mechanismCsv(recorded(false)).split('\n');
        QCOMPARE(lines.size(), 1 + 3 * 2 + 1);
        QCOMPARE(lines[0],
                 "step,head,score_std,row_entropy,uniform_entropy,jacobian_trace,uniformity,"
                 "grad_norm_q,grad_norm_k");
        QCOMPARE(lines[4], "10,2,0.1,1,0,0,0,0,0");
        const QList<QByteArray> both = mechanismCsv(recorded(true)).split('\n');
        QCOMPARE(both.size(), 1 + 2 * 3 * 2 + 1);
        QVERIFY(both[0].startsWith("run,step,head,"));
        QVERIFY(both[1].startsWith("first,0,1,") && both[3].startsWith("twin,0,1,"));
    }

    void numpyReadsThem() {
        const QTemporaryDir directory;
        const auto frames = recorded(true);
        writeFile(directory.filePath("a.npy"), attentionNpy(*frames[0].snapshot));
        writeFile(directory.filePath("r.npz"), recordedRunFile(frames, ArraysFormat::Npz));
        QProcess python;
        python.setWorkingDirectory(directory.path());
        python.start("/usr/bin/python3", {"-c", R"(
import numpy
a = numpy.load('a.npy')
r = numpy.load('r.npz')
print(a.dtype, a.shape, a[1, 3].tolist())
print(r['steps'].tolist(), r['attention'].shape, r['twin_attention'].shape, r['row_entropy'].tolist())
print(r['probe_loss'].tolist(), r['twin_probe_loss'].tolist(), (r['attention'][0] == a).all())
)"});
        QVERIFY(python.waitForFinished());
        QCOMPARE(python.readAllStandardOutput(),
                 "float32 (2, 4, 4) [0.25, 0.25, 0.25, 0.25]\n"
                 "[0, 10, 20] (3, 2, 4, 4) (3, 2, 4, 4) [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]\n"
                 "[4.0, 3.0, 2.0] [3.0, 3.0, 3.0] True\n");
    }

    void safetensorsHasTheSameAndTheExperiment() {
        const auto frames = recorded(false);
        const QByteArray file = recordedRunFile(frames, ArraysFormat::Safetensors);
        const auto* bytes = reinterpret_cast<const std::byte*>(file.constData());
        const Safetensors read = Safetensors::parse({bytes, bytes + file.size()}, "run");
        QCOMPARE(read.tensor("steps").toInts(), (std::vector{0, 10, 20}));
        QCOMPARE(read.tensor("attention").shape, (std::vector<std::size_t>{3, 2, 4, 4}));
        QVERIFY(!read.tensors().contains("twin_attention"));
        QCOMPARE(read.metadata().at("experiment"), toJson(frames[0].snapshot->experiment));
    }

    void framesOfOtherHeadsAreLeftOut() {
        auto frames = recorded(false);
        frames.insert(frames.begin(), {uniformSnapshot(4, 4), nullptr});
        const QByteArray file = recordedRunFile(frames, ArraysFormat::Safetensors);
        const auto* bytes = reinterpret_cast<const std::byte*>(file.constData());
        const Safetensors read = Safetensors::parse({bytes, bytes + file.size()}, "run");
        QCOMPARE(read.tensor("attention").shape, (std::vector<std::size_t>{3, 2, 4, 4}));
    }
};

QTEST_MAIN(TestRunData)
#include "test_run_data.moc"
