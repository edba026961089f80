#include <filesystem>

#include <QtTest>

#include "engine/formats/safetensors.h"
#include "engine/model/adam.h"
#include "engine/model/language_model.h"

using namespace headscope;
namespace fs = std::filesystem;

namespace {

/// |difference| ≤ absolute + relative · |value|
struct Tolerance {
    double absolute, relative;
};

/// What tests/data/reference/README.md asks of an engine in this precision.
template <typename Scalar>
constexpr Tolerance kOneStep = std::is_same_v<Scalar, double> ? Tolerance{1e-9, 1e-9} : Tolerance{2e-6, 2e-5};

template <typename Scalar>
double lossTolerance(const fs::path& file) {
    if (std::is_same_v<Scalar, double>) return 1e-6;
    return file.filename() == "prefix_copy_d128_h1_unscaled.safetensors" ? 1e-2 : 1e-4;
}

void compare(const QString& what, std::span<const double> actual, const std::vector<double>& expected,
             Tolerance tolerance) {
    QVERIFY2(actual.size() == expected.size(), qPrintable(what + " has another size"));
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double allowed = tolerance.absolute + tolerance.relative * std::abs(expected[i]);
        if (std::abs(actual[i] - expected[i]) <= allowed) continue;
        const auto digits = [](double x) { return QString::number(x, 'g', 12); };
        QFAIL(qPrintable(QString("%1[%2] is %3, expected %4")
                             .arg(what, QString::number(i), digits(actual[i]), digits(expected[i]))));
    }
}

template <typename Scalar>
void compare(const QString& what, const Matrix<Scalar>& actual, const std::vector<double>& expected,
             Tolerance tolerance) {
    Matrix<double> wide(actual.rows(), actual.cols());
    wide = actual.template cast<double>();
    compare(what, std::span(wide.data(), std::size_t(wide.size())), expected, tolerance);
}

/// Every parameter against the file's tensor of its name behind `prefix`.
template <typename Scalar>
void compare(const std::string& prefix, const Parameters<Scalar>& parameters, const Safetensors& file,
             Tolerance tolerance) {
    parameters.forEach([&](std::string_view name, Tensor<const Scalar> tensor) {
        const std::string key = prefix + std::string(name);
        const auto values = tensor.values();
        compare(QString::fromStdString(key), std::vector<double>(values.begin(), values.end()),
                file.tensor(key).toDoubles(), tolerance);
    });
}

/// The first Adam step against PyTorch's, as far as gradients within their tolerance decide it: it is
/// η·g / (|g| + ε), which a gradient that is only rounding noise (a key bias's is exactly 0 on paper) sends
/// anywhere between −η and η.
template <typename Scalar>
void compareFirstStep(const Parameters<Scalar>& parameters, const Safetensors& file, double learning_rate) {
    const auto step = [&](double g) { return learning_rate * g / (std::abs(g) + Adam<Scalar>::kEpsilon); };
    constexpr Tolerance asked = kOneStep<Scalar>;
    parameters.forEach([&](std::string_view name, Tensor<const Scalar> tensor) {
        const auto expected = file.tensor("step1.param." + std::string(name)).toDoubles();
        const auto gradient = file.tensor("step0.grad." + std::string(name)).toDoubles();
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const double g = gradient[i], room = asked.absolute + asked.relative * std::abs(g);
            const double open = std::max(step(g + room) - step(g), step(g) - step(g - room));
            const double difference = std::abs(double(tensor.values()[i]) - expected[i]);
            if (difference <= asked.absolute + asked.relative * std::abs(expected[i]) + open) continue;
            QFAIL(qPrintable(
                QString("step1.param.%1[%2] is off by %3").arg(name.data()).arg(i).arg(difference)));
        }
    });
}

/// In double every value. In float, a run whose losses lie within ε pins the parameters to √ε of the way they
/// went, since around its minimum a loss is flat to first order; and the key bias not at all, since the
/// softmax takes the same amount from every score of a row.
template <typename Scalar>
void compareFinal(const Parameters<Scalar>& parameters, const Safetensors& file, double loss_tolerance) {
    if constexpr (std::is_same_v<Scalar, double>) {
        compare("final.param.", parameters, file, kOneStep<double>);
        return;
    }
    parameters.forEach([&](std::string_view name, Tensor<const Scalar> tensor) {
        const auto expected = file.tensor("final.param." + std::string(name)).toDoubles();
        const auto initial = file.tensor("init." + std::string(name)).toDoubles();
        const std::size_t third = expected.size() / 3;
        double off = 0, way = 0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            if (name == "attn.qkv_proj.bias" && i / third == 1) continue;
            off += std::pow(double(tensor.values()[i]) - expected[i], 2);
            way += std::pow(expected[i] - initial[i], 2);
        }
        QVERIFY2(std::sqrt(off) <= std::sqrt(loss_tolerance * way),
                 qPrintable(QString("final.param.%1 is off by %2 of its way")
                                .arg(name.data())
                                .arg(std::sqrt(off / way))));
    });
}

ModelConfig configOf(const std::map<std::string, std::string>& metadata) {
    const auto number = [&](const char* key) { return std::stoi(metadata.at(key)); };
    ModelConfig config{.vocab_size = number("vocab_size"),
                       .d_model = number("d_model"),
                       .n_heads = number("n_heads"),
                       .context_length = number("seq_len")};
    const std::string& positions = metadata.at("positions");
    config.positions = positions == "sinusoidal" ? Positions::Sinusoidal
                       : positions == "learned"  ? Positions::Learned
                       : positions == "rope"     ? Positions::Rotary
                                                 : Positions::None;
    config.scale_scores = metadata.at("scale_scores") == "true";
    return config;
}

std::vector<fs::path> languageModels() {
    std::vector<fs::path> directories = {fs::path(HEADSCOPE_TEST_DATA) / "reference"};
    if (const auto more = qEnvironmentVariable("HEADSCOPE_REFERENCE_DIR"); !more.isEmpty())
        directories.emplace_back(more.toStdString());
    std::vector<fs::path> found;
    for (const fs::path& directory : directories)
        for (const auto& entry : fs::directory_iterator(directory)) {
            if (entry.path().extension() != ".safetensors") continue;
            const auto file = Safetensors::read(entry.path());
            if (file.metadata().at("kind") != "lm") continue;
            found.push_back(entry.path());
        }
    std::sort(found.begin(), found.end());
    return found;
}

template <typename Scalar>
void load(const std::string& prefix, const Safetensors& file, Parameters<Scalar>& parameters) {
    parameters.forEach([&](std::string_view name, Tensor<Scalar> tensor) {
        const auto values = file.tensor(prefix + std::string(name)).toDoubles();
        QCOMPARE(values.size(), tensor.values().size());
        for (std::size_t i = 0; i < values.size(); ++i) tensor.values()[i] = static_cast<Scalar>(values[i]);
    });
}

template <typename Scalar>
void reproduce(const fs::path& path, AttentionPath through, ProjectionPath projection, OutputPath output) {
    const auto file = Safetensors::read(path);
    const ModelConfig config = configOf(file.metadata());
    const std::size_t steps = std::stoul(file.metadata().at("steps"));
    const int rows = std::stoi(file.metadata().at("batch_size"));
    const double learning_rate = std::stod(file.metadata().at("learning_rate"));
    const auto inputs = file.tensor("batches.input").toInts(),
               targets = file.tensor("batches.target").toInts();
    const auto losses = file.tensor("losses").toDoubles();
    const std::size_t batch = inputs.size() / steps;
    const double loss_tolerance = lossTolerance<Scalar>(path);

    Parameters<Scalar> parameters(config), gradients(config);
    load("init.", file, parameters);
    load("step0.grad.", file, gradients);
    Adam<Scalar> first(config);
    first.step(parameters, gradients, learning_rate);
    compare("step1.param.", parameters, file, kOneStep<Scalar>);
    load("init.", file, parameters);

    LanguageModel<Scalar> model(config, rows, through, projection, output);
    Adam<Scalar> adam(config);
    for (std::size_t step = 0; step < steps; ++step) {
        model.forward(parameters, std::span(inputs).subspan(step * batch, batch));
        if (step == 0) {
            // A score is a sum of d_head terms that may cancel: the largest one sets the precision.
            const auto scores = file.tensor("step0.scores").toDoubles();
            Tolerance summed = kOneStep<Scalar>;
            for (const double x : scores)
                summed.absolute = std::max(summed.absolute, kOneStep<Scalar>.absolute * std::abs(x));
            compare("scores", model.scores(), scores, summed);
            if (through == AttentionPath::Plain)
                compare("weights", model.weights(), file.tensor("step0.weights").toDoubles(),
                        kOneStep<Scalar>);
            compare("context", model.context(), file.tensor("step0.context").toDoubles(), kOneStep<Scalar>);
            if (output == OutputPath::Plain)
                compare("attn_out", model.attn_out(), file.tensor("step0.attn_out").toDoubles(),
                        kOneStep<Scalar>);
            compare("logits", model.logits(), file.tensor("step0.logits").toDoubles(), kOneStep<Scalar>);
        }
        const double loss =
            static_cast<double>(model.loss(std::span(targets).subspan(step * batch, batch)).loss);
        QVERIFY2(std::abs(loss - losses[step]) <= loss_tolerance * losses[step],
                 qPrintable(QString("loss %1 is %2, expected %3").arg(step).arg(loss).arg(losses[step])));
        model.backward(parameters, gradients);
        if (step == 0) compare("step0.grad.", gradients, file, kOneStep<Scalar>);
        adam.step(parameters, gradients, learning_rate);
        if (step == 0) compareFirstStep(parameters, file, learning_rate);
        if (QTest::currentTestFailed()) return;
    }
    compareFinal(parameters, file, loss_tolerance);
}

}  // namespace

/// The engine against PyTorch, tensor by tensor: tests/data/reference and, where it is set, the directory
/// HEADSCOPE_REFERENCE_DIR.
class TestReference : public QObject {
    Q_OBJECT
private slots:
    void thereIsSomethingToReproduce() { QVERIFY(languageModels().size() >= 5); }

    void reproducesPyTorch_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("in_double");
        QTest::addColumn<bool>("lean");
        for (const fs::path& path : languageModels())
            for (const bool in_double : {true, false})
                for (const bool lean : {false, true})
                    QTest::addRow("%s in %s%s", path.c_str(), in_double ? "double" : "float",
                                  lean ? ", blockwise, projected on tables, output composed" : "")
                        << QString::fromStdString(path.string()) << in_double << lean;
    }

    void reproducesPyTorch() {
        QFETCH(QString, path);
        QFETCH(bool, in_double);
        QFETCH(bool, lean);
        const auto through = lean ? AttentionPath::Blockwise : AttentionPath::Plain;
        const auto projection = lean ? ProjectionPath::OnTables : ProjectionPath::Plain;
        const auto output = lean ? OutputPath::Composed : OutputPath::Plain;
        if (in_double)
            reproduce<double>(path.toStdString(), through, projection, output);
        else
            reproduce<float>(path.toStdString(), through, projection, output);
    }
};

QTEST_APPLESS_MAIN(TestReference)
#include "test_reference.moc"
