#include <QtTest>

#include "engine/attention/dot_product_attention.h"
#include "engine/attention/fused_attention.h"
#include "tests/engine/attention/block.h"

using namespace headscope;
using namespace headscope::test;

namespace {

/// Queries, keys and values of all heads, or their gradients.
template <typename Scalar>
struct Tensors {
    Matrix<Scalar> q, k, v;

    QueriesKeysValues<ConstView<Scalar>> read() const { return {constView(q), constView(k), constView(v)}; }
    QueriesKeysValues<View<Scalar>> write() { return {view(q), view(k), view(v)}; }
    template <typename Other>
    Tensors<Other> cast() const {
        return {q.template cast<Other>(), k.template cast<Other>(), v.template cast<Other>()};
    }

private:
    static ConstView<Scalar> constView(const Matrix<Scalar>& m) {
        return {m.data(), m.rows(), m.cols(), Eigen::OuterStride<>(m.cols())};
    }
    static View<Scalar> view(Matrix<Scalar>& m) {
        return {m.data(), m.rows(), m.cols(), Eigen::OuterStride<>(m.cols())};
    }
};

Tensors<float> randomTensors(const AttentionShape& shape) {
    Random random(40, RandomStream::Probe);
    return Tensors<double>{randomMatrix(shape.rows(), shape.d_model, 1, random),
                           randomMatrix(shape.keyRows(), shape.d_model, 1, random),
                           randomMatrix(shape.keyRows(), shape.d_model, 1, random)}
        .cast<float>();
}

template <typename Body>
void forEachBlock(const AttentionShape& shape, Body&& body) {
    for (Index first = 0; first < shape.queries(); first += FusedAttention::kBlockQueries) body(first);
}

/// Whether every block of queries is taken.
bool takes(const AttentionShape& shape, const Tensors<float>& in, const ScoreRules<float>& rules) {
    FusedAttention fused(shape);
    bool every = true;
    forEachHead(shape, [&](const Head& head) {
        fused.begin(head, in.read());
        forEachBlock(shape, [&](Index first) {
            const bool taken = fused.forward(head, first, in.read(), rules);
            every = every && taken && fused.took(head, first);
        });
    });
    return every;
}

/// Two heads of 40 queries, the first of which are a block.
constexpr AttentionShape kShape{1, 40, 8, 2};
const ScoreRules<float> kCausal{0.5f, AttentionMask::causal(), {}};

}  // namespace

class TestFusedAttention : public QObject {
    Q_OBJECT
private slots:
    void equalsThePlainPath_data() {
        QTest::addColumn<AttentionShape>("shape");
        for (const auto& s :
             {AttentionShape{1, 2, 4, 2}, AttentionShape{2, 31, 6, 2}, AttentionShape{1, 32, 8, 2},
              AttentionShape{2, 33, 6, 3}, AttentionShape{1, 64, 16, 1}, AttentionShape{1, 200, 32, 2},
              AttentionShape{2, 5, 6, 1, 70}, AttentionShape{1, 100, 6, 3, 7}})
            QTest::addRow("B%d Lq%d Lk%d D%d H%d", int(s.batch_rows), int(s.length), int(s.keys()),
                          int(s.d_model), int(s.n_heads))
                << s;
    }

    void equalsThePlainPath() {
        QFETCH(AttentionShape, shape);
        const Tensors<float> in = randomTensors(shape);
        const Tensors<double> wide = in.cast<double>();
        const Matrix<float> g = randomGrad<float>(shape, 41);
        for (const AttentionMask& mask : {AttentionMask::causal(), AttentionMask()}) {
            const float scale = 0.3f;
            DotProductAttention<double> plain(shape);
            Matrix<double> expected(shape.rows(), shape.d_model);
            Tensors<double> expected_grad = wide;
            plain.forward(wide.read(), {double(scale), mask, {}}, expected);
            plain.backward(wide.read(), {double(scale), mask, {}}, g.cast<double>(), expected_grad.write());

            FusedAttention fused(shape);
            Matrix<float> context(shape.rows(), shape.d_model);
            Tensors<float> grad = in;
            const ScoreRules<float> rules{scale, mask, {}};
            grad.k.setZero(), grad.v.setZero();
            forEachHead(shape, [&](const Head& head) {
                fused.begin(head, in.read());
                forEachBlock(shape, [&](Index first) {
                    QVERIFY(fused.forward(head, first, in.read(), rules));
                    fused.write(head, first, context);
                });
            });
            forEachHead(shape, [&](const Head& head) {
                auto to = grad.write();
                forEachBlock(shape, [&](Index first) {
                    fused.backward(head, first, in.read(), rules, g, to.q, head.ofKeys(to.k),
                                   head.ofKeys(to.v));
                });
            });
            QVERIFY(relativeError(context.cast<double>(), expected) <= 1e-6);
            QVERIFY(relativeError(grad.q.cast<double>(), expected_grad.q) <= 2e-6);
            QVERIFY(relativeError(grad.k.cast<double>(), expected_grad.k) <= 2e-6);
            QVERIFY(relativeError(grad.v.cast<double>(), expected_grad.v) <= 2e-6);
            if (mask.isCausal()) QVERIFY(grad.q.row(0).isZero(0));  // its one weight is 1 whatever its score
        }
    }

    void takesWhatIsNeitherLargeNorPeaked() {
        Tensors<float> in = randomTensors(kShape);
        QVERIFY(takes(kShape, in, kCausal));
        in.q *= 100;
        QVERIFY(!takes(kShape, in, kCausal));  // exponentials could overflow
    }

    void leavesAQueryThatAttendsToOneKeyAlone() {
        Tensors<float> in = randomTensors(kShape);
        in.k.setZero();
        in.k.row(3).setConstant(2);
        in.q.setZero();
        in.q.row(20).setConstant(1);
        QVERIFY(takes(kShape, in, kCausal));  // e^4 of it and 20 others
        in.q.row(20).setConstant(3);
        QVERIFY(!takes(kShape, in, kCausal));
        in.q.row(20).setZero();
        in.q.row(2).setConstant(3);  // which does not see it
        QVERIFY(takes(kShape, in, kCausal));
    }

    void leavesWhatIsNotFinite() {
        for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()})
            for (const bool in_keys : {false, true}) {
                Tensors<float> in = randomTensors(kShape);
                (in_keys ? in.k : in.q)(5, 3) = bad;
                QVERIFY(!takes(kShape, in, kCausal));
            }
    }

    void knowsNeitherMasksNorDropout() {
        QVERIFY(FusedAttention::knows(kCausal));
        QVERIFY(FusedAttention::knows({0.5f, AttentionMask(), {}}));
        QVERIFY(!FusedAttention::knows({0.5f, AttentionMask::causal(), Dropout(0.1, 1)}));
        const auto padding = AttentionMask::keyPadding(1, 40, std::vector<unsigned char>(40, 1));
        QVERIFY(!FusedAttention::knows({0.5f, padding, {}}));
    }

    /// Of some of the queries of a block: the others' context stays what another path made of it.
    void writesWhatItTakes() {
        Tensors<float> in = randomTensors(kShape);
        in.q.row(7) *= 100;
        FusedAttention fused(kShape);
        Matrix<float> context = Matrix<float>::Constant(kShape.rows(), kShape.d_model, 9);
        const Head head{kShape, 0, 1};
        fused.begin(head, in.read());
        QVERIFY(!fused.forward(head, 0, in.read(), kCausal));
        QVERIFY(!fused.took(head, 0));
        QVERIFY(fused.forward(head, 32, in.read(), kCausal));
        fused.write(head, 0, context);
        fused.write(head, 32, context);
        for (Index q = 0; q < 40; ++q) {
            QVERIFY((context.row(q).head(4).array() == 9).all());
            QCOMPARE((context.row(q).tail(4).array() == 9).any(), q == 7);
        }
    }

    /// Some heads and some queries of others go the other way.
    void bothWaysLieSideBySide() {
        constexpr AttentionShape shape{1, 100, 8, 2};
        Block<double> block = randomBlock(shape, 1, 42);
        block.qkv_proj_weight.topRows(4) *= 20;  // the queries of the first head
        block.x.row(70) *= 30;
        const Matrix<double> g = randomGrad<double>(shape, 43);
        const auto expected = compute(shape, {}, block, g);
        const AttentionOptions blockwise{.path = AttentionPath::Blockwise};
        const auto single = compute(shape, blockwise, block.cast<float>(), Matrix<float>(g.cast<float>()));
        QVERIFY(difference(single, expected) <= 2e-5);
    }

    void keepsNoMoreThanItsBudget() {
        QVERIFY(FusedAttention::fits({1, 1024, 64, 4}));
        QVERIFY(!FusedAttention::fits({1, 1024, 64, 8}));
        QVERIFY(!FusedAttention::fits({1, 2048, 64, 4}));
        QVERIFY(!FusedAttention::fits({512, 16, 64, 32}));  // half of each block's rows are unused
    }
};

QTEST_APPLESS_MAIN(TestFusedAttention)
#include "test_fused_attention.moc"
