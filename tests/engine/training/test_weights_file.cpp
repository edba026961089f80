#include <algorithm>
#include <cmath>
#include <filesystem>

#include <QtTest>

#include "engine/training/trainer.h"
#include "engine/training/weights_file.h"
#include "tests/engine/formats/bytes.h"

using namespace headscope;
namespace fs = std::filesystem;

namespace {

using Shape = std::vector<std::size_t>;

/// Tensors of a file to be, each value a little different.
class Tensors {
public:
    Tensors& add(const std::string& name, Shape shape, double first = 0.5) {
        std::size_t size = 1;
        for (const std::size_t n : shape) size *= n;
        std::vector<double> values;
        for (std::size_t i = 0; i < size; ++i) values.push_back(first + 0.25 * double(i % 5));
        m_tensors[name] = {std::move(shape), std::move(values)};
        return *this;
    }
    Tensors& remove(const std::string& name) {
        m_tensors.erase(name);
        return *this;
    }
    std::string bytes(const std::map<std::string, std::string>& metadata) const {
        std::map<std::string, TensorView> views;
        for (const auto& [name, tensor] : m_tensors) views[name] = viewOf(tensor.values, tensor.shape);
        return safetensorsFile(views, metadata);
    }
    Safetensors file(const std::map<std::string, std::string>& metadata = {{"n_heads", "2"},
                                                                           {"positions", "none"}}) const {
        return Safetensors::parse(bytesOfText(bytes(metadata)), "w");
    }

private:
    struct Content {
        Shape shape;
        std::vector<double> values;
    };
    std::map<std::string, Content> m_tensors;
};

Tensors blockOf(const std::string& weight, const std::string& bias, const std::string& prefix = "") {
    return Tensors()
        .add(prefix + weight, {12, 4})
        .add(prefix + bias, {12}, 1)
        .add(prefix + "out_proj.weight", {4, 4}, 2)
        .add(prefix + "out_proj.bias", {4}, 3);
}

Tensors modelOf() {
    return Tensors()
        .add("token_emb.embedding.weight", {6, 4})
        .add("attn.qkv_proj.weight", {12, 4})
        .add("attn.qkv_proj.bias", {12})
        .add("attn.out_proj.weight", {4, 4})
        .add("attn.out_proj.bias", {4})
        .add("lm_head.weight", {6, 4})
        .add("lm_head.bias", {6});
}

double farthest(std::span<const double> a, std::span<const double> b) {
    double most = a.size() == b.size() ? 0 : HUGE_VAL;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

std::vector<fs::path> referenceFiles(const std::string& kind) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(HEADSCOPE_TEST_DATA "/reference"))
        if (entry.path().extension() == ".safetensors" &&
            Safetensors::read(entry.path()).metadata().at("kind") == kind)
            found.push_back(entry.path());
    return found;
}

}  // namespace

class TestWeightsFile : public QObject {
    Q_OBJECT
private slots:
    void aRunsWeightsComeBackToTheBit_data() {
        QTest::addColumn<Positions>("positions");
        QTest::newRow("sinusoidal") << Positions::Sinusoidal;
        QTest::newRow("learned") << Positions::Learned;
        QTest::newRow("rotary") << Positions::Rotary;
        QTest::newRow("none") << Positions::None;
    }

    void aRunsWeightsComeBackToTheBit() {
        QFETCH(Positions, positions);
        Experiment experiment;
        experiment.model = {.vocab_size = 9, .d_model = 12, .n_heads = 3, .context_length = 7};
        experiment.model.positions = positions;
        experiment.model.scale_scores = false;
        experiment.batch_size = 2;
        Trainer trainer(experiment);
        trainer.step();
        const auto file = Safetensors::parse(bytesOfText(weightsFile(trainer.parameters(), experiment)), "w");
        QCOMPARE(file.tensor("attn.qkv_proj.weight").type, TensorType::F32);
        QCOMPARE(file.tensor("attn.qkv_proj.weight").shape, (Shape{36, 12}));
        QCOMPARE(file.tensor("attn.qkv_proj.bias").shape, (Shape{36}));
        QCOMPARE(file.tensors().contains("pos_emb.embedding.weight"), positions == Positions::Learned);

        const auto model = std::get<ModelWeights>(weightsFrom(file));
        ModelConfig config = experiment.model;
        if (positions != Positions::Learned) config.context_length = model.config.context_length;
        QVERIFY(model.config == config);
        const auto is = model.parameters.values();
        const auto was = trainer.parameters().values();
        QVERIFY(std::ranges::equal(is, was, [](double a, float b) { return a == double{b}; }));
    }

    void attendingOnTheReferenceFilesGivesTheirWeights() {
        int files = 0;
        for (const fs::path& path : referenceFiles("lm")) {
            const auto file = Safetensors::read(path);
            const auto model = std::get<ModelWeights>(weightsFrom(file));
            const auto tokens = file.tensor("batches.input").toInts();
            const auto weights = file.tensor("step0.weights").toDoubles();
            const auto logits = file.tensor("step0.logits").toDoubles();
            const Shape& shape = file.tensor("step0.weights").shape;
            const std::size_t rows = shape[0], T = shape[2];
            for (std::size_t row = 0; row < rows; ++row) {
                const Attended attended = attend(model, std::span(tokens).subspan(row * T, T));
                const auto part = [&](const std::vector<double>& all) {
                    return std::span(all).subspan(row * (all.size() / rows), all.size() / rows);
                };
                QVERIFY(farthest(attended.weights, part(weights)) < 1e-9);
                QVERIFY(farthest(attended.outputs, part(logits)) < 1e-7);
            }
            ++files;
        }
        QVERIFY(files >= 5);
    }

    void attendingWithABareBlockGivesTheReferenceWeights() {
        const auto file = Safetensors::read(HEADSCOPE_TEST_DATA "/reference/attention_causal.safetensors");
        const auto block = std::get<BlockWeights>(weightsFrom(file));
        const auto x = file.tensor("x").toDoubles(), weights = file.tensor("weights").toDoubles(),
                   out = file.tensor("out").toDoubles();
        const std::size_t rows = 3, T = 7, D = 24, H = 4;
        for (std::size_t row = 0; row < rows; ++row) {
            const Matrix<double> sequence =
                ConstView<double>(x.data() + row * T * D, Index(T), Index(D), Eigen::OuterStride<>(Index(D)));
            const Attended attended = attend(block, sequence);
            QVERIFY(farthest(attended.weights, std::span(weights).subspan(row * H * T * T, H * T * T)) <
                    1e-9);
            QVERIFY(farthest(attended.outputs, std::span(out).subspan(row * T * D, T * D)) < 1e-9);
        }
        QCOMPARE(complaint([&] { attend(block, Matrix<double>::Zero(3, 5)); }),
                 "the input has the width 5: the block's is 24");
    }

    void aBlockIsFoundUnderEverySpelling() {
        const std::map<std::string, std::string> four{{"n_heads", "4"}, {"scale_scores", "false"}};
        const auto expected =
            std::get<BlockWeights>(weightsFrom(blockOf("qkv_proj.weight", "qkv_proj.bias").file(four)));
        QCOMPARE(expected.n_heads, 4);
        QVERIFY(!expected.scale_scores && !expected.rotary);
        QCOMPARE(expected.qkv_proj_bias(0, 1), 1.25);
        for (const auto& [weight, bias, prefix] : {std::tuple("qkv.weight", "qkv.bias", ""),
                                                   {"in_proj_weight", "in_proj_bias", ""},
                                                   {"qkv.weight", "qkv.bias", "h.0."},
                                                   {"qkv_proj.weight", "qkv_proj.bias", "attn."}}) {
            const auto block = std::get<BlockWeights>(weightsFrom(blockOf(weight, bias, prefix).file(four)));
            QVERIFY(block.qkv_proj_weight == expected.qkv_proj_weight);
            QVERIFY(block.qkv_proj_bias == expected.qkv_proj_bias);
            QVERIFY(block.out_proj_weight == expected.out_proj_weight);
            QVERIFY(block.out_proj_bias == expected.out_proj_bias);
        }
        const auto bare = std::get<BlockWeights>(weightsFrom(
            blockOf("qkv.weight", "qkv.bias").remove("qkv.bias").remove("out_proj.bias").file(four)));
        QVERIFY(bare.qkv_proj_bias.isZero(0) && bare.out_proj_bias.isZero(0));
    }

    void hintsGoBeforeMetadata() {
        const WeightsHints hints{.n_heads = 1, .scale_scores = false, .positions = Positions::Rotary};
        const auto model = std::get<ModelWeights>(weightsFrom(modelOf().file(), hints));
        QCOMPARE(model.config.n_heads, 1);
        QVERIFY(!model.config.scale_scores);
        QCOMPARE(model.config.positions, Positions::Rotary);
        const auto rope = modelOf().file({{"n_heads", "2"}, {"positions", "rope"}});
        QCOMPARE(std::get<ModelWeights>(weightsFrom(rope)).config.positions, Positions::Rotary);
        const auto learned = modelOf().add("pos_emb.embedding.weight", {9, 4}).file({{"n_heads", "2"}});
        QCOMPARE(std::get<ModelWeights>(weightsFrom(learned)).config.context_length, 9);
    }

    void aPrefixChoosesAmongSeveral() {
        Tensors both = blockOf("qkv.weight", "qkv.bias", "h.0.");
        both.add("h.1.qkv.weight", {6, 2}).add("h.1.out_proj.weight", {2, 2});
        const auto file = both.file();
        QCOMPARE(complaint([&] { weightsFrom(file); }),
                 "w: it holds several sets of weights, such as “h.0.” and “h.1.”: a prefix must choose one");
        QCOMPARE(std::get<BlockWeights>(weightsFrom(file, {.prefix = "h.1."})).d_model(), 2);
        QCOMPARE(complaint([&] { weightsFrom(file, {.prefix = "h.2."}); }),
                 "w: it holds neither a model (h.2.token_emb.embedding.weight) nor an attention block "
                 "(h.2.qkv_proj.weight, h.2.qkv.weight, h.2.in_proj_weight)");
    }

    void readsSixteenBits() {
        for (const auto& [dtype, one] : {std::pair("F16", 0x3c00), {"BF16", 0x3f80}}) {
            std::string data;
            for (int i = 0; i < 16; ++i) data += raw<std::uint16_t>({std::uint16_t(i % 5 == 0 ? one : 0)});
            const auto header =
                QString(
                    "{\"qkv.weight\":{\"dtype\":\"%1\",\"shape\":[6,2],\"data_offsets\":[0,24]},"
                    "\"out_proj.weight\":{\"dtype\":\"%1\",\"shape\":[2,2],\"data_offsets\":[24,32]}}")
                    .arg(dtype)
                    .toStdString();
            const auto file =
                Safetensors::parse(bytesOfText(raw<std::uint64_t>({header.size()}) + header + data), "half");
            const auto block = std::get<BlockWeights>(weightsFrom(file, {.n_heads = 1}));
            QCOMPARE(block.qkv_proj_weight(0, 0), 1.);
            QCOMPARE(block.qkv_proj_weight(2, 1), 1.);
            QCOMPARE(block.qkv_proj_weight.sum(), 3.);
            QCOMPARE(block.out_proj_weight.sum(), 1.);
        }
    }

    void refusesWhatDoesNotFit_data() {
        QTest::addColumn<std::string>("bytes");
        QTest::addColumn<QString>("sentence");
        const auto row =
            [](const char* name, Tensors tensors, const QString& sentence,
               std::map<std::string, std::string> metadata = {{"n_heads", "2"}, {"positions", "none"}}) {
                QTest::newRow(name) << tensors.bytes(metadata) << "w: " + sentence;
            };
        const QString qkv = "tensor “attn.qkv_proj.weight” has the shape ";
        row("nothing", Tensors().add("x", {2}),
            "it holds neither a model (token_emb.embedding.weight) nor an attention block (qkv_proj.weight, "
            "qkv.weight, in_proj_weight)");
        row("qkv of another width", modelOf().add("attn.qkv_proj.weight", {12, 3}),
            qkv + "(12, 3): it must be (12, 4)");
        row("qkv not three", modelOf().add("attn.qkv_proj.weight", {8, 4}),
            qkv + "(8, 4): it must be (12, 4)");
        row("transposed", modelOf().add("attn.qkv_proj.weight", {4, 12}),
            qkv + "(4, 12): it must be (12, 4)");
        row("bias", modelOf().add("attn.qkv_proj.bias", {1, 12}),
            "tensor “attn.qkv_proj.bias” has the shape (1, 12): it must be (12)");
        row("lm_head", modelOf().add("lm_head.weight", {5, 4}),
            "tensor “lm_head.weight” has the shape (5, 4): it must be (6, 4)");
        row("vector", modelOf().add("token_emb.embedding.weight", {24}),
            "tensor “token_emb.embedding.weight” has the shape (24): it must be a matrix");
        row("nothing in it", modelOf().add("token_emb.embedding.weight", {0, 4}),
            "tensor “token_emb.embedding.weight” has the shape (0, 4): it must be a matrix");
        row("missing", modelOf().remove("attn.out_proj.weight"), "there is no tensor “attn.out_proj.weight”");
        row("block", blockOf("qkv.weight", "qkv.bias").add("out_proj.weight", {4, 5}),
            "tensor “out_proj.weight” has the shape (4, 5): it must be (4, 4)");
        row("infinite", modelOf().add("lm_head.bias", {6}, HUGE_VAL),
            "tensor “lm_head.bias” has a value that is not finite");
        row("heads unknown", modelOf(), "how many heads it has is not in the file and must be said",
            {{"positions", "none"}});
        row("positions unknown", modelOf(), "how it knows positions is not in the file and must be said",
            {{"n_heads", "2"}});
        row("no learned positions", modelOf(), "it has no tensor of learned positions, which are asked for",
            {{"n_heads", "2"}, {"positions", "learned"}});
        row("learned positions", modelOf().add("pos_emb.embedding.weight", {9, 4}),
            "it has learned positions, and the kind asked for is none");
        row("positions of another width", modelOf().add("pos_emb.embedding.weight", {9, 5}),
            "tensor “pos_emb.embedding.weight” has the shape (9, 5): it must be (9, 4)", {{"n_heads", "2"}});
        row("heads do not divide", modelOf(), "n_heads 3 does not divide d_model 4",
            {{"n_heads", "3"}, {"positions", "none"}});
        row("heads no number", modelOf(), "n_heads in its metadata is “2x”, which cannot be meant",
            {{"n_heads", "2x"}, {"positions", "none"}});
        row("scaling", modelOf(), "scale_scores in its metadata is “maybe”, which cannot be meant",
            {{"n_heads", "2"}, {"positions", "none"}, {"scale_scores", "maybe"}});
        row("positions", modelOf(), "positions in its metadata is “alibi”, which cannot be meant",
            {{"n_heads", "2"}, {"positions", "alibi"}});
        row("experiment", modelOf(), "its experiment cannot be read: an experiment must be valid JSON",
            {{"experiment", "{"}});
    }

    void refusesWhatDoesNotFit() {
        QFETCH(std::string, bytes);
        QFETCH(QString, sentence);
        const auto file = Safetensors::parse(bytesOfText(bytes), "w");
        QCOMPARE(QString::fromStdString(complaint([&] { weightsFrom(file); })), sentence);
    }

    void refusesWholeNumbers() {
        const std::vector<std::int32_t> ints(48, 1);
        const auto file =
            Safetensors::parse(bytesOfText(safetensorsFile({{"qkv.weight", viewOf(ints, {12, 4})}})), "w");
        QCOMPARE(complaint([&] { weightsFrom(file, {.n_heads = 1}); }),
                 "w: tensor “qkv.weight” has the dtype I32: weights must be F64, F32, F16 or BF16");
    }

    void refusesTokensThatDoNotFit() {
        const auto model = std::get<ModelWeights>(
            weightsFrom(modelOf().add("pos_emb.embedding.weight", {2, 4}).file({{"n_heads", "2"}})));
        const std::vector<int> tokens = {0, 5, 1};
        QCOMPARE(attend(model, std::span(tokens).first(1)).weights, (std::vector<double>{1, 1}));
        QCOMPARE(complaint([&] { attend(model, tokens); }),
                 "there are 3 tokens: the model has learned 2 positions");
        QCOMPARE(complaint([&] { attend(model, {}); }), "there are no tokens to attend to");
        const std::vector<int> unknown = {6};
        QVERIFY(complaint([&] { attend(model, unknown); }).find("6") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestWeightsFile)
#include "test_weights_file.moc"
