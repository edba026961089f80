#include <QtTest>

#include "engine/numeric/refusal.h"
#include "tests/engine/attention/block.h"

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr AttentionShape kShape{.batch_rows = 2, .length = 5, .d_model = 8, .n_heads = 4};
const std::vector<HeadMode> kAll = {HeadMode::Trained, HeadMode::Muted, HeadMode::Uniform, HeadMode::Frozen};

template <typename Scalar>
MultiHeadAttention<Scalar> makeAttention(AttentionPath path, bool rotary = false) {
    return {kShape, {.scale_scores = true, .rotary = rotary, .mask = AttentionMask::causal(), .path = path}};
}

}  // namespace

class TestHeadModes : public QObject {
    Q_OBJECT
private slots:
    void thereMustBeOneForEachHead() {
        auto attention = makeAttention<float>(AttentionPath::Plain);
        for (const std::size_t n : {0u, 3u, 5u})
            QVERIFY_EXCEPTION_THROWN(attention.setHeadModes(std::vector<HeadMode>(n)), Refusal);
    }

    void modesDoWhatTheySay() {
        const Block<double> block = randomBlock(kShape, 1, 3);
        auto attention = makeAttention<double>(AttentionPath::Plain);
        forward(attention, block);
        const Matrix<double> trained = attention.context(), weights = attention.weights();
        attention.setHeadModes(kAll);
        forward(attention, block);
        const Matrix<double>& context = attention.context();
        QVERIFY(context.middleCols(0, 2) == trained.middleCols(0, 2));
        QVERIFY(context.middleCols(2, 2).isZero(0));
        QVERIFY(context.middleCols(6, 2) == trained.middleCols(6, 2));
        for (Index row = 0; row < attention.weights().rows(); ++row) {
            const Index head = row / 5 % 4, t = row % 5;
            if (head != 2) QVERIFY(attention.weights().row(row) == weights.row(row));
            for (Index key = 0; key < 5 && head == 2; ++key)
                QCOMPARE(attention.weights()(row, key), key <= t ? 1.0 / double(t + 1) : 0.0);
        }
        attention.setHeadModes(std::vector<HeadMode>(4, HeadMode::Trained));
        forward(attention, block);
        QVERIFY(attention.context() == trained);
        attention.setHeadModes(kAll);
        attention.setHeads(2, true);  // other heads: trained
        forward(attention, block);
        QVERIFY(!attention.context().middleCols(2, 2).isZero(0));
    }

    void gradientsAgreeWithComplexSteps_data() {
        QTest::addColumn<AttentionPath>("path");
        QTest::addColumn<bool>("rotary");
        QTest::newRow("plain") << AttentionPath::Plain << false;
        QTest::newRow("plain, rotary") << AttentionPath::Plain << true;
        QTest::newRow("blockwise") << AttentionPath::Blockwise << false;
    }

    void gradientsAgreeWithComplexSteps() {
        QFETCH(AttentionPath, path);
        QFETCH(bool, rotary);
        const Block<double> block = randomBlock(kShape, 1, 5);
        const Matrix<double> grad_attn_out = randomGrad<double>(kShape, 6);
        auto attention = makeAttention<double>(path, rotary);
        attention.setHeadModes(kAll);
        forward(attention, block);
        Block<double> grad = backward(attention, block, grad_attn_out);

        auto complex_attention = makeAttention<Complex>(path, rotary);
        complex_attention.setHeadModes(kAll);
        Block<Complex> complex_block = block.cast<Complex>();
        const auto loss = [&] {
            const Matrix<Complex>& out = forward(complex_attention, complex_block);
            return Complex(out.cwiseProduct(grad_attn_out.cast<Complex>()).sum());
        };
        std::vector<std::vector<double>> expected;
        complex_block.forEach(
            [&](const char*, Matrix<Complex>& m) { expected.push_back(complexStep(valuesOf(m), loss)); });
        std::size_t i = 0;
        grad.forEach([&](const char* name, Matrix<double>& m) {
            QVERIFY2(relativeError(valuesOf(m), expected[i++]) < 1e-12, name);
        });
        // No gradient into a muted head, and none into the queries and keys of a uniform one.
        for (const Index part : {0, 8, 16}) QVERIFY(grad.qkv_proj_weight.middleRows(part + 2, 2).isZero(0));
        QVERIFY(grad.out_proj_weight.middleCols(2, 2).isZero(0));
        for (const Index part : {0, 8}) QVERIFY(grad.qkv_proj_weight.middleRows(part + 4, 2).isZero(0));
        QVERIFY(!grad.qkv_proj_weight.middleRows(16 + 4, 2).isZero(1e-6));
    }
};

QTEST_APPLESS_MAIN(TestHeadModes)
#include "test_head_modes.moc"
