#include <QtTest>

#include "engine/model/embedded_projection.h"
#include "engine/numeric/linear.h"
#include "tests/engine/complex_step.h"

using namespace headscope;
using namespace headscope::test;

namespace {

struct Sizes {
    Index V, T, B, D, features;
};

/// A layer's inputs, and what comes of them by either way.
struct Layer {
    Sizes s;
    std::vector<int> tokens;
    Matrix<double> token_emb, positions, weight, bias, grad_y;

    Layer(Sizes sizes, bool with_positions) : s(sizes) {
        Random random(1, RandomStream::Probe);
        for (Index n = 0; n < s.B * s.T; ++n)
            tokens.push_back(static_cast<int>(random.below(static_cast<std::uint32_t>(s.V))));
        token_emb = randomMatrix(s.V, s.D, 1, random);
        positions = randomMatrix(with_positions ? s.T : 0, s.D, 1, random);
        weight = randomMatrix(s.features, s.D, 1, random);
        bias = randomMatrix(1, s.features, 1, random);
        grad_y = randomMatrix(s.B * s.T, s.features, 1, random);
    }

    struct Results {
        Matrix<double> y, weight, bias, token_emb, positions;
    };

    Results sized() const { return {grad_y, weight, bias, token_emb, positions}; }

    /// x = token_emb[ids] + positions through linear.h.
    Results plainly() const {
        Results r = sized();
        Matrix<double> x(s.B * s.T, s.D), grad_x = x;
        for (Index n = 0; n < x.rows(); ++n) {
            x.row(n) = token_emb.row(tokens[std::size_t(n)]);
            if (positions.rows() > 0) x.row(n) += positions.row(n % s.T);
        }
        linear<double>(x, weight, bias, r.y);
        linearBackwardParameters<double>(x, grad_y, r.weight, r.bias);
        linearBackwardInput<double>(weight, grad_y, grad_x);
        r.token_emb.setZero();
        r.positions.setZero();
        for (Index n = 0; n < x.rows(); ++n) {
            r.token_emb.row(tokens[std::size_t(n)]) += grad_x.row(n);
            if (positions.rows() > 0) r.positions.row(n % s.T) += grad_x.row(n);
        }
        return r;
    }

    template <typename Scalar>
    Results onTables() const {
        const auto in = [](const Matrix<double>& m) { return Matrix<Scalar>(m.cast<Scalar>()); };
        EmbeddedProjection<Scalar> projection(s.V, s.T, s.D, s.features);
        Matrix<Scalar> y = in(grad_y), weight_grad = in(weight), bias_grad = in(bias);
        Matrix<Scalar> token_grad = in(token_emb), position_grad = in(positions);
        for (int twice = 0; twice < 2; ++twice) {  // nothing of an earlier step is left
            projection.forward(tokens, in(token_emb), in(positions), in(weight), in(bias), y);
            projection.backward(tokens, in(weight), in(grad_y), weight_grad, bias_grad, token_grad,
                                position_grad);
        }
        const auto out = [](const Matrix<Scalar>& m) { return Matrix<double>(m.template cast<double>()); };
        return {out(y), out(weight_grad), out(bias_grad), out(token_grad), out(position_grad)};
    }
};

double worstError(const Layer::Results& a, const Layer::Results& b) {
    return std::max({relativeError(a.y, b.y), relativeError(a.weight, b.weight),
                     relativeError(a.bias, b.bias), relativeError(a.token_emb, b.token_emb),
                     relativeError(a.positions, b.positions)});
}

}  // namespace

class TestEmbeddedProjection : public QObject {
    Q_OBJECT
private slots:
    void equalsTheLayerOnEmbeddedTokens_data() {
        QTest::addColumn<QList<int>>("sizes");
        QTest::addColumn<bool>("with_positions");
        for (const bool with_positions : {true, false})
            for (const QList<int>& s : {QList<int>{1, 1, 1, 1, 1},
                                        {5, 3, 4, 2, 7},
                                        {64, 12, 16, 32, 96},
                                        {7, 20, 1, 5, 15},
                                        {2, 33, 9, 16, 48}})
                QTest::addRow("V%d T%d B%d D%d features %d%s", s[0], s[1], s[2], s[3], s[4],
                              with_positions ? "" : " without positions")
                    << s << with_positions;
    }

    void equalsTheLayerOnEmbeddedTokens() {
        QFETCH(QList<int>, sizes);
        QFETCH(bool, with_positions);
        const Layer layer({sizes[0], sizes[1], sizes[2], sizes[3], sizes[4]}, with_positions);
        const auto plain = layer.plainly();
        QVERIFY(worstError(layer.onTables<double>(), plain) <= 1e-13);
        QVERIFY(worstError(layer.onTables<float>(), plain) <= 2e-5);
    }

    void aTokenThatDoesNotOccurHasNoGradient() {
        Layer layer({3, 2, 2, 4, 5}, true);
        layer.tokens = {0, 2, 2, 0};
        const auto token_grad = layer.onTables<float>().token_emb;
        QVERIFY(token_grad.row(1).isZero(0));
        QVERIFY(!token_grad.row(0).isZero(0) && !token_grad.row(2).isZero(0));
    }

    void paysWhereABatchHasMoreRowsThanTheTables() {
        QVERIFY(EmbeddedProjection<float>::pays(64, 12, 16));    // 76 rows for 192
        QVERIFY(!EmbeddedProjection<float>::pays(64, 12, 6));    // 76 for 72
        QVERIFY(!EmbeddedProjection<float>::pays(64, 1024, 1));  // a single sequence never pays
    }
};

QTEST_APPLESS_MAIN(TestEmbeddedProjection)
#include "test_embedded_projection.moc"
