#include <QtTest>

#include "engine/model/composed_linear.h"
#include "engine/numeric/linear.h"
#include "tests/engine/complex_step.h"

using namespace headscope;
using namespace headscope::test;

namespace {

/// Two layers' inputs, and what comes of them by either way.
struct Layers {
    Matrix<double> x, grad_y;
    TwoLayers<Matrix<double>> tensors;

    Layers(Index rows, Index in, Index hidden, Index out) {
        Random random(1, RandomStream::Probe);
        x = randomMatrix(rows, in, 1, random);
        tensors = {randomMatrix(hidden, in, 1, random), randomMatrix(1, hidden, 1, random),
                   randomMatrix(out, hidden, 1, random), randomMatrix(1, out, 1, random)};
        grad_y = randomMatrix(rows, out, 1, random);
    }

    struct Results {
        Matrix<double> y, grad_x;
        TwoLayers<Matrix<double>> gradients;
    };

    /// One after the other through linear.h.
    Results plainly() const {
        Results r{grad_y, x, tensors};
        Matrix<double> between(x.rows(), tensors.first_weight.rows()), grad_between = between;
        linear<double>(x, tensors.first_weight, tensors.first_bias, between);
        linear<double>(between, tensors.second_weight, tensors.second_bias, r.y);
        linearBackwardParameters<double>(between, grad_y, r.gradients.second_weight, r.gradients.second_bias);
        linearBackwardInput<double>(tensors.second_weight, grad_y, grad_between);
        linearBackwardParameters<double>(x, grad_between, r.gradients.first_weight, r.gradients.first_bias);
        linearBackwardInput<double>(tensors.first_weight, grad_between, r.grad_x);
        return r;
    }

    template <typename Scalar>
    Results composed() const {
        using M = Matrix<Scalar>;
        const auto in = [](const Matrix<double>& m) { return M(m.cast<Scalar>()); };
        const auto all = [](const auto& t, auto&& f) {
            return TwoLayers<decltype(f(t.first_weight))>{f(t.first_weight), f(t.first_bias),
                                                          f(t.second_weight), f(t.second_bias)};
        };
        const TwoLayers<M> layers = all(tensors, in);
        TwoLayers<M> gradients = layers;
        M y = in(grad_y), grad_x = in(x);
        const auto constView = [](const M& m) {
            return ConstView<Scalar>(m.data(), m.rows(), m.cols(), Eigen::OuterStride<>(m.cols()));
        };
        const auto view = [](M& m) {
            return View<Scalar>(m.data(), m.rows(), m.cols(), Eigen::OuterStride<>(m.cols()));
        };
        ComposedLinear<Scalar> both(x.cols(), grad_y.cols());
        for (int twice = 0; twice < 2; ++twice) {  // nothing of an earlier step is left
            both.forward(all(layers, constView), in(x), y);
            both.backward(all(layers, constView), in(x), in(grad_y),
                          {view(gradients.first_weight), view(gradients.first_bias),
                           view(gradients.second_weight), view(gradients.second_bias)},
                          grad_x);
        }
        const auto wide = [](const M& m) { return Matrix<double>(m.template cast<double>()); };
        return {wide(y), wide(grad_x), all(gradients, wide)};
    }
};

double worstError(const Layers::Results& a, const Layers::Results& b) {
    const auto &g = a.gradients, &h = b.gradients;
    return std::max({relativeError(a.y, b.y), relativeError(a.grad_x, b.grad_x),
                     relativeError(g.first_weight, h.first_weight), relativeError(g.first_bias, h.first_bias),
                     relativeError(g.second_weight, h.second_weight),
                     relativeError(g.second_bias, h.second_bias)});
}

}  // namespace

class TestComposedLinear : public QObject {
    Q_OBJECT
private slots:
    void equalsTheTwoLayers_data() {
        QTest::addColumn<QList<int>>("sizes");
        for (const QList<int>& s : {QList<int>{1, 1, 1, 1},
                                    {5, 3, 4, 2},
                                    {192, 32, 32, 64},
                                    {1024, 64, 64, 64},
                                    {33, 17, 5, 40},
                                    {2, 1, 96, 7}})
            QTest::addRow("%d rows, %d to %d to %d", s[0], s[1], s[2], s[3]) << s;
    }

    void equalsTheTwoLayers() {
        QFETCH(QList<int>, sizes);
        const Layers layers(sizes[0], sizes[1], sizes[2], sizes[3]);
        const auto plain = layers.plainly();
        QVERIFY(worstError(layers.composed<double>(), plain) <= 1e-13);
        QVERIFY(worstError(layers.composed<float>(), plain) <= 2e-5);
    }

    void paysWhereThereAreMoreRowsThanOutputs() {
        QVERIFY(ComposedLinear<float>::pays(192, 64));
        QVERIFY(!ComposedLinear<float>::pays(72, 64));
        QVERIFY(!ComposedLinear<float>::pays(12, 64));
    }
};

QTEST_APPLESS_MAIN(TestComposedLinear)
#include "test_composed_linear.moc"
