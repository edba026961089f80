#include <set>

#include <QtTest>

#include "engine/model/initialization.h"
#include "engine/model/parameters.h"

using namespace headscope;

namespace {

QStringList shapesOf(const ModelConfig& config) {
    QStringList shapes;
    const Parameters<float> parameters(config);
    parameters.forEach([&](std::string_view name, const Tensor<const float>& tensor) {
        const QString text = QString::fromUtf8(name.data(), qsizetype(name.size()));
        shapes << (tensor.is_vector ? QString("%1 (%2)").arg(text).arg(tensor.cols)
                                    : QString("%1 (%2,%3)").arg(text).arg(tensor.rows).arg(tensor.cols));
    });
    return shapes;
}

double spread(std::span<const double> values, double about) {
    double sum = 0;
    for (const double x : values) sum += (x - about) * (x - about);
    return std::sqrt(sum / double(values.size()));
}

}  // namespace

class TestParameters : public QObject {
    Q_OBJECT
private slots:
    void namesAndShapesAreThoseOfTheLesson() {
        QStringList expected = {"token_emb.embedding.weight (64,32)",
                                "attn.qkv_proj.weight (96,32)",
                                "attn.qkv_proj.bias (96)",
                                "attn.out_proj.weight (32,32)",
                                "attn.out_proj.bias (32)",
                                "lm_head.weight (64,32)",
                                "lm_head.bias (64)"};
        QCOMPARE(shapesOf({}), expected);
        QCOMPARE(shapesOf({.positions = Positions::None}), expected);
        expected.insert(1, "pos_emb.embedding.weight (12,32)");
        QCOMPARE(shapesOf({.positions = Positions::Learned}), expected);
    }

    void headsChangeNoShape() { QCOMPARE(shapesOf({.n_heads = 1}), shapesOf({.n_heads = 32})); }

    void tensorsShareOneBufferInOrder() {
        Parameters<float> parameters(ModelConfig{.positions = Positions::Learned});
        const float* next = parameters.values().data();
        parameters.forEach([&](std::string_view, Tensor<float> tensor) {
            QCOMPARE(static_cast<const float*>(tensor.data), next);
            next += tensor.size();
        });
        QCOMPARE(next, parameters.values().data() + parameters.values().size());
        for (const float x : parameters.values()) QCOMPARE(x, 0.f);
    }

    void viewsAreTheTensorsOfThatName() {
        Parameters<float> p(ModelConfig{.positions = Positions::Learned});
        std::map<std::string_view, const float*> at;
        p.forEach([&](std::string_view name, Tensor<float> tensor) { at[name] = tensor.data; });
        QCOMPARE(static_cast<const float*>(p.token_emb().data()), at["token_emb.embedding.weight"]);
        QCOMPARE(static_cast<const float*>(p.pos_emb().data()), at["pos_emb.embedding.weight"]);
        QCOMPARE(static_cast<const float*>(p.attn().qkv_proj_weight.data()), at["attn.qkv_proj.weight"]);
        QCOMPARE(static_cast<const float*>(p.attn().qkv_proj_bias.data()), at["attn.qkv_proj.bias"]);
        QCOMPARE(static_cast<const float*>(p.attn().out_proj_weight.data()), at["attn.out_proj.weight"]);
        QCOMPARE(static_cast<const float*>(p.attn().out_proj_bias.data()), at["attn.out_proj.bias"]);
        QCOMPARE(static_cast<const float*>(p.lm_head_weight().data()), at["lm_head.weight"]);
        QCOMPARE(static_cast<const float*>(p.lm_head_bias().data()), at["lm_head.bias"]);
        QCOMPARE(p.attn().qkv_proj_weight.rows(), 96);
        QCOMPARE(p.lm_head_bias().cols(), 64);
        QCOMPARE(Parameters<float>(ModelConfig{}).pos_emb().rows(), 0);
    }

    void aCopyIsItsOwn() {
        Parameters<float> a(ModelConfig{});
        Parameters<float> b = a;
        b.token_emb()(3, 4) = 5;
        QCOMPARE(a.token_emb()(3, 4), 0.f);
        a = b;
        QCOMPARE(std::as_const(a).token_emb()(3, 4), 5.f);
    }

    void initializationFollowsPyTorchsDefaults() {
        const ModelConfig config{
            .vocab_size = 500, .d_model = 64, .context_length = 300, .positions = Positions::Learned};
        Parameters<double> parameters(config);
        Random random(7, RandomStream::Initialization);
        initialize(parameters, 0.02, 0.5, random);
        const double bound = 1 / std::sqrt(64.);
        parameters.forEach([&](std::string_view name, Tensor<double> tensor) {
            const auto values = tensor.values();
            if (name.starts_with("token_emb") || name.starts_with("pos_emb")) {
                const double std = name.starts_with("token_emb") ? 0.02 : 0.5;
                QVERIFY(std::abs(spread(values, 0) / std - 1) < 0.03);
                return;
            }
            const auto [low, high] = std::minmax_element(values.begin(), values.end());
            QVERIFY(*low >= -bound && *high <= bound);
            QVERIFY(*low<-0.9 * bound&& * high> 0.9 * bound);
            QVERIFY(std::abs(spread(values, 0) * std::sqrt(3.) / bound - 1) < 0.2);
        });
    }

    void aSeedMeansTheSameParametersInEveryPrecision() {
        Parameters<double> wide{ModelConfig{}};
        Parameters<float> single{ModelConfig{}};
        Random a(3, RandomStream::Initialization), b(3, RandomStream::Initialization);
        initialize(wide, 1, 1, a);
        initialize(single, 1, 1, b);
        for (std::size_t i = 0; i < wide.values().size(); ++i)
            QCOMPARE(single.values()[i], static_cast<float>(wide.values()[i]));
    }
};

QTEST_APPLESS_MAIN(TestParameters)
#include "test_parameters.moc"
