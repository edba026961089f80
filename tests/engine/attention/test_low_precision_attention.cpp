#include <QtTest>

#include "engine/attention/low_precision_attention.h"
#include "tests/engine/attention/block.h"

using namespace headscope;
using namespace headscope::test;

namespace {

struct Errors {
    double output, gradient;
};

template <typename Storage>
typename LowPrecisionAttention<Storage>::Tensors tensorsOf(const Block<double>& b) {
    return {b.qkv_proj_weight.cast<Storage>(), b.qkv_proj_bias.cast<Storage>(),
            b.out_proj_weight.cast<Storage>(), b.out_proj_bias.cast<Storage>()};
}

double worst(const Matrix<double>& actual, const Matrix<double>& expected) {
    return relativeError(actual, expected);
}

/// Of a block stored in 16 bits, measured by the one in double. Tensor by tensor, as a share of its largest
/// value; the key bias's gradient, 0 on paper, as a share of the whole bias's.
template <typename Storage>
Errors lowPrecisionErrors(const AttentionShape& shape, const AttentionOptions& options,
                          const Block<double>& block, const Matrix<double>& g) {
    const auto expected = compute(shape, options, block, g);
    LowPrecisionAttention<Storage> attention(shape, options);
    const auto parameters = tensorsOf<Storage>(block);
    const Matrix<Storage> x = block.x.cast<Storage>(),
                          memory = shape.isCross() ? Matrix<Storage>(block.memory.cast<Storage>()) : x;
    const auto wide = [](const Matrix<Storage>& m) { return Matrix<double>(m.template cast<double>()); };
    Errors errors{worst(wide(attention.forward(parameters, x, memory)), expected.attn_out), 0};
    const auto grad = attention.backward(parameters, x, memory, g.cast<Storage>());
    Matrix<double> grad_x = wide(grad.x);
    if (!shape.isCross()) grad_x += wide(grad.memory);
    errors.gradient = std::max({worst(grad_x, expected.grad.x),
                                worst(wide(grad.parameters.qkv_proj_weight), expected.grad.qkv_proj_weight),
                                worst(wide(grad.parameters.qkv_proj_bias), expected.grad.qkv_proj_bias),
                                worst(wide(grad.parameters.out_proj_weight), expected.grad.out_proj_weight),
                                worst(wide(grad.parameters.out_proj_bias), expected.grad.out_proj_bias)});
    if (shape.isCross())
        errors.gradient = std::max(errors.gradient, worst(wide(grad.memory), expected.grad.memory));
    return errors;
}

Errors floatErrors(const AttentionShape& shape, const AttentionOptions& options, const Block<double>& block,
                   const Matrix<double>& g) {
    const auto expected = compute(shape, options, block, g);
    auto got = compute(shape, options, block.cast<float>(), Matrix<float>(g.cast<float>()));
    const auto wide = [](const Matrix<float>& m) { return Matrix<double>(m.cast<double>()); };
    return {worst(wide(got.attn_out), expected.attn_out),
            std::max({worst(wide(got.grad.x), expected.grad.x),
                      worst(wide(got.grad.qkv_proj_weight), expected.grad.qkv_proj_weight),
                      worst(wide(got.grad.qkv_proj_bias), expected.grad.qkv_proj_bias),
                      worst(wide(got.grad.out_proj_weight), expected.grad.out_proj_weight),
                      worst(wide(got.grad.out_proj_bias), expected.grad.out_proj_bias)})};
}

/// One head of one feature, all tokens 1: every score is q · k.
template <typename Storage>
bool isFiniteWithScore(float q, float k, bool scaled = false) {
    using Attention = LowPrecisionAttention<Storage>;
    Matrix<float> weight(3, 1);
    weight << q, k, 1;
    const typename Attention::Tensors parameters{weight.cast<Storage>(), Matrix<Storage>::Zero(1, 3),
                                                 Matrix<Storage>::Ones(1, 1), Matrix<Storage>::Zero(1, 1)};
    const Matrix<Storage> x = Matrix<Storage>::Ones(2, 1);
    Attention attention({1, 2, 1, 1}, {.scale_scores = scaled});
    return attention.forward(parameters, x, x).template cast<float>().allFinite();
}

/// The largest score before which a block of this many features a head is finite, over inputs ever larger.
template <typename Storage>
double largestFiniteScore(Index d_head, bool scaled) {
    const AttentionShape shape{1, 8, d_head, 1};
    double largest = 0;
    for (double scale = 1; scale < 3e4; scale *= 1.1) {
        const Block<double> block = randomBlock(shape, scale, 43);
        LowPrecisionAttention<Storage> attention(shape, {.scale_scores = scaled});
        const Matrix<Storage> x = block.x.cast<Storage>();
        if (!attention.forward(tensorsOf<Storage>(block), x, x).template cast<float>().allFinite()) break;
        MultiHeadAttention<double> exact(shape, {.scale_scores = scaled});
        forward(exact, block);
        largest = exact.scores().maxCoeff();  // what falls to −∞ has weight 0 and does no harm
    }
    return largest;
}

}  // namespace

class TestLowPrecisionAttention : public QObject {
    Q_OBJECT
private slots:
    void errorsStayWithinTheirType_data() {
        QTest::addColumn<bool>("scaled");
        QTest::addColumn<double>("half");
        QTest::addColumn<double>("bfloat16");
        QTest::addColumn<double>("single");
        QTest::newRow("scaled") << true << 2e-3 << 2e-2 << 1e-6;
        QTest::newRow("unscaled") << false << 5e-3 << 5e-2 << 2e-6;
    }

    /// The table: worst error of output and gradients by type, as a share of the largest value.
    void errorsStayWithinTheirType() {
        QFETCH(bool, scaled);
        QFETCH(double, half);
        QFETCH(double, bfloat16);
        QFETCH(double, single);
        constexpr AttentionShape shape{2, 16, 32, 4};
        const Block<double> block = randomBlock(shape, 1, 41);
        const Matrix<double> g = randomGrad<double>(shape, 42);
        const AttentionOptions options{.scale_scores = scaled};
        const std::tuple<const char*, Errors, double> rows[] = {
            {"float", floatErrors(shape, options, block, g), single},
            {"half", lowPrecisionErrors<Eigen::half>(shape, options, block, g), half},
            {"bfloat16", lowPrecisionErrors<Eigen::bfloat16>(shape, options, block, g), bfloat16}};
        for (const auto& [type, errors, allowed] : rows) {
            qInfo("%-8s %-9s output %.1e  gradients %.1e  (allowed %.0e)", QTest::currentDataTag(), type,
                  errors.output, errors.gradient, allowed);
            QVERIFY(errors.output <= allowed && errors.gradient <= allowed);
            QVERIFY(errors.output > 0);
        }
    }

    void everyMaskWorks_data() {
        QTest::addColumn<AttentionShape>("shape");
        QTest::addColumn<AttentionMask>("mask");
        const std::array<Index, 4> blind{2, 1, 1, 1};
        QTest::newRow("causal") << AttentionShape{2, 5, 8, 2} << AttentionMask::causal();
        QTest::newRow("a blind sequence")
            << AttentionShape{2, 5, 8, 2} << AttentionMask::boolean(blind, {0, 1});
        QTest::newRow("cross") << AttentionShape{2, 5, 8, 2, 7} << AttentionMask();
        QTest::newRow("cross, padding")
            << AttentionShape{2, 5, 8, 2, 3} << AttentionMask::keyPadding(2, 3, {0, 1, 1, 0, 0, 0});
    }

    void everyMaskWorks() {
        QFETCH(AttentionShape, shape);
        QFETCH(AttentionMask, mask);
        const Block<double> block = randomBlock(shape, 1, 44);
        const Matrix<double> g = randomGrad<double>(shape, 45);
        for (const bool rotary : {false, true}) {
            const AttentionOptions options{.rotary = rotary, .mask = mask};
            const auto half = lowPrecisionErrors<Eigen::half>(shape, options, block, g);
            const auto bfloat16 = lowPrecisionErrors<Eigen::bfloat16>(shape, options, block, g);
            QVERIFY(half.output <= 5e-3 && half.gradient <= 5e-3);
            QVERIFY(bfloat16.output <= 5e-2 && bfloat16.gradient <= 5e-2);
        }
    }

    void aBlindQueryGivesTheBias() {
        constexpr AttentionShape shape{1, 3, 4, 2};
        const std::array<Index, 4> nothing{1, 1, 1, 1};
        const Block<double> block = randomBlock(shape, 1, 46);
        const auto parameters = tensorsOf<Eigen::half>(block);
        const Matrix<Eigen::half> x = block.x.cast<Eigen::half>();
        LowPrecisionAttention<Eigen::half> attention(shape, {.mask = AttentionMask::boolean(nothing, {0})});
        attention.forward(parameters, x, x);
        QVERIFY(attention.weights().cast<float>().isZero(0));
        const auto grad = attention.backward(parameters, x, x, x);
        QVERIFY(grad.parameters.qkv_proj_weight.cast<float>().isZero(0));
        for (Index row = 0; row < 3; ++row)
            QVERIFY(attention.forward(parameters, x, x).cast<float>().row(row) ==
                    parameters.out_proj_bias.cast<float>());
    }

    void halfOverflowsAboveItsLargestNumber() {
        QVERIFY(isFiniteWithScore<Eigen::half>(256, 255.875f));  // 65504
        QVERIFY(!isFiniteWithScore<Eigen::half>(256, 256));      // 65536: infinite, and so the row is NaN
        QVERIFY(isFiniteWithScore<Eigen::bfloat16>(256, 256));
        QVERIFY(isFiniteWithScore<Eigen::bfloat16>(1e18f, 1e18f));
    }

    void scalingLeavesHalfMoreRoom() {
        for (const bool scaled : {true, false}) {
            const double half = largestFiniteScore<Eigen::half>(64, scaled);
            qInfo("%-8s half is finite up to scores of %.0f; bfloat16 up to more than %.0f",
                  scaled ? "scaled" : "unscaled", half, largestFiniteScore<Eigen::bfloat16>(64, scaled));
            QVERIFY(half <= 65520);
            QVERIFY(half > 65504 / 1.1 / 1.1 / 1.1);
            QVERIFY(largestFiniteScore<Eigen::bfloat16>(64, scaled) > 65504);
        }
    }
};

QTEST_APPLESS_MAIN(TestLowPrecisionAttention)
#include "test_low_precision_attention.moc"
