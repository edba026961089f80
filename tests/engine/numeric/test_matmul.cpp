#include <QtTest>

#include "engine/numeric/matmul.h"
#include "tests/engine/complex_step.h"

using namespace headscope;
using namespace headscope::test;

namespace {

template <typename Scalar>
Matrix<Scalar> filled(Index rows, Index cols, Random& random) {
    Matrix<Scalar> m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) {
        if constexpr (Eigen::NumTraits<Scalar>::IsComplex)
            m.data()[i] = {random.normal(), random.normal()};
        else
            m.data()[i] = static_cast<Scalar>(random.normal());
    }
    return m;
}

/// Plain loops, in no matrix library's order.
template <typename Scalar>
Matrix<Scalar> product(const Matrix<Scalar>& a, const Matrix<Scalar>& b) {
    Matrix<Scalar> c = Matrix<Scalar>::Zero(a.rows(), b.cols());
    for (Index i = 0; i < a.rows(); ++i)
        for (Index j = 0; j < b.cols(); ++j)
            for (Index k = 0; k < a.cols(); ++k) c(i, j) += a(i, k) * b(k, j);
    return c;
}

/// The three products of one shape; every operand and result is a slice of something wider, as a head is.
template <typename Scalar>
double worstError(Index m, Index n, Index k) {
    Random random(static_cast<std::uint64_t>(m * 10007 + n * 101 + k), RandomStream::Probe);
    const Matrix<Scalar> wide_a = filled<Scalar>(m, k + 5, random), wide_b = filled<Scalar>(k, n + 3, random);
    const Matrix<Scalar> a = wide_a.middleCols(2, k), b = wide_b.leftCols(n);
    const Matrix<Scalar> a_transposed = a.transpose(), b_transposed = b.transpose();
    const Matrix<Scalar> expected = product(a, b);
    const auto error = [&](auto&& multiplyInto) {
        Matrix<Scalar> wide_c = Matrix<Scalar>::Constant(m + 2, n + 4, Scalar(7));
        multiplyInto(Out<Scalar>(wide_c.block(1, 2, m, n)));
        double worst = (wide_c.block(1, 2, m, n) - expected).cwiseAbs().maxCoeff();
        wide_c.block(1, 2, m, n).setConstant(Scalar(7));
        return std::max(worst, double((wide_c.array() - Scalar(7)).abs().maxCoeff()));
    };
    return std::max({
        error([&](Out<Scalar> c) { multiply<Scalar>(wide_a.middleCols(2, k), wide_b.leftCols(n), c); }),
        error([&](Out<Scalar> c) { multiplyABt<Scalar>(wide_a.middleCols(2, k), b_transposed, c); }),
        error([&](Out<Scalar> c) { multiplyAtB<Scalar>(a_transposed, wide_b.leftCols(n), c); }),
    });
}

}  // namespace

class TestMatmul : public QObject {
    Q_OBJECT
private slots:
    void equalsPlainLoops_data() {
        QTest::addColumn<int>("m");
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("k");
        const int shapes[][3] = {{1, 1, 1},     {1, 5, 3},     {5, 1, 3},    {4, 4, 1},
                                 {12, 12, 8},   {12, 8, 12},   {7, 9, 11},   {64, 64, 16},
                                 {192, 96, 32}, {96, 32, 192}, {33, 31, 17}, {192, 64, 32}};
        for (const auto& s : shapes) QTest::addRow("%dx%dx%d", s[0], s[1], s[2]) << s[0] << s[1] << s[2];
    }

    void equalsPlainLoops() {
        QFETCH(int, m);
        QFETCH(int, n);
        QFETCH(int, k);
        const double terms = std::sqrt(double(k));
        QVERIFY(worstError<float>(m, n, k) <= 4e-6 * terms);
        QVERIFY(worstError<double>(m, n, k) <= 1e-14 * terms);
        QVERIFY(worstError<Complex>(m, n, k) <= 2e-14 * terms);
    }

    void takesWhatIsLaidOutByColumns() {
        Random random(1, RandomStream::Probe);
        const Matrix<double> a = filled<double>(6, 4, random), b = filled<double>(5, 4, random);
        Matrix<double> c(6, 5);
        multiply<double>(a, b.transpose(), c);
        QVERIFY(relativeError(c, product<double>(a, b.transpose())) <= 1e-15);
    }

    void complexTransposeIsNoAdjoint() {
        const Matrix<Complex> i = Matrix<Complex>::Constant(1, 1, Complex(0, 1));
        Matrix<Complex> c(1, 1);
        multiplyABt<Complex>(i, i, c);
        QCOMPARE(c(0, 0), Complex(-1, 0));
        multiplyAtB<Complex>(i, i, c);
        QCOMPARE(c(0, 0), Complex(-1, 0));
    }
};

QTEST_APPLESS_MAIN(TestMatmul)
#include "test_matmul.moc"
