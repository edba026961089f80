#include <QtTest>

#include "engine/numeric/refusal.h"
#include "tests/engine/attention/block.h"

using namespace headscope;
using namespace headscope::test;

namespace {

struct Plain {
    Matrix<double> scores, weights, context, attn_out;
};

/// The block as the paper writes it, in loops over single numbers: no view, no library, no shared code.
Plain plainAttention(const Block<double>& block, const AttentionShape& s, bool scaled,
                     const AttentionMask& mask) {
    const Index B = s.batch_rows, H = s.n_heads, D = s.d_model, Lq = s.queries(), Lk = s.keys(), d = D / H;
    const auto project = [&](const Matrix<double>& from, Index row, Index feature) {
        double sum = block.qkv_proj_bias(0, feature);
        for (Index i = 0; i < D; ++i) sum += from(row, i) * block.qkv_proj_weight(feature, i);
        return sum;
    };
    const Matrix<double>& memory = s.isCross() ? block.memory : block.x;
    Plain out{Matrix<double>::Zero(B * H * Lq, Lk), Matrix<double>::Zero(B * H * Lq, Lk),
              Matrix<double>::Zero(B * Lq, D), Matrix<double>(B * Lq, D)};
    for (Index b = 0; b < B; ++b)
        for (Index h = 0; h < H; ++h)
            for (Index q = 0; q < Lq; ++q) {
                const Index row = (b * H + h) * Lq + q;
                double total = 0;
                for (Index k = 0; k < Lk; ++k) {
                    if (!mask.visible(b, h, q, k)) continue;
                    for (Index i = 0; i < d; ++i)
                        out.scores(row, k) += project(block.x, b * Lq + q, h * d + i) *
                                              project(memory, b * Lk + k, D + h * d + i);
                    if (scaled) out.scores(row, k) /= std::sqrt(double(d));
                    total += std::exp(out.scores(row, k));
                }
                for (Index k = 0; k < Lk; ++k) {
                    if (!mask.visible(b, h, q, k)) continue;
                    out.weights(row, k) = std::exp(out.scores(row, k)) / total;
                    for (Index i = 0; i < d; ++i)
                        out.context(b * Lq + q, h * d + i) +=
                            out.weights(row, k) * project(memory, b * Lk + k, 2 * D + h * d + i);
                }
            }
    for (Index row = 0; row < B * Lq; ++row)
        for (Index o = 0; o < D; ++o) {
            out.attn_out(row, o) = block.out_proj_bias(0, o);
            for (Index i = 0; i < D; ++i)
                out.attn_out(row, o) += out.context(row, i) * block.out_proj_weight(o, i);
        }
    return out;
}

constexpr AttentionShape kSelf{.batch_rows = 2, .length = 5, .d_model = 6, .n_heads = 3};
constexpr AttentionShape kCross{.batch_rows = 2, .length = 4, .d_model = 6, .n_heads = 3, .memory_length = 5};

/// Row 0 of the batch sees its last three keys, row 1 its first two; with causality some queries see nothing.
AttentionMask padding() { return AttentionMask::keyPadding(2, 5, {0, 0, 1, 1, 1, 1, 1, 0, 0, 0}); }

struct Case {
    const char* name;
    AttentionShape shape;
    AttentionMask mask;
    bool rotary = false;
    AttentionDropout dropout = {};
};

std::vector<Case> everyKind() {
    const std::array<Index, 4> blind{2, 1, 1, 1};
    return {{"causal", kSelf, AttentionMask::causal()},
            {"unmasked", kSelf, {}},
            {"padding", kSelf, padding()},
            {"causal and padding", kSelf, AttentionMask::causal() & padding()},
            {"a blind sequence", kSelf, AttentionMask::boolean(blind, {0, 1})},
            {"rotary", kSelf, AttentionMask::causal(), true},
            {"dropout", kSelf, AttentionMask::causal(), false, {0.3, 0.2, 5}},
            {"dropout and padding", kSelf, padding(), false, {0.3, 0, 5}},
            {"cross", kCross, {}},
            {"cross, causal", kCross, AttentionMask::causal()},
            {"cross, padding, rotary, dropout", kCross, padding(), true, {0.2, 0.1, 6}}};
}

}  // namespace

class TestMultiHeadAttention : public QObject {
    Q_OBJECT

private slots:
    void equalsThePlainLoops_data() {
        QTest::addColumn<AttentionShape>("shape");
        QTest::addColumn<AttentionMask>("mask");
        QTest::addColumn<bool>("scaled");
        const AttentionShape shapes[] = {{1, 1, 1, 1},    {2, 1, 6, 3},      {1, 7, 4, 1},
                                         {3, 5, 6, 2},    {2, 5, 6, 6},      {2, 12, 8, 2},
                                         {1, 9, 15, 5},   {1, 70, 4, 2},     {2, 3, 8, 4, 7},
                                         {1, 9, 6, 2, 2}, {1, 40, 4, 1, 90}, {2, 65, 2, 1, 33}};
        Random random(10, RandomStream::Probe);
        for (const auto& s : shapes) {
            const std::array<Index, 4> whole{s.batch_rows, s.n_heads, s.queries(), s.keys()};
            const AttentionMask some = randomMask(whole, 0.5, random);
            const std::pair<const char*, AttentionMask> masks[] = {
                {"causal", AttentionMask::causal()},
                {"unmasked", {}},
                {"some", some},
                {"causal and some", AttentionMask::causal() & some},
                {"none", randomMask(whole, 0, random)}};
            for (const auto& [name, mask] : masks)
                for (const bool scaled : {true, false})
                    QTest::addRow("B%d Lq%d Lk%d D%d H%d %s %s", int(s.batch_rows), int(s.length),
                                  int(s.keys()), int(s.d_model), int(s.n_heads), name,
                                  scaled ? "scaled" : "unscaled")
                        << s << mask << scaled;
        }
    }

    void equalsThePlainLoops() {
        QFETCH(AttentionShape, shape);
        QFETCH(AttentionMask, mask);
        QFETCH(bool, scaled);
        const Block<double> block = randomBlock(shape, 1, 11);
        const Plain expected = plainAttention(block, shape, scaled, mask);
        for (const auto path : {AttentionPath::Plain, AttentionPath::Blockwise}) {
            const AttentionOptions options{.scale_scores = scaled, .mask = mask, .path = path};
            MultiHeadAttention<double> attention(shape, options);
            forward(attention, block);
            QVERIFY(relativeError(attention.scores(), expected.scores) <= 1e-13);
            QVERIFY(relativeError(attention.context(), expected.context) <= 1e-13);
            QVERIFY(relativeError(attention.attn_out(), expected.attn_out) <= 1e-13);
            if (path == AttentionPath::Plain)
                QVERIFY(relativeError(attention.weights(), expected.weights) <= 1e-13);

            MultiHeadAttention<float> single(shape, options);
            forward(single, block.cast<float>());
            QVERIFY(relativeError(single.attn_out().cast<double>(), expected.attn_out) <= 1e-5);
        }
    }

    void backwardIsTheComplexStep_data() {
        QTest::addColumn<Case>("kind");
        QTest::addColumn<bool>("scaled");
        QTest::addColumn<double>("scale");
        for (const Case& kind : everyKind())
            for (const bool scaled : {true, false})
                for (const double scale : {1e-2, 1., 5., 30.})
                    QTest::addRow("%s %s, inputs of %g", kind.name, scaled ? "scaled" : "unscaled", scale)
                        << kind << scaled << scale;
    }

    void backwardIsTheComplexStep() {
        QFETCH(Case, kind);
        QFETCH(bool, scaled);
        QFETCH(double, scale);
        const Block<double> block = randomBlock(kind.shape, scale, 12);
        const Matrix<double> g = randomGrad<double>(kind.shape, 13);
        for (const auto path : {AttentionPath::Plain, AttentionPath::Blockwise}) {
            const AttentionOptions options{scaled, kind.rotary, kind.mask, path};
            Block<double> grad = compute(kind.shape, options, block, g, kind.dropout).grad;
            Block<Complex> probe = block.cast<Complex>();
            MultiHeadAttention<Complex> complex(kind.shape, options);
            complex.setDropout(kind.dropout);
            const auto f = [&] { return forward(complex, probe).cwiseProduct(g.cast<Complex>()).sum(); };
            std::vector<std::vector<double>> expected;
            probe.forEach(
                [&](const char*, Matrix<Complex>& m) { expected.push_back(complexStep(valuesOf(m), f)); });
            double largest = 0;
            for (const auto& values : expected)
                for (const double value : values) largest = std::max(largest, std::abs(value));
            std::size_t i = 0;
            grad.forEach([&](const char* name, Matrix<double>& m) {
                // Where saturated rows leave one tensor next to nothing, the others' scale decides.
                const std::vector<double>& exact = expected[i++];
                const double error = relativeError(valuesOf(m), exact);
                double own = 0;
                for (const double value : exact) own = std::max(own, std::abs(value));
                QVERIFY2(error * own <= 1e-12 * own + 1e-14 * largest,
                         qPrintable(QString("%1: %2").arg(name).arg(error)));
            });
        }
    }

    void whatIsMaskedIsExactlyZeroAndRowsSumToOne() {
        constexpr AttentionShape shape{2, 9, 8, 4};
        const Block<float> block = randomBlock(shape, 30, 14).cast<float>();
        MultiHeadAttention<float> attention(shape, {.scale_scores = false});
        forward(attention, block);
        for (Index row = 0; row < attention.weights().rows(); ++row) {
            QVERIFY(std::abs(attention.weights().row(row).sum() - 1) < 1e-6f);
            for (Index k = row % 9 + 1; k < 9; ++k) QCOMPARE(attention.weights()(row, k), 0.f);
        }
    }

    void aBlindQueryGivesTheBiasAndFiniteGradients_data() {
        QTest::addColumn<bool>("blockwise");
        QTest::addColumn<bool>("dropout");
        for (const bool blockwise : {false, true})
            for (const bool dropout : {false, true})
                QTest::addRow("%s%s", blockwise ? "blockwise" : "plain", dropout ? ", dropout" : "")
                    << blockwise << dropout;
    }

    void aBlindQueryGivesTheBiasAndFiniteGradients() {
        QFETCH(bool, blockwise);
        QFETCH(bool, dropout);
        constexpr AttentionShape shape{2, 70, 6, 3};
        const std::array<Index, 4> sizes{2, 1, 70, 1};
        std::vector<unsigned char> visible(140, 1);
        visible[69] = visible[71] = 0;  // a query at the end of sequence 0, and one at the start of 1
        const AttentionOptions options{
            .mask = AttentionMask::causal() & AttentionMask::boolean(sizes, visible),
            .path = blockwise ? AttentionPath::Blockwise : AttentionPath::Plain};
        const Block<float> block = randomBlock(shape, 1, 15).cast<float>();
        auto got = compute(shape, options, block, randomGrad<float>(shape, 16),
                           dropout ? AttentionDropout{0.5, 0, 1} : AttentionDropout{});
        for (const Index row : {69, 71}) {
            QVERIFY(got.attn_out.row(row) == block.out_proj_bias);
            QVERIFY(got.context.row(row).isZero(0));
            if (!blockwise)
                for (Index h = 0; h < 3; ++h)
                    QVERIFY(got.weights.row((row / 70 * 3 + h) * 70 + row % 70).isZero(0));
        }
        got.grad.forEach([](const char*, Matrix<float>& m) { QVERIFY(m.allFinite()); });
    }

    void whatIsNotFiniteIsNotLaundered_data() {
        QTest::addColumn<bool>("blockwise");
        QTest::addColumn<double>("poison");
        QTest::addColumn<bool>("padded");
        const double inf = std::numeric_limits<double>::infinity();
        for (const bool blockwise : {false, true})
            for (const double poison : {std::nan(""), inf, -inf})
                for (const bool padded : {false, true})
                    QTest::addRow("%g, %s%s", poison, blockwise ? "blockwise" : "plain",
                                  padded ? ", padded" : "")
                        << blockwise << poison << padded;
    }

    /// One poisoned token among others: every row that sees it says so, in the output and in the gradients.
    void whatIsNotFiniteIsNotLaundered() {
        QFETCH(bool, blockwise);
        QFETCH(double, poison);
        QFETCH(bool, padded);
        constexpr AttentionShape shape{1, 70, 6, 2};
        for (const Index token : {0, 3, 66}) {
            Block<float> block = randomBlock(shape, 1, 17).cast<float>();
            block.x(token, 2) = float(poison);
            std::vector<unsigned char> visible(70, 1);
            visible[5] = visible[68] = 0;
            AttentionMask mask = AttentionMask::causal();
            if (padded) mask &= AttentionMask::keyPadding(1, 70, visible);
            const AttentionOptions options{
                .mask = mask, .path = blockwise ? AttentionPath::Blockwise : AttentionPath::Plain};
            auto got = compute(shape, options, block, randomGrad<float>(shape, 18));
            for (Index row = token; row < 70; ++row) QVERIFY(!got.attn_out.row(row).allFinite());
            QVERIFY(!got.grad.x.row(token).allFinite());
            QVERIFY(!got.grad.qkv_proj_weight.allFinite());
            QVERIFY(!got.grad.out_proj_weight.allFinite());
        }
    }

    void aTokenChangesNoOutputBeforeIt() {
        constexpr AttentionShape shape{1, 8, 6, 3};
        Block<double> block = randomBlock(shape, 1, 15);
        MultiHeadAttention<double> attention(shape, {});
        const Matrix<double> before = forward(attention, block);
        for (Index t = 0; t < 8; ++t) {
            const Matrix<double> kept = block.x.row(t);
            block.x.row(t).array() += 0.5;
            const Matrix<double>& after = forward(attention, block);
            for (Index s = 0; s < 8; ++s) QCOMPARE(after.row(s) == before.row(s), s < t);
            block.x.row(t) = kept;
        }
    }

    void resplittingEqualsABlockMadeWithThatManyHeads() {
        for (const bool rotary : {false, true})
            for (const auto path : {AttentionPath::Plain, AttentionPath::Blockwise}) {
                const Block<double> block = randomBlock({2, 5, 8, 2}, 1, 16);
                MultiHeadAttention<double> resplit({2, 5, 8, 2}, {.rotary = rotary, .path = path});
                forward(resplit, block);
                resplit.setHeads(4, false);
                MultiHeadAttention<double> made({2, 5, 8, 4},
                                                {.scale_scores = false, .rotary = rotary, .path = path});
                QVERIFY(forward(resplit, block) == forward(made, block));
                QVERIFY(resplit.scores() == made.scores());
                if (path == AttentionPath::Plain) QVERIFY(resplit.weights() == made.weights());
            }
    }

    void anotherMaskEqualsABlockMadeWithIt() {
        const Block<double> block = randomBlock(kSelf, 1, 16);
        MultiHeadAttention<double> changed(kSelf, {.mask = {}});
        forward(changed, block);
        changed.setMask(AttentionMask::causal());
        MultiHeadAttention<double> made(kSelf, {});
        QVERIFY(forward(changed, block) == forward(made, block));
        QVERIFY(changed.weights() == made.weights());
    }

    void whatCannotBeIsRefusedAndChangesNothing() {
        const AttentionMask wrong = AttentionMask::keyPadding(2, 4, std::vector<unsigned char>(8, 1));
        QVERIFY_EXCEPTION_THROWN((MultiHeadAttention<float>(kSelf, {.mask = wrong})), Refusal);
        QVERIFY_EXCEPTION_THROWN((MultiHeadAttention<float>({1, 4, 6, 2}, {.rotary = true})), Refusal);
        const Block<float> block = randomBlock(kSelf, 1, 16).cast<float>();
        MultiHeadAttention<float> attention(kSelf, {.rotary = true});
        const Matrix<float> before = forward(attention, block);
        QVERIFY_EXCEPTION_THROWN(attention.setMask(wrong), Refusal);
        QVERIFY_EXCEPTION_THROWN(attention.setHeads(2, false), Refusal);
        QVERIFY(forward(attention, block) == before);
    }

    void dropoutIsSeededAndOffByDefault() {
        const Block<float> block = randomBlock(kSelf, 1, 19).cast<float>();
        MultiHeadAttention<float> attention(kSelf, {});
        const Matrix<float> evaluated = forward(attention, block);
        attention.setDropout({0.5, 0, 1});
        const Matrix<float> first = forward(attention, block);
        QVERIFY(first != evaluated);
        QVERIFY(forward(attention, block) == first);
        attention.setDropout({0.5, 0, 2});
        QVERIFY(forward(attention, block) != first);
        attention.setDropout();
        QVERIFY(forward(attention, block) == evaluated);
    }

    void outputDropoutDropsElementsOfTheOutput() {
        constexpr AttentionShape shape{2, 50, 6, 3};
        const Block<float> block = randomBlock(shape, 1, 20).cast<float>();
        MultiHeadAttention<float> attention(shape, {});
        const Matrix<float> evaluated = forward(attention, block);
        attention.setDropout({0, 0.25, 1});
        const Matrix<float>& dropped = forward(attention, block);
        Index zeros = 0;
        for (Index i = 0; i < dropped.size(); ++i) {
            if (dropped.data()[i] == 0)
                ++zeros;
            else
                QCOMPARE(dropped.data()[i], evaluated.data()[i] * float(1 / 0.75));
        }
        QVERIFY(zeros > 100 && zeros < 200);  // 150 on average, σ ≈ 11
    }

    /// Over many seeds the mean of what dropout gives is what evaluation gives.
    void dropoutChangesNoMean() {
        constexpr AttentionShape shape{1, 6, 4, 2};
        const Block<double> block = randomBlock(shape, 1, 21);
        MultiHeadAttention<double> attention(shape, {});
        const Matrix<double> evaluated = forward(attention, block);
        Matrix<double> mean = Matrix<double>::Zero(6, 4);
        constexpr int kSeeds = 20000;
        for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
            attention.setDropout({0.3, 0.2, seed});
            mean += forward(attention, block) / kSeeds;
        }
        QVERIFY((mean - evaluated).cwiseAbs().maxCoeff() <= 0.02);
    }

    void stridedInputGivesTheSameBits() {
        for (const auto path : {AttentionPath::Plain, AttentionPath::Blockwise}) {
            const Block<float> block = randomBlock(kCross, 1, 17).cast<float>();
            const Matrix<float> g = randomGrad<float>(kCross, 18);
            const AttentionOptions options{.mask = padding(), .path = path};
            auto expected = compute(kCross, options, block, g);
            const auto inAWiderOne = [](const Matrix<float>& m) {
                Matrix<float> wide = Matrix<float>::Constant(m.rows(), m.cols() + 5, 9.f);
                wide.middleCols(3, m.cols()) = m;
                return wide;
            };
            const auto part = [](auto& wide) { return wide.middleCols(3, wide.cols() - 5); };
            const Matrix<float> x = inAWiderOne(block.x), memory = inAWiderOne(block.memory),
                                grad_out = inAWiderOne(g);
            Matrix<float> grad_x = x, grad_memory = memory;
            MultiHeadAttention<float> attention(kCross, options);
            Block<float> grad = block;
            QVERIFY(attention.forward(block.parameters(), part(x), part(memory)) == expected.attn_out);
            attention.backward(block.parameters(), part(x), part(memory), part(grad_out), grad.gradients(),
                               part(grad_x), part(grad_memory));
            QVERIFY(part(grad_x) == expected.grad.x && part(grad_memory) == expected.grad.memory);
            QVERIFY(grad.qkv_proj_weight == expected.grad.qkv_proj_weight);
            QVERIFY(grad_x.leftCols(3) == x.leftCols(3) && grad_x.rightCols(2) == x.rightCols(2));

            const Matrix<float> x_columns = block.x.transpose(), memory_columns = block.memory.transpose(),
                                g_columns = g.transpose();
            QVERIFY(attention.forward(block.parameters(), x_columns.transpose(),
                                      memory_columns.transpose()) == expected.attn_out);
            attention.backward(block.parameters(), x_columns.transpose(), memory_columns.transpose(),
                               g_columns.transpose(), grad.gradients(), grad.x, grad.memory);
            QVERIFY(grad.x == expected.grad.x && grad.memory == expected.grad.memory);
            QVERIFY(grad.qkv_proj_weight == expected.grad.qkv_proj_weight);
        }
    }
};

QTEST_APPLESS_MAIN(TestMultiHeadAttention)
#include "test_multi_head_attention.moc"
