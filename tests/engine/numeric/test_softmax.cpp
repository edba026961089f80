#include <limits>

#include <QtTest>

#include "engine/numeric/softmax.h"
#include "tests/engine/complex_step.h"

using namespace headscope;
using namespace headscope::test;

namespace {

template <typename Scalar>
std::vector<Scalar> softmaxOf(std::vector<Scalar> row, Index visible, Real<Scalar> scale = 1) {
    softmax<Scalar>(row, visible, scale);
    return row;
}

}  // namespace

class TestSoftmax : public QObject {
    Q_OBJECT
private slots:
    void exactValues() {
        const double e = std::exp(1.), sum = 1 + e + e * e;
        const auto row = softmaxOf<double>({1, 2, 3}, 3);
        const std::vector<double> expected = {1 / sum, e / sum, e * e / sum};
        QVERIFY(relativeError(row, expected) <= 1e-15);
    }

    void scaleIsAppliedFirst() {
        QVERIFY(relativeError(softmaxOf<double>({2, 4, 6}, 3, 0.5), softmaxOf<double>({1, 2, 3}, 3)) <=
                1e-15);
    }

    void whatIsMaskedBecomesZeroWhateverItHeld() {
        const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
        const auto row = softmaxOf<double>({5, 5, nan, inf, -inf}, 2);
        QCOMPARE(row, (std::vector<double>{0.5, 0.5, 0, 0, 0}));
        QCOMPARE(softmaxOf<double>({nan, inf}, 0), (std::vector<double>{0, 0}));
    }

    void oneVisibleEntryTakesAll() {
        for (const float x : {-1e4f, 0.f, 1e4f})
            QCOMPARE(softmaxOf<float>({x, 3}, 1), (std::vector<float>{1, 0}));
    }

    void equalEntriesShare() {
        for (const float x : {-1e4f, 0.f, 1e4f})
            QCOMPARE(softmaxOf<float>(std::vector<float>(8, x), 8), std::vector<float>(8, 0.125f));
    }

    void extremeScoresStayFinite() {
        QCOMPARE(softmaxOf<double>({1e4, -1e4, 0}, 3), (std::vector<double>{1, 0, 0}));
        const auto row = softmaxOf<float>({1e4f, -1e4f, 0, 1e4f}, 4);
        QCOMPARE(row[0], 0.5f);
        QCOMPARE(row[3], 0.5f);
        QCOMPARE(row[1], 0.f);
        QCOMPARE(row[2], 0.f);
    }

    void noWeightIsDenormal() {
        for (const float gap : {86.f, 87.f, 87.5f, 88.f, 89.f, 95.f, 104.f})
            for (std::size_t n : {2u, 5u, 16u}) {
                std::vector<float> row(n, -gap);
                row[0] = 0;
                softmax<float>(row, static_cast<Index>(n), 1);
                for (const float x : row) QVERIFY(x == 0 || x >= std::numeric_limits<float>::min() / 2);
                QCOMPARE(row[n - 1] > 0, gap < 87.3f);
            }
    }

    void visibleNaNAndInfinityAreNotLaundered() {
        const float inf = std::numeric_limits<float>::infinity();
        for (const float bad : {std::nanf(""), inf})
            for (std::size_t at = 0; at < 9; ++at) {
                std::vector<float> row(9, 1.f);
                row[at] = bad;
                softmax<float>(row, 9, 1);
                QVERIFY(std::isnan(row[at]));
            }
    }

    void rowsSumToOne() {
        Random random(5, RandomStream::Probe);
        for (std::size_t n = 1; n < 70; ++n) {
            std::vector<float> row(n);
            for (float& x : row) x = static_cast<float>(10 * random.normal());
            softmax<float>(row, static_cast<Index>(n), 1);
            double sum = 0;
            for (const float x : row) sum += double(x);
            QVERIFY(std::abs(sum - 1) < 1e-6);
        }
    }

    void backwardIsTheComplexStep_data() {
        QTest::addColumn<double>("scale");
        for (const double scale : {1e-2, 1., 30.}) QTest::addRow("scale %g", scale) << scale;
    }

    void backwardIsTheComplexStep() {
        QFETCH(double, scale);
        constexpr Index length = 7, visible = 5;
        constexpr double factor = 0.35;
        Random random(4, RandomStream::Probe);
        Matrix<double> scores = randomMatrix(1, length, scale, random),
                       grad = randomMatrix(1, length, 1, random);
        const Matrix<Complex> g = grad.cast<Complex>();
        Matrix<Complex> x = scores.cast<Complex>();
        const auto f = [&] {
            Matrix<Complex> weights = x;
            softmax<Complex>(valuesOf(weights), visible, factor);
            return weights.cwiseProduct(g).sum();
        };
        softmax<double>(valuesOf(scores), visible, factor);
        softmaxBackward<double>(valuesOf(scores), valuesOf(grad), visible, factor);
        // A saturated row's gradient is a small difference of large ones: they set the precision.
        const double size = factor * g.cwiseAbs().maxCoeff();
        const auto expected = complexStep(valuesOf(x), f);
        for (Index i = 0; i < length; ++i)
            QVERIFY(std::abs(grad(0, i) - expected[static_cast<std::size_t>(i)]) <= 1e-14 * size);
        QCOMPARE(grad(0, 5), 0.);
        QCOMPARE(grad(0, 6), 0.);
    }
};

QTEST_APPLESS_MAIN(TestSoftmax)
#include "test_softmax.moc"
