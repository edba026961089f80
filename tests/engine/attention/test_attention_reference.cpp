#include <filesystem>

#include <QtTest>

#include "engine/formats/safetensors.h"
#include "tests/engine/attention/block.h"

using namespace headscope;
using namespace headscope::test;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> attentionFiles() {
    std::vector<fs::path> directories = {fs::path(HEADSCOPE_TEST_DATA) / "reference"};
    if (const auto more = qEnvironmentVariable("HEADSCOPE_REFERENCE_DIR"); !more.isEmpty())
        directories.emplace_back(more.toStdString());
    std::vector<fs::path> found;
    for (const fs::path& directory : directories)
        for (const auto& entry : fs::directory_iterator(directory))
            if (entry.path().extension() == ".safetensors" &&
                Safetensors::read(entry.path()).metadata().at("kind") == "attention")
                found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

Matrix<double> matrixOf(const Safetensors& file, const std::string& name) {
    const TensorView& tensor = file.tensor(name);
    const auto cols = static_cast<Index>(tensor.shape.back());
    const auto values = tensor.toDoubles();
    return Eigen::Map<const Matrix<double>>(values.data(), static_cast<Index>(values.size()) / cols, cols);
}

/// |difference| ≤ absolute + relative · |value|, as tests/data/reference/README.md asks.
template <typename Scalar>
void compare(const char* what, const Matrix<Scalar>& actual, const Matrix<double>& expected) {
    constexpr bool wide = std::is_same_v<Scalar, double>;
    QVERIFY2(actual.size() == expected.size(), what);
    for (Index i = 0; i < expected.size(); ++i) {
        const double off = std::abs(double(actual.data()[i]) - expected.data()[i]);
        const double value = std::abs(expected.data()[i]);
        const double allowed = wide ? 1e-9 + 1e-9 * value : 2e-6 + 2e-5 * value;
        QVERIFY2(off <= allowed,
                 qPrintable(QString("%1[%2] is off by %3").arg(what, QString::number(i)).arg(off)));
    }
}

template <typename Scalar>
void reproduce(const fs::path& path, AttentionPath through) {
    const auto file = Safetensors::read(path);
    const auto number = [&](const char* key) { return std::stol(file.metadata().at(key)); };
    const bool cross = file.tensors().contains("memory");
    const AttentionShape shape{number("batch"), number("lq"), number("d_model"), number("n_heads"),
                               cross ? number("lk") : 0};
    const TensorView& visible = file.tensor("visible");
    const std::vector<Index> sizes(visible.shape.begin(), visible.shape.end());
    std::vector<unsigned char> bytes;
    for (const double one : visible.toDoubles()) bytes.push_back(one != 0);
    AttentionOptions options{.scale_scores = file.metadata().at("scale_scores") == "true",
                             .mask = AttentionMask::boolean(sizes, bytes),
                             .path = through};
    // Where it is causal, say so too: hidden twice is hidden, and blocks can be left out.
    if (file.metadata().at("mask").find("causal") != std::string::npos)
        options.mask &= AttentionMask::causal();

    const auto row = [](Matrix<double> m) {
        return Matrix<double>(Eigen::Map<Matrix<double>>(m.data(), 1, m.size()));
    };
    const Block<double> block{matrixOf(file, "x"),
                              cross ? matrixOf(file, "memory") : Matrix<double>(0, shape.d_model),
                              matrixOf(file, "param.qkv_proj.weight"),
                              row(matrixOf(file, "param.qkv_proj.bias")),
                              matrixOf(file, "param.out_proj.weight"),
                              row(matrixOf(file, "param.out_proj.bias"))};
    auto got = compute<Scalar>(shape, options, block.cast<Scalar>(),
                               matrixOf(file, "grad_out").template cast<Scalar>());
    compare("out", got.attn_out, matrixOf(file, "out"));
    if (through == AttentionPath::Plain) compare("weights", got.weights, matrixOf(file, "weights"));
    got.grad.forEach([&](const std::string& name, const Matrix<Scalar>& grad) {
        if (grad.size() == 0) return;
        const bool is_input = name == "x" || name == "memory";
        compare(name.c_str(), grad, matrixOf(file, (is_input ? "grad." : "grad.param.") + name));
    });
}

}  // namespace

/// The bare block against PyTorch under every mask: tests/data/reference and, where it is set, the directory
/// HEADSCOPE_REFERENCE_DIR.
class TestAttentionReference : public QObject {
    Q_OBJECT
private slots:
    void thereIsSomethingToReproduce() { QVERIFY(attentionFiles().size() >= 7); }

    void reproducesPyTorch_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("in_double");
        QTest::addColumn<bool>("blockwise");
        for (const fs::path& path : attentionFiles())
            for (const bool in_double : {true, false})
                for (const bool blockwise : {false, true})
                    QTest::addRow("%s in %s%s", path.filename().c_str(), in_double ? "double" : "float",
                                  blockwise ? ", blockwise" : "")
                        << QString::fromStdString(path.string()) << in_double << blockwise;
    }

    void reproducesPyTorch() {
        QFETCH(QString, path);
        QFETCH(bool, in_double);
        QFETCH(bool, blockwise);
        const auto through = blockwise ? AttentionPath::Blockwise : AttentionPath::Plain;
        if (in_double)
            reproduce<double>(path.toStdString(), through);
        else
            reproduce<float>(path.toStdString(), through);
    }
};

QTEST_APPLESS_MAIN(TestAttentionReference)
#include "test_attention_reference.moc"
