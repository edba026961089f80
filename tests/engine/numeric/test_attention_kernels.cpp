#include <QtTest>

#include "engine/numeric/attention_kernels.h"
#include "tests/engine/complex_step.h"

using namespace headscope;
using namespace headscope::test;

namespace {

constexpr Index kColumns = kBlockColumns;
using Columns = Eigen::Array<float, kColumns, 1>;

Matrix<float> filled(Index rows, Index cols, double scale, Random& random) {
    return randomMatrix(rows, cols, scale, random).cast<float>();
}

std::span<float> spanOf(Columns& columns) { return {columns.data(), std::size_t(kColumns)}; }

}  // namespace

class TestAttentionKernels : public QObject {
    Q_OBJECT
private slots:
    void powersEqualThePlainOnes_data() {
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("k");
        for (const int n : {1, 3, 4, 7, 8, 9, 31, 32, 64, 70})
            for (const int k : {1, 2, 7, 16, 33}) QTest::addRow("%d keys of %d features", n, k) << n << k;
    }

    void powersEqualThePlainOnes() {
        QFETCH(int, n);
        QFETCH(int, k);
        Random random(1, RandomStream::Probe);
        const Matrix<float> wide =
            filled(n, k + 3, 2 / std::sqrt(k), random);  // rows with a gap between them
        const auto keys = wide.leftCols(k);
        const Matrix<float> queries = filled(k, kColumns, 3, random);
        for (const Index seen :
             {Index{0}, Index{1}, Index{5}, Index{8}, Index{33}, Index{n}, Index{n + 40}}) {
            Matrix<float> weights = Matrix<float>::Constant(n, kColumns, NAN);
            Columns sum = Columns::Constant(2), max = Columns::Constant(0.25f);
            powersOfScores(keys, queries, seen, weights, spanOf(sum), spanOf(max));
            Eigen::ArrayXXd expected =
                ((keys.cast<double>() * queries.cast<double>()).array() * std::log(2.)).exp();
            for (Index j = 0; j < n; ++j)
                for (Index i = 0; i < kColumns; ++i) {
                    if (j >= seen + i) expected(j, i) = 0;
                    const double error = std::abs(double(weights(j, i)) - expected(j, i));
                    QVERIFY2(error <= 4e-6 * expected(j, i), qPrintable(QString::number(error)));
                }
            for (Index i = 0; i < kColumns; ++i) {
                const double total = 2 + expected.col(i).sum();
                QVERIFY(std::abs(double(sum[i]) - total) <= 4e-6 * total);
                QCOMPARE(max[i], std::max(0.25f, weights.col(i).maxCoeff()));
            }
        }
    }

    void powersOfTheLimits() {
        for (const float power : {-126.f, -125.5f, -1.f, 0.f, 0.5f, 1.f, 125.5f, 126.f}) {
            const Matrix<float> key = Matrix<float>::Constant(1, 1, power);
            const Matrix<float> ones = Matrix<float>::Ones(1, kColumns);
            Matrix<float> weights(1, kColumns);
            Columns sum = Columns::Zero(), max = sum;
            powersOfScores(key, ones, 1, weights, spanOf(sum), spanOf(max));
            const double expected = std::exp2(double(power));
            QVERIFY((weights.cast<double>().array() - expected).abs().maxCoeff() <= 2e-7 * expected);
            QVERIFY((weights.array() == max.transpose()).all() && (sum == max).all());
        }
    }

    void gradientsEqualThePlainOnes() {
        Random random(2, RandomStream::Probe);
        for (const Index n : {1, 7, 8, 20, 64})
            for (const Index k : {1, 5, 16, 33}) {
                const Matrix<float> wide = filled(n, k + 5, 1, random), grad = filled(k, kColumns, 1, random);
                const Matrix<float> weights = filled(n, kColumns, 1, random),
                                    means = filled(1, kColumns, 1, random);
                const auto values = wide.rightCols(k);
                Matrix<float> result(n, kColumns);
                Columns mean = means.row(0).transpose();
                gradientsOfScores(values, grad, spanOf(mean), weights, result);
                Matrix<double> expected = values.cast<double>() * grad.cast<double>();
                expected.rowwise() -= means.row(0).cast<double>();
                expected = expected.cwiseProduct(weights.cast<double>());
                QVERIFY(relativeError(result.cast<double>(), expected) <= 1e-6);
            }
    }

    void rowProductsEqualThePlainOnes() {
        Random random(3, RandomStream::Probe);
        for (Index n = 1; n <= 40; ++n) {
            const Matrix<float> a = filled(3, n + 2, 1, random), b = filled(3, n, 1, random);
            std::vector<float> products(3);
            rowProducts(a.leftCols(n), b, products);
            for (Index r = 0; r < 3; ++r) {
                const double expected =
                    (a.row(r).head(n).cast<double>().array() * b.row(r).cast<double>().array()).sum();
                QVERIFY(std::abs(double(products[std::size_t(r)]) - expected) <= 1e-5);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestAttentionKernels)
#include "test_attention_kernels.moc"
