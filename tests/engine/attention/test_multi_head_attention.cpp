#include <QtTest>

#include "engine/attention/multi_head_attention.h"
#include "tests/engine/complex_step.h"

using namespace headscope;
using namespace headscope::test;

namespace {

struct Block {
    Matrix<double> qkv_proj_weight, qkv_proj_bias, out_proj_weight, out_proj_bias, x;

    Block(Index rows, Index D, double scale, std::uint64_t seed) {
        Random random(seed, RandomStream::Probe);
        const double spread = 1 / std::sqrt(double(D));
        qkv_proj_weight = randomMatrix(3 * D, D, spread, random);
        qkv_proj_bias = randomMatrix(1, 3 * D, spread, random);
        out_proj_weight = randomMatrix(D, D, spread, random);
        out_proj_bias = randomMatrix(1, D, spread, random);
        x = randomMatrix(rows, D, scale, random);
    }
};

template <typename Scalar>
ConstView<Scalar> constView(const Matrix<Scalar>& m) {
    return {m.data(), m.rows(), m.cols(), Eigen::OuterStride<>(m.cols())};
}

template <typename Scalar>
View<Scalar> view(Matrix<Scalar>& m) {
    return {m.data(), m.rows(), m.cols(), Eigen::OuterStride<>(m.cols())};
}

/// Rounded or widened copies of a block's tensors.
template <typename Scalar>
struct Tensors {
    Matrix<Scalar> qkv_proj_weight, qkv_proj_bias, out_proj_weight, out_proj_bias, x;

    explicit Tensors(const Block& b)
        : qkv_proj_weight(b.qkv_proj_weight.cast<Scalar>()),
          qkv_proj_bias(b.qkv_proj_bias.cast<Scalar>()),
          out_proj_weight(b.out_proj_weight.cast<Scalar>()),
          out_proj_bias(b.out_proj_bias.cast<Scalar>()),
          x(b.x.cast<Scalar>()) {}

    AttentionTensors<ConstView<Scalar>> parameters() const {
        return {constView(qkv_proj_weight), constView(qkv_proj_bias), constView(out_proj_weight),
                constView(out_proj_bias)};
    }
    AttentionTensors<View<Scalar>> gradients() {
        return {view(qkv_proj_weight), view(qkv_proj_bias), view(out_proj_weight), view(out_proj_bias)};
    }
};

struct Plain {
    Matrix<double> scores, weights, context, attn_out;
};

/// The block as the paper writes it, in loops over single numbers: no view, no library, no shared code.
Plain plainAttention(const Block& block, Index B, Index T, Index H, bool scaled) {
    const Index D = block.x.cols(), d = D / H;
    const auto project = [&](Index row, Index feature) {
        double sum = block.qkv_proj_bias(0, feature);
        for (Index i = 0; i < D; ++i) sum += block.x(row, i) * block.qkv_proj_weight(feature, i);
        return sum;
    };
    Plain out{Matrix<double>::Zero(B * H * T, T), Matrix<double>::Zero(B * H * T, T),
              Matrix<double>::Zero(B * T, D), Matrix<double>(B * T, D)};
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < H; ++h)
            for (Index t = 0; t < T; ++t) {
                const Index row = (b * H + h) * T + t;
                double total = 0;
                for (Index s = 0; s <= t; ++s) {
                    for (Index i = 0; i < d; ++i)
                        out.scores(row, s) +=
                            project(b * T + t, h * d + i) * project(b * T + s, D + h * d + i);
                    if (scaled) out.scores(row, s) /= std::sqrt(double(d));
                    total += std::exp(out.scores(row, s));
                }
                for (Index s = 0; s <= t; ++s) {
                    out.weights(row, s) = std::exp(out.scores(row, s)) / total;
                    for (Index i = 0; i < d; ++i)
                        out.context(b * T + t, h * d + i) +=
                            out.weights(row, s) * project(b * T + s, 2 * D + h * d + i);
                }
            }
    for (Index row = 0; row < B * T; ++row)
        for (Index o = 0; o < D; ++o) {
            out.attn_out(row, o) = block.out_proj_bias(0, o);
            for (Index i = 0; i < D; ++i)
                out.attn_out(row, o) += out.context(row, i) * block.out_proj_weight(o, i);
        }
    return out;
}

}  // namespace

class TestMultiHeadAttention : public QObject {
    Q_OBJECT

    static void shapes() {
        QTest::addColumn<int>("B");
        QTest::addColumn<int>("T");
        QTest::addColumn<int>("D");
        QTest::addColumn<int>("H");
        QTest::addColumn<bool>("scaled");
        const int shapes[][4] = {{1, 1, 1, 1}, {2, 1, 6, 3},  {1, 7, 4, 1}, {3, 5, 6, 2},
                                 {2, 5, 6, 6}, {2, 12, 8, 2}, {1, 9, 15, 5}};
        for (const auto& s : shapes)
            for (const bool scaled : {true, false})
                QTest::addRow("B%d T%d D%d H%d %s", s[0], s[1], s[2], s[3], scaled ? "scaled" : "unscaled")
                    << s[0] << s[1] << s[2] << s[3] << scaled;
    }

private slots:
    void equalsThePlainLoops_data() { shapes(); }

    void equalsThePlainLoops() {
        QFETCH(int, B);
        QFETCH(int, T);
        QFETCH(int, D);
        QFETCH(int, H);
        QFETCH(bool, scaled);
        const Block block(B * T, D, 1, 11);
        const Plain expected = plainAttention(block, B, T, H, scaled);
        const Tensors<double> tensors(block);
        MultiHeadAttention<double> attention({B, T, D, H}, scaled);
        attention.forward(tensors.parameters(), tensors.x);
        QVERIFY(relativeError(attention.scores(), expected.scores) <= 1e-13);
        QVERIFY(relativeError(attention.weights(), expected.weights) <= 1e-13);
        QVERIFY(relativeError(attention.context(), expected.context) <= 1e-13);
        QVERIFY(relativeError(attention.attn_out(), expected.attn_out) <= 1e-13);

        const Tensors<float> rounded(block);
        MultiHeadAttention<float> single({B, T, D, H}, scaled);
        single.forward(rounded.parameters(), rounded.x);
        QVERIFY(relativeError(single.attn_out().cast<double>(), expected.attn_out) <= 1e-5);
    }

    void backwardIsTheComplexStep_data() {
        QTest::addColumn<int>("H");
        QTest::addColumn<bool>("scaled");
        QTest::addColumn<double>("scale");
        for (const int H : {1, 2, 6})
            for (const bool scaled : {true, false})
                for (const double scale : {1e-2, 1., 5., 30.})
                    QTest::addRow("H%d %s, inputs of %g", H, scaled ? "scaled" : "unscaled", scale)
                        << H << scaled << scale;
    }

    void backwardIsTheComplexStep() {
        QFETCH(int, H);
        QFETCH(bool, scaled);
        QFETCH(double, scale);
        constexpr Index B = 2, T = 4, D = 6;
        const Block block(B * T, D, scale, 12);
        Random random(13, RandomStream::Probe);
        const Matrix<double> g = randomMatrix(B * T, D, 1, random);

        const Tensors<double> tensors(block);
        Tensors<double> grad(block);
        MultiHeadAttention<double> attention({B, T, D, H}, scaled);
        attention.forward(tensors.parameters(), tensors.x);
        attention.backward(tensors.parameters(), tensors.x, g, grad.gradients(), grad.x);

        Tensors<Complex> probe(block);
        MultiHeadAttention<Complex> complex({B, T, D, H}, scaled);
        const auto f = [&] {
            return complex.forward(probe.parameters(), probe.x).cwiseProduct(g.cast<Complex>()).sum();
        };
        const auto error = [&](Matrix<double>& actual, Matrix<Complex>& values) {
            return relativeError(valuesOf(actual), complexStep(valuesOf(values), f));
        };
        QVERIFY(error(grad.x, probe.x) <= 1e-12);
        QVERIFY(error(grad.qkv_proj_weight, probe.qkv_proj_weight) <= 1e-12);
        QVERIFY(error(grad.qkv_proj_bias, probe.qkv_proj_bias) <= 1e-12);
        QVERIFY(error(grad.out_proj_weight, probe.out_proj_weight) <= 1e-12);
        QVERIFY(error(grad.out_proj_bias, probe.out_proj_bias) <= 1e-12);
    }

    void whatIsMaskedIsExactlyZeroAndRowsSumToOne() {
        constexpr Index B = 2, T = 9, D = 8, H = 4;
        const Tensors<float> tensors(Block(B * T, D, 30, 14));
        MultiHeadAttention<float> attention({B, T, D, H}, false);
        attention.forward(tensors.parameters(), tensors.x);
        for (Index row = 0; row < B * H * T; ++row) {
            QVERIFY(std::abs(attention.weights().row(row).sum() - 1) < 1e-6f);
            for (Index s = row % T + 1; s < T; ++s) QCOMPARE(attention.weights()(row, s), 0.f);
        }
    }

    void aTokenChangesNoOutputBeforeIt() {
        constexpr Index T = 8, D = 6;
        Tensors<double> tensors(Block(T, D, 1, 15));
        MultiHeadAttention<double> attention({1, T, D, 3}, true);
        const Matrix<double> before = attention.forward(tensors.parameters(), tensors.x);
        for (Index t = 0; t < T; ++t) {
            const Matrix<double> kept = tensors.x.row(t);
            tensors.x.row(t).array() += 0.5;
            const Matrix<double>& after = attention.forward(tensors.parameters(), tensors.x);
            for (Index s = 0; s < T; ++s) QCOMPARE(after.row(s) == before.row(s), s < t);
            tensors.x.row(t) = kept;
        }
    }

    void resplittingEqualsABlockMadeWithThatManyHeads() {
        constexpr Index B = 2, T = 5, D = 8;
        const Tensors<double> tensors(Block(B * T, D, 1, 16));
        MultiHeadAttention<double> resplit({B, T, D, 2}, true);
        resplit.forward(tensors.parameters(), tensors.x);
        resplit.setHeads(8, false);
        MultiHeadAttention<double> made({B, T, D, 8}, false);
        QVERIFY(resplit.forward(tensors.parameters(), tensors.x) ==
                made.forward(tensors.parameters(), tensors.x));
        QVERIFY(resplit.weights() == made.weights());
        QVERIFY(resplit.scores() == made.scores());
    }

    void stridedInputGivesTheSameBits() {
        constexpr Index B = 2, T = 5, D = 6;
        const Tensors<float> tensors(Block(B * T, D, 1, 17));
        MultiHeadAttention<float> attention({B, T, D, 2}, true);
        const Matrix<float> expected = attention.forward(tensors.parameters(), tensors.x);
        Matrix<float> wide = Matrix<float>::Constant(B * T, D + 5, 9.f);
        wide.middleCols(3, D) = tensors.x;
        QVERIFY(attention.forward(tensors.parameters(), wide.middleCols(3, D)) == expected);
        const Matrix<float> transposed = tensors.x.transpose();
        QVERIFY(attention.forward(tensors.parameters(), transposed.transpose()) == expected);
    }
};

QTEST_APPLESS_MAIN(TestMultiHeadAttention)
#include "test_multi_head_attention.moc"
