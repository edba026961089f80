#include <limits>

#include <QtTest>

#include "engine/numeric/random.h"
#include "engine/numeric/softmax.h"
#include "engine/numeric/softmax_kernels.h"
#include "engine/numeric/vector_kernels.h"

using namespace headscope;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int kLargestSize = 300;

Matrix<float> filled(Index rows, Index cols, float scale, Random& random) {
    Matrix<float> m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) m.data()[i] = scale * static_cast<float>(random.normal());
    return m;
}

std::span<float> rowOf(Matrix<float>& m, Index i) { return {m.data() + i * m.cols(), std::size_t(m.cols())}; }

/// What the plain softmax makes of a causal block.
void plainSoftmax(Matrix<float>& block, Index first_visible, float scale) {
    for (Index i = 0; i < block.rows(); ++i)
        softmax<float>(rowOf(block, i), std::min(first_visible + i, block.cols()), scale);
}

/// The same NaNs, infinities and zeros, and otherwise the same to rounding of numbers about `size`.
bool agree(const Matrix<float>& a, const Matrix<float>& b, float size = 1) {
    for (Index i = 0; i < a.size(); ++i) {
        const float x = a.data()[i], y = b.data()[i];
        if (std::isnan(x) != std::isnan(y) || (x == 0) != (y == 0)) return false;
        if (!std::isnan(x) && !(std::abs(x - y) <= 2e-6f * std::max(std::abs(y), 1e-3f * size))) return false;
    }
    return true;
}

}  // namespace

/// Every vectorized loop against its plain twin, over sizes that are and are not whole vectors.
class TestVectorKernels : public QObject {
    Q_OBJECT
private slots:
    void transposes() {
        Random random(1, RandomStream::Probe);
        const Matrix<float> from = filled(kLargestSize, kLargestSize, 1, random);
        for (const Index rows : {1, 2, 3, 4, 5, 8, 11, 12, 64, 300})
            for (const Index cols : {1, 2, 3, 4, 7, 8, 12, 31, 128, 299}) {
                Matrix<float> to = Matrix<float>::Constant(kLargestSize + 2, kLargestSize + 2, 7);
                transposeVectorized(from.block(0, 1, rows, cols), to.block(1, 1, cols, rows));
                QVERIFY(to.block(1, 1, cols, rows) == from.block(0, 1, rows, cols).transpose());
                to.block(1, 1, cols, rows).setConstant(7);
                QVERIFY((to.array() == 7).all());
            }
    }

    void softmaxOfEverySize() {
        Random random(2, RandomStream::Probe);
        for (Index cols = 1; cols <= kLargestSize; ++cols)
            for (const Index first : {Index{0}, Index{1}, cols - 1, cols}) {
                Matrix<float> plain = filled(4, cols, 5, random), fast = plain;
                plainSoftmax(plain, first, 0.7f);
                causalSoftmaxVectorized(fast, first, 0.7f);
                QVERIFY(agree(fast, plain));
            }
    }

    void softmaxBackwardOfEverySize() {
        Random random(3, RandomStream::Probe);
        for (Index cols = 1; cols <= kLargestSize; ++cols)
            for (const Index first : {Index{0}, Index{1}, cols - 1, cols}) {
                Matrix<float> weights = filled(4, cols, 2, random), plain = filled(4, cols, 1, random);
                Matrix<float> fast = plain;
                plainSoftmax(weights, first, 1);
                for (Index i = 0; i < 4; ++i)
                    softmaxBackward<float>(rowOf(weights, i), rowOf(plain, i), std::min(first + i, cols),
                                           0.7f);
                causalSoftmaxBackwardVectorized(weights, fast, first, 0.7f);
                QVERIFY((fast - plain).cwiseAbs().maxCoeff() <= 1e-6f);
                for (Index i = 0; i < 4; ++i)
                    QVERIFY(fast.row(i).tail(std::max(cols - first - i, Index{0})).isZero(0));
            }
    }

    void softmaxWritesOnlyItsBlock() {
        for (const Index cols : {3, 16, 40}) {
            Matrix<float> wide = Matrix<float>::Constant(5, cols + 3, 7);
            causalSoftmaxVectorized(wide.block(1, 1, 3, cols), 2, 1);
            causalSoftmaxBackwardVectorized(wide.block(1, 1, 3, cols), wide.block(1, 1, 3, cols), 2, 1);
            wide.block(1, 1, 3, cols).setConstant(7);
            QVERIFY((wide.array() == 7).all());
        }
    }

    void softmaxReadsNothingThatIsMasked() {
        for (const Index cols : {5, 40}) {
            Matrix<float> scores = Matrix<float>::Constant(1, cols, std::nanf(""));
            scores.leftCols(2).setConstant(3);
            Matrix<float> weights = scores, grad = scores;
            causalSoftmaxVectorized(weights, 2, 1);
            QVERIFY((weights.leftCols(2).array() == 0.5f).all() && weights.rightCols(cols - 2).isZero(0));
            causalSoftmaxBackwardVectorized(scores, grad, 2, 1);
            QVERIFY(grad.leftCols(2).allFinite() && grad.rightCols(cols - 2).isZero(0));
        }
    }

    void softmaxOfExtremes() {
        for (const float x : {-1e4f, 0.f, 1e4f, 3e38f, -3e38f, -87.3f, -87.5f, -104.f, -kInfinity, kInfinity,
                              std::nanf(""), -std::nanf("")})
            for (const Index cols : {2, 7, 16, 17, 70})
                for (Index at = 0; at < cols; ++at) {
                    Matrix<float> plain = Matrix<float>::Zero(1, cols);
                    plain(0, at) = x;
                    Matrix<float> fast = plain;
                    plainSoftmax(plain, cols, 1);
                    causalSoftmaxVectorized(fast, cols, 1);
                    QVERIFY(agree(fast, plain));
                }
    }

    void rowsAddedAndSummed() {
        Random random(7, RandomStream::Probe);
        for (const Index cols : {1, 3, 15, 16, 17, 33, 96, 300})
            for (const Index rows : {0, 1, 2, 37}) {
                const Matrix<float> from = filled(rows, cols, 1, random), row = filled(1, cols, 1, random);
                Matrix<float> wide = Matrix<float>::Constant(rows + 2, cols + 2, 7);
                wide.block(1, 1, rows, cols) = from;
                addToRowsVectorized(row, wide.block(1, 1, rows, cols));
                QVERIFY(wide.block(1, 1, rows, cols) == from.rowwise() + row.row(0));
                Matrix<float> sum(1, cols), expected = Matrix<float>::Zero(1, cols);
                sumOfRowsVectorized(wide.block(1, 1, rows, cols), sum);
                for (Index i = 0; i < rows; ++i) expected += wide.block(1 + i, 1, 1, cols);
                QVERIFY(sum == expected);
                wide.block(1, 1, rows, cols).setConstant(7);
                QVERIFY((wide.array() == 7).all());
            }
    }

    void tableRowsAddedAndSummed() {
        Random random(8, RandomStream::Probe);
        constexpr Index V = 5, T = 3, B = 4;
        const std::vector<int> tokens = {0, 4, 4, 1, 0, 2, 4, 4, 4, 1, 1, 0};
        for (const Index cols : {1, 16, 17, 48, 96, 300}) {
            const Matrix<float> table = filled(V + T, cols, 1, random), grad = filled(B * T, cols, 1, random);
            Matrix<float> y(B * T, cols), sums = Matrix<float>::Constant(V + T, cols, 7);
            addTableRowsVectorized(table, tokens, T, y);
            sumByTableRowVectorized(grad, tokens, T, sums);
            Matrix<float> expected = Matrix<float>::Zero(V + T, cols);
            for (Index n = 0; n < B * T; ++n) {
                const Index token = tokens[std::size_t(n)];
                QVERIFY(y.row(n) == table.row(token) + table.row(V + n % T));
                expected.row(token) += grad.row(n);
                expected.row(V + n % T) += grad.row(n);
            }
            QVERIFY((sums - expected).cwiseAbs().maxCoeff() <= 1e-6f);
            QVERIFY(sums.row(3).isZero(0));
        }
    }

    /// Rows in three parts, the middle one hidden from the second row and everything from the last: by both
    /// twins, double being the plain one.
    void onlineSoftmaxOfEverySize() {
        Random random(6, RandomStream::Probe);
        for (Index cols = 1; cols <= kLargestSize / 2; ++cols) {
            constexpr Index rows = 3;
            std::vector<OnlineSoftmax<float>> fast_rows(rows);
            std::vector<OnlineSoftmax<double>> plain_rows(rows);
            std::vector<float> fast_shrink(rows), fast_mean(rows);
            std::vector<double> plain_shrink(rows), plain_mean(rows);
            for (int part = 0; part < 3; ++part) {
                const std::vector<Index> visible = {cols, part == 1 ? 0 : (cols + 1) / 2, 0};
                const Matrix<float> scores = filled(rows, cols, 5, random),
                                    grad = filled(rows, cols, 1, random);
                Matrix<float> fast = scores, fast_grad = grad;
                Matrix<double> plain = scores.cast<double>(), plain_grad = grad.cast<double>();
                takeInVectorized(fast, visible, 0.7f, fast_rows, fast_shrink);
                takeIn<double>(plain, visible, double(0.7f), plain_rows, plain_shrink);
                QVERIFY(agree(fast, plain.cast<float>()));
                for (std::size_t i = 0; i < rows; ++i) {
                    QCOMPARE(fast_rows[i].max, float(plain_rows[i].max));
                    QVERIFY(std::abs(double(fast_rows[i].sum) - plain_rows[i].sum) <=
                            1e-6 * plain_rows[i].sum);
                    QVERIFY(std::abs(double(fast_shrink[i]) - plain_shrink[i]) <= 1e-6);
                }
                fast = scores;
                plain = scores.cast<double>();
                recallVectorized(fast, visible, 0.7f, fast_rows, fast_grad, fast_mean);
                recall<double>(plain, visible, double(0.7f), plain_rows, plain_grad, plain_mean);
                QVERIFY(agree(fast, plain.cast<float>()));
                QVERIFY(fast_grad == plain_grad.cast<float>());
                for (std::size_t i = 0; i < rows; ++i)
                    QVERIFY(std::abs(double(fast_mean[i]) - plain_mean[i]) <= 5e-6);
                gradWeightsToScoresVectorized(fast, 0.7f, fast_mean, fast_grad);
                gradWeightsToScores<double>(plain, double(0.7f), plain_mean, plain_grad);
                QVERIFY((fast_grad.cast<double>() - plain_grad).cwiseAbs().maxCoeff() <= 1e-5);
            }
        }
    }

    void onlineSoftmaxOfWhatIsNotFinite() {
        for (const float bad : {std::nanf(""), -std::nanf(""), kInfinity})
            for (const Index cols : {1, 7, 16, 40})
                for (Index at = 0; at < cols; ++at) {
                    Matrix<float> scores = Matrix<float>::Zero(1, cols);
                    scores(0, at) = bad;
                    std::vector<OnlineSoftmax<float>> rows(1);
                    std::vector<float> shrink(1);
                    takeInVectorized(scores, std::vector<Index>{cols}, 1, rows, shrink);
                    QVERIFY(std::isnan(rows[0].sum));
                    Matrix<float> later = Matrix<float>::Zero(1, cols);
                    takeInVectorized(later, std::vector<Index>{cols}, 1, rows, shrink);
                    QVERIFY(std::isnan(rows[0].sum));
                }
    }

    void exponentialsOfEverySize() {
        Random random(4, RandomStream::Probe);
        for (Index n = 1; n <= kLargestSize; ++n) {
            Matrix<float> logits = filled(1, n, 8, random), e(1, n);
            if (n > 3) logits(0, n - 1) = logits.maxCoeff();  // of equals, the first is the best
            Index best = 0;
            const float largest = logits.row(0).maxCoeff(&best);
            const auto result = shiftedExponentialsVectorized(rowOf(logits, 0), rowOf(e, 0));
            QCOMPARE(result.best, best);
            QCOMPARE(result.largest, largest);
            const Eigen::ArrayXXd expected = (logits.array() - largest).cast<double>().exp();
            QVERIFY(((e.cast<double>().array() - expected).abs() <= 3e-7 * expected).all());
            QVERIFY(std::abs(double(result.rest) - (expected.sum() - 1)) <= 1e-6 * expected.sum());
            shiftedExponentialsVectorized(rowOf(logits, 0), rowOf(logits, 0));
            QVERIFY(logits == e);
        }
    }

    void exponentialsOfExtremes() {
        for (const float bad : {std::nanf(""), -std::nanf(""), kInfinity})
            for (const Index n : {1, 5, 16, 40})
                for (Index at = 0; at < n; ++at) {
                    Matrix<float> logits = Matrix<float>::Constant(1, n, 2), e(1, n);
                    logits(0, at) = bad;
                    const auto result = shiftedExponentialsVectorized(rowOf(logits, 0), rowOf(e, 0));
                    QVERIFY(result.best >= 0 && result.best < n);
                    QVERIFY(!e.allFinite());
                }
        Matrix<float> logits(1, 3), e(1, 3);
        logits << -kInfinity, 1e8f, -1e8f;
        const auto result = shiftedExponentialsVectorized(rowOf(logits, 0), rowOf(e, 0));
        QCOMPARE(result.best, 1);
        QCOMPARE(result.rest, 0.f);
        QVERIFY(e(0, 0) == 0 && e(0, 1) == 1 && e(0, 2) == 0);
    }

    void adamOfEverySize() {
        Random random(5, RandomStream::Probe);
        const AdamConstants c{0.9f, 0.1f, 0.999f, 0.001f, 5e-3f, 1e-8f};
        for (Index n = 1; n <= kLargestSize; ++n) {
            const Matrix<float> g = filled(1, n, 1, random), theta = filled(1, n, 1, random);
            const Matrix<float> m = filled(1, n, 1, random), v = filled(1, n, 1, random).cwiseAbs();
            Matrix<float> fast_theta = theta, fast_m = m, fast_v = v;
            adamVectorized(c, {g.data(), std::size_t(n)}, rowOf(fast_m, 0), rowOf(fast_v, 0),
                           rowOf(fast_theta, 0));
            const Matrix<float> plain_m = c.beta1 * m + c.new1 * g;
            const Matrix<float> plain_v = c.beta2 * v + c.new2 * g.cwiseAbs2();
            const Matrix<float> plain_theta =
                theta.array() - c.rate * plain_m.array() / (plain_v.array().sqrt() + c.epsilon);
            QVERIFY((fast_m - plain_m).cwiseAbs().maxCoeff() <= 1e-6f);
            QVERIFY((fast_v - plain_v).cwiseAbs().maxCoeff() <= 1e-6f);
            QVERIFY(((fast_theta - plain_theta).array().abs() <=
                     1e-6f * (1 + (plain_theta - theta).array().abs()))
                        .all());
        }
    }

    void adamPassesOnWhatIsNotFinite() {
        for (const float bad : {std::nanf(""), kInfinity}) {
            Matrix<float> g = Matrix<float>::Zero(1, 21), m = g, v = g, theta = g;
            g(0, 19) = bad;
            adamVectorized({0.9f, 0.1f, 0.999f, 0.001f, 5e-3f, 1e-8f}, rowOf(g, 0), rowOf(m, 0), rowOf(v, 0),
                           rowOf(theta, 0));
            QVERIFY(std::isnan(theta(0, 19)));
            theta(0, 19) = 0;
            QVERIFY(theta.isZero(0));
        }
    }
};

QTEST_APPLESS_MAIN(TestVectorKernels)
#include "test_vector_kernels.moc"
