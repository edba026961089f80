#include <QtTest>

#include "tests/engine/allocation_count.h"
#include "tests/engine/attention/block.h"

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr Index kQueries = BlockwiseAttention<float>::kBlockQueries;
constexpr Index kKeys = BlockwiseAttention<float>::kBlockKeys;

/// Worst error of the blockwise path, measured by the plain one in double.
template <typename Scalar>
double blockwiseError(const AttentionShape& shape, AttentionOptions options,
                      const AttentionDropout& dropout) {
    const Block<double> block = randomBlock(shape, 1, 31);
    const Matrix<double> g = randomGrad<double>(shape, 32);
    options.path = AttentionPath::Plain;
    const auto expected = compute(shape, options, block, g, dropout);
    options.path = AttentionPath::Blockwise;
    return difference(
        compute<Scalar>(shape, options, block.cast<Scalar>(), Matrix<Scalar>(g.cast<Scalar>()), dropout),
        expected);
}

/// What a causal block holds; its steps take nothing more.
std::size_t heldBytes(AttentionPath path, Index length) {
    const AttentionShape shape{1, length, 64, 4};
    return bytesTakenIn([&] { MultiHeadAttention<float>(shape, {.path = path}); });
}

}  // namespace

class TestBlockwiseAttention : public QObject {
    Q_OBJECT
private slots:
    void equalsThePlainPath_data() {
        QTest::addColumn<AttentionShape>("shape");
        QTest::addColumn<AttentionMask>("mask");
        QTest::addColumn<AttentionDropout>("dropout");
        const AttentionShape shapes[] = {{1, 1, 4, 2},
                                         {2, kQueries - 1, 6, 2},
                                         {1, kQueries, 8, 2},
                                         {1, kKeys + 1, 6, 3},
                                         {1, 3 * kKeys, 4, 1},
                                         {2, 5, 6, 1, kKeys},
                                         {1, kQueries + 3, 6, 3, 2 * kKeys + 5},
                                         {1, 4 * kQueries, 4, 2, 3},
                                         {1, 300, 16, 2}};
        Random random(30, RandomStream::Probe);
        for (const auto& s : shapes) {
            const std::array<Index, 4> whole{s.batch_rows, s.n_heads, s.queries(), s.keys()};
            const std::array<Index, 4> padding{s.batch_rows, 1, 1, s.keys()};
            const std::array<Index, 4> blind{1, 1, s.queries(), 1};
            // The first two blocks of keys hidden from everyone, and others whole.
            std::vector<unsigned char> late(std::size_t(s.batch_rows * s.keys()));
            for (std::size_t i = 0; i < late.size(); ++i) late[i] = Index(i) % s.keys() >= 2 * kKeys;
            const std::pair<const char*, AttentionMask> masks[] = {
                {"causal", AttentionMask::causal()},
                {"unmasked", {}},
                {"some", randomMask(whole, 0.5, random)},
                {"few", randomMask(whole, 0.01, random)},
                {"late keys", AttentionMask::keyPadding(s.batch_rows, s.keys(), late)},
                {"causal, padding, blind queries", AttentionMask::causal() &
                                                       randomMask(padding, 0.7, random) &
                                                       randomMask(blind, 0.8, random)}};
            for (const auto& [name, mask] : masks)
                for (const double p : {0., 0.3})
                    QTest::addRow("B%d Lq%d Lk%d D%d H%d %s%s", int(s.batch_rows), int(s.length),
                                  int(s.keys()), int(s.d_model), int(s.n_heads), name,
                                  p > 0 ? ", dropout" : "")
                        << s << mask << AttentionDropout{p, p, 5};
        }
    }

    void equalsThePlainPath() {
        QFETCH(AttentionShape, shape);
        QFETCH(AttentionMask, mask);
        QFETCH(AttentionDropout, dropout);
        for (const bool rotary : {false, true}) {
            if (rotary && shape.d_head() % 2 != 0) continue;
            const AttentionOptions options{.rotary = rotary, .mask = mask};
            const double wide = blockwiseError<double>(shape, options, dropout);
            const double single = blockwiseError<float>(shape, options, dropout);
            QVERIFY2(wide <= 1e-13, qPrintable(QString::number(wide)));
            QVERIFY2(single <= 2e-6, qPrintable(QString::number(single)));
        }
    }

    /// A row whose largest score comes last makes every part before it shrink to nothing.
    void largeScoresDoNotOverflow() {
        constexpr AttentionShape shape{1, 200, 4, 1};
        Block<double> block = randomBlock(shape, 1, 33);
        for (Index t = 0; t < 200; ++t) block.x.row(t) *= double(t);
        const Matrix<double> g = randomGrad<double>(shape, 34);
        const AttentionOptions options{.scale_scores = false, .mask = {}};
        AttentionOptions blockwise = options;
        blockwise.path = AttentionPath::Blockwise;
        QVERIFY(difference(compute(shape, blockwise, block, g), compute(shape, options, block, g)) <= 1e-12);
        auto single = compute(shape, blockwise, block.cast<float>(), Matrix<float>(g.cast<float>()));
        QVERIFY(single.attn_out.allFinite());
        single.grad.forEach([](const char*, Matrix<float>& m) { QVERIFY(m.allFinite()); });
    }

    void memoryGrowsWithTheLengthAlone() {
        const auto at = [](Index length) { return double(heldBytes(AttentionPath::Blockwise, length)); };
        QVERIFY(at(4096) <= 2.01 * at(2048));
        QVERIFY(at(4096) < double(heldBytes(AttentionPath::Plain, 4096)) / 20);
    }

    void takesNothingFromTheHeap_data() {
        QTest::addColumn<AttentionMask>("mask");
        QTest::newRow("causal") << AttentionMask::causal();
        QTest::newRow("padding") << AttentionMask::keyPadding(1, 100, std::vector<unsigned char>(100, 1));
    }

    void takesNothingFromTheHeap() {
        QFETCH(AttentionMask, mask);
        constexpr AttentionShape shape{1, 100, 8, 2};
        const Block<float> block = randomBlock(shape, 1, 35).cast<float>();
        const Matrix<float> g = randomGrad<float>(shape, 36);
        for (const auto path : {AttentionPath::Plain, AttentionPath::Blockwise})
            for (const AttentionDropout dropout : {AttentionDropout{}, AttentionDropout{0.1, 0.1, 1}}) {
                MultiHeadAttention<float> attention(shape, {.rotary = true, .mask = mask, .path = path});
                attention.setDropout(dropout);
                Block<float> grad = block;
                const auto step = [&] {
                    attention.forward(block.parameters(), block.x);
                    attention.backward(block.parameters(), block.x, g, grad.gradients(), grad.x);
                };
                step();
                QCOMPARE(allocationsIn(step), 0);
            }
    }
};

QTEST_APPLESS_MAIN(TestBlockwiseAttention)
#include "test_blockwise_attention.moc"
