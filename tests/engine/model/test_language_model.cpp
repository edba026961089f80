#include <QtTest>

#include "engine/model/adam.h"
#include "engine/model/initialization.h"
#include "engine/model/language_model.h"
#include "tests/engine/complex_step.h"
#include "tests/refusal_of.h"

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr int kRows = 2;
const ModelConfig kSmall{.vocab_size = 7, .d_model = 6, .n_heads = 3, .context_length = 4};
const std::vector<int> kTokens = {0, 6, 3, 3, 5, 1, 2, 6};
const std::vector<int> kTargets = {-1, 2, 3, 0, 6, -1, 6, 1};

/// Every parameter N(0, scale²).
template <typename Scalar>
Parameters<Scalar> randomParameters(const ModelConfig& config, double scale, std::uint64_t seed = 21) {
    Parameters<Scalar> parameters(config);
    Random random(seed, RandomStream::Probe);
    for (Scalar& x : parameters.values()) x = static_cast<Real<Scalar>>(scale * random.normal());
    return parameters;
}

}  // namespace

class TestLanguageModel : public QObject {
    Q_OBJECT
private slots:
    void logitsOfAModelWithoutAttention() {
        // No values and no keys: what is left is out_proj's bias through the head.
        Parameters<double> parameters(kSmall);
        parameters.attn().out_proj_bias << 1, 2, 3, 4, 5, 6;
        parameters.lm_head_weight()(2, 0) = 10;
        parameters.lm_head_bias()(0, 2) = 0.5;
        LanguageModel<double> model(kSmall, kRows);
        const Matrix<double>& logits = model.forward(parameters, kTokens);
        for (Index row = 0; row < logits.rows(); ++row)
            for (Index v = 0; v < 7; ++v) QCOMPARE(logits(row, v), v == 2 ? 10.5 : 0.);
        QCOMPARE(model.weights()(2, 1), 1. / 3);
    }

    void everyGradientIsTheComplexStep_data() {
        QTest::addColumn<Positions>("positions");
        QTest::addColumn<bool>("scaled");
        QTest::addColumn<double>("scale");
        const std::pair<const char*, Positions> kinds[] = {{"sinusoidal", Positions::Sinusoidal},
                                                           {"learned", Positions::Learned},
                                                           {"none", Positions::None}};
        for (const auto& [name, positions] : kinds)
            for (const bool scaled : {true, false})
                for (const double scale : {1e-2, 0.5, 2.})
                    QTest::addRow("%s %s, parameters of %g", name, scaled ? "scaled" : "unscaled", scale)
                        << positions << scaled << scale;
    }

    void everyGradientIsTheComplexStep() {
        QFETCH(Positions, positions);
        QFETCH(bool, scaled);
        QFETCH(double, scale);
        ModelConfig config = kSmall;
        config.positions = positions;
        config.scale_scores = scaled;
        const auto parameters = randomParameters<double>(config, scale);
        Parameters<double> gradients(config);
        for (double& x : gradients.values()) x = 99;  // must be overwritten
        LanguageModel<double> model(config, kRows);
        model.forward(parameters, kTokens);
        model.loss(kTargets);
        model.backward(parameters, gradients);

        auto probe = randomParameters<Complex>(config, scale);
        LanguageModel<Complex> complex(config, kRows);
        const auto f = [&] {
            complex.forward(probe, kTokens);
            return complex.loss(kTargets).loss;
        };
        std::map<std::string_view, std::vector<double>> expected;
        probe.forEach([&](std::string_view name, Tensor<Complex> tensor) {
            expected[name] = complexStep(tensor.values(), f);
        });
        gradients.forEach([&](std::string_view name, Tensor<double> tensor) {
            const double error = relativeError(tensor.values(), expected.at(name));
            QVERIFY2(error <= 1e-12, qPrintable(QString("%1: %2").arg(name.data()).arg(error)));
        });
    }

    void everyPathComputesTheSame_data() {
        QTest::addColumn<ProjectionPath>("projection");
        QTest::addColumn<double>("output_dropout");
        for (const double dropped : {0., 0.5}) {
            QTest::addRow("layer by layer, %g dropped", dropped) << ProjectionPath::Plain << dropped;
            QTest::addRow("on tables, %g dropped", dropped) << ProjectionPath::OnTables << dropped;
        }
    }

    /// Output dropout lies between the two layers that compose: it must not be left out.
    void everyPathComputesTheSame() {
        QFETCH(ProjectionPath, projection);
        QFETCH(double, output_dropout);
        const auto parameters = randomParameters<double>(kSmall, 1);
        Parameters<double> expected(kSmall), gradients(kSmall);
        const auto step = [&](ProjectionPath in, OutputPath out, Parameters<double>& into) {
            LanguageModel<double> model(kSmall, kRows, AttentionPath::Plain, in, out);
            model.setDropout({.output = output_dropout, .seed = 5});
            model.forward(parameters, kTokens);
            model.loss(kTargets);
            model.backward(parameters, into);
            return model.logits();
        };
        const auto logits = step(ProjectionPath::Plain, OutputPath::Plain, expected);
        for (double& x : gradients.values()) x = 99;  // must be overwritten
        QVERIFY(relativeError(step(projection, OutputPath::Composed, gradients), logits) <= 1e-13);
        QVERIFY(relativeError(gradients.values(), expected.values()) <= 1e-13);
    }

    void resplittingLeavesTheParametersAlone() {
        const auto parameters = randomParameters<float>(kSmall, 1);
        ModelConfig other = kSmall;
        other.n_heads = 2, other.scale_scores = false;
        LanguageModel<float> model(kSmall, kRows), fresh(other, kRows);
        const Matrix<float> before = model.forward(parameters, kTokens);
        model.setConfig(other);
        QVERIFY(model.config() == other);
        QVERIFY(model.forward(parameters, kTokens) == fresh.forward(parameters, kTokens));
        QCOMPARE(model.weights().rows(), Index(kRows * 2 * 4));
        model.setConfig(kSmall);
        QVERIFY(model.forward(parameters, kTokens) == before);
    }

    void refusals() {
        LanguageModel<float> model(kSmall, kRows);
        const Parameters<float> parameters(kSmall);
        const auto tokens = [&](std::vector<int> ids) {
            return refusalOf([&] { model.forward(parameters, ids); });
        };
        QCOMPARE(tokens({1, 2, 3}), "3 tokens for a batch of 8");
        QCOMPARE(tokens({0, 0, 0, 7, 0, 0, 0, 0}),
                 "token 7 is outside the vocabulary: it must be from 0 to 6");
        QCOMPARE(tokens({0, 0, 0, 0, 0, 0, 0, -1}),
                 "token -1 is outside the vocabulary: it must be from 0 to 6");
        QCOMPARE(refusalOf([] { LanguageModel<float>(kSmall, 0); }),
                 "batch_rows is 0: it must be from 1 to 4096");
        const auto change = [&](ModelConfig config) { return refusalOf([&] { model.setConfig(config); }); };
        ModelConfig uneven = kSmall, wider = kSmall;
        uneven.n_heads = 4, wider.d_model = 12;
        QCOMPARE(change(uneven), "n_heads 4 does not divide d_model 6");
        QCOMPARE(change(wider),
                 "only the head count and the scaling of a model can change, not its other sizes");
        QVERIFY(model.config() == kSmall);
    }

    void learnsOneBatchByHeartInAHundredSteps() {
        auto parameters = Parameters<float>(kSmall);
        Random random(1, RandomStream::Initialization);
        initialize(parameters, 1, 1, random);
        Parameters<float> gradients(kSmall);
        LanguageModel<float> model(kSmall, kRows);
        Adam<float> adam(kSmall);
        BatchLoss<float> last{};
        for (int step = 0; step < 100; ++step) {
            model.forward(parameters, kTokens);
            last = model.loss(kTargets);
            model.backward(parameters, gradients);
            adam.step(parameters, gradients, 0.03);
        }
        QVERIFY2(last.loss < 0.02f, qPrintable(QString::number(double(last.loss))));
        QCOMPARE(last.accuracy, 1.);
    }
};

QTEST_APPLESS_MAIN(TestLanguageModel)
#include "test_language_model.moc"
