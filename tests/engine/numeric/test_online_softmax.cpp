#include <QtTest>

#include "engine/numeric/online_softmax.h"
#include "engine/numeric/softmax.h"
#include "tests/engine/complex_step.h"

using namespace headscope;
using namespace headscope::test;

namespace {

/// Rows taken in part by part: what the weights, and the gradients of the scores, are in the end.
template <typename Scalar>
struct Rows {
    Matrix<Scalar> weights, grad_scores;
};

template <typename Scalar>
Rows<Scalar> inParts(const Matrix<double>& scores, const Matrix<double>& grad_weights,
                     const std::vector<Index>& visible, Index part, Real<Scalar> scale) {
    const Index rows = scores.rows(), cols = scores.cols();
    const auto count = static_cast<std::size_t>(rows);
    std::vector<OnlineSoftmax<Scalar>> state(count);
    std::vector<Real<Scalar>> shrink(count);
    std::vector<Scalar> mean(count, Scalar(0));
    Matrix<Scalar> online = scores.cast<Scalar>();
    Rows<Scalar> result{online, grad_weights.cast<Scalar>()};
    const auto seen = [&](Index first, Index width) {
        std::vector<Index> own;
        for (const Index v : visible) own.push_back(std::clamp(v - first, Index{0}, width));
        return own;
    };
    for (Index first = 0; first < cols; first += part) {
        const Index width = std::min(part, cols - first);
        takeIn<Scalar>(online.middleCols(first, width), seen(first, width), scale, std::span(state),
                       std::span(shrink));
        for (Index r = 0; r < rows; ++r) online.row(r).head(first) *= shrink[std::size_t(r)];
    }
    for (Index first = 0; first < cols; first += part) {
        const Index width = std::min(part, cols - first);
        recall<Scalar>(result.weights.middleCols(first, width), seen(first, width), scale,
                       std::span(std::as_const(state)), result.grad_scores.middleCols(first, width),
                       std::span(mean));
    }
    gradWeightsToScores<Scalar>(result.weights, scale, std::span(std::as_const(mean)), result.grad_scores);
    for (Index r = 0; r < rows; ++r)
        if (const Scalar sum = state[std::size_t(r)].sum; sum != Scalar(0)) online.row(r) *= Scalar(1) / sum;
    const Matrix<Scalar> difference = online - result.weights;  // both ways to the weights agree
    if (difference.cwiseAbs().maxCoeff() > 1e-6) result.weights.setConstant(Scalar(NAN));
    return result;
}

Rows<double> atOnce(Matrix<double> scores, Matrix<double> grad, const std::vector<Index>& visible,
                    double scale) {
    const auto row = [](Matrix<double>& m, Index r) {
        return std::span(m.data() + r * m.cols(), std::size_t(m.cols()));
    };
    for (Index r = 0; r < scores.rows(); ++r) {
        softmax<double>(row(scores, r), visible[std::size_t(r)], scale);
        softmaxBackward<double>(row(scores, r), row(grad, r), visible[std::size_t(r)], scale);
    }
    return {scores, grad};
}

}  // namespace

class TestOnlineSoftmax : public QObject {
    Q_OBJECT
private slots:
    void partsMakeTheWhole_data() {
        QTest::addColumn<int>("cols");
        QTest::addColumn<int>("part");
        QTest::addColumn<double>("spread");
        for (const int cols : {1, 7, 16, 64, 100})
            for (const int part : {1, 5, 16, 33, 64, 100})
                for (const double spread : {1., 30.})
                    QTest::addRow("%d in parts of %d, scores of %g", cols, part, spread)
                        << cols << part << spread;
    }

    void partsMakeTheWhole() {
        QFETCH(int, cols);
        QFETCH(int, part);
        QFETCH(double, spread);
        constexpr Index kRows = 9;
        Random random(1, RandomStream::Probe);
        const Matrix<double> scores = randomMatrix(kRows, cols, spread, random),
                             grad = randomMatrix(kRows, cols, 1, random);
        std::vector<Index> visible;
        for (Index r = 0; r < kRows; ++r) visible.push_back(Index(random.below(std::uint32_t(cols + 1))));
        visible[0] = 0, visible[1] = cols;
        const double scale = 0.7;
        const auto expected = atOnce(scores, grad, visible, scale);
        const auto wide = inParts<double>(scores, grad, visible, part, scale);
        QVERIFY(relativeError(wide.weights, expected.weights) <= 1e-14);
        QVERIFY(relativeError(wide.grad_scores, expected.grad_scores) <= 1e-13);
        const auto complex = inParts<Complex>(scores, grad, visible, part, scale);
        QVERIFY(relativeError(complex.weights.real(), expected.weights) <= 1e-14);
        const auto single = inParts<float>(scores, grad, visible, part, float(scale));
        QVERIFY(relativeError(single.weights.cast<double>(), expected.weights) <= 1e-5);
        QVERIFY(relativeError(single.grad_scores.cast<double>(), expected.grad_scores) <= 1e-5);
    }

    void whatIsNotVisibleIsZeroWhateverItHeld() {
        Matrix<float> scores = Matrix<float>::Constant(2, 20, NAN), grad = scores;
        scores.row(0).head(3).setOnes();
        grad.row(0).head(3).setOnes();
        const std::vector<Index> visible = {3, 0};
        std::vector<OnlineSoftmax<float>> state(2);
        std::vector<float> shrink(2), mean(2);
        Matrix<float> taken = scores;
        takeIn<float>(taken, visible, 1.f, std::span(state), std::span(shrink));
        QVERIFY(taken.row(0).head(3).isOnes() && taken.row(0).tail(17).isZero(0) && taken.row(1).isZero(0));
        QCOMPARE(state[0].sum, 3.f);
        QCOMPARE(state[1].sum, 0.f);
        recall<float>(scores, visible, 1.f, std::span(std::as_const(state)), grad, std::span(mean));
        QVERIFY(scores.row(0).tail(17).isZero(0) && scores.row(1).isZero(0));
        QVERIFY(grad.row(0).tail(17).isZero(0) && grad.row(1).isZero(0));
    }

    void aVisibleNaNStaysOne() {
        for (const int at : {0, 5, 17}) {
            Matrix<float> scores = Matrix<float>::Ones(1, 20);
            scores(0, at) = NAN;
            std::vector<OnlineSoftmax<float>> state(1);
            std::vector<float> shrink(1);
            takeIn<float>(scores, std::vector<Index>{20}, 1.f, std::span(state), std::span(shrink));
            QVERIFY(std::isnan(state[0].sum));
            Matrix<float> more = Matrix<float>::Ones(1, 20);
            takeIn<float>(more, std::vector<Index>{20}, 1.f, std::span(state), std::span(shrink));
            QVERIFY(std::isnan(state[0].sum));
        }
    }
};

QTEST_APPLESS_MAIN(TestOnlineSoftmax)
#include "test_online_softmax.moc"
