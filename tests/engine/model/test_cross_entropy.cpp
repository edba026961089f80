#include <limits>

#include <QtTest>

#include "engine/model/cross_entropy.h"
#include "engine/numeric/refusal.h"
#include "tests/engine/complex_step.h"

using namespace headscope;
using namespace headscope::test;

namespace {

template <typename Scalar>
BatchLoss<Scalar> lossOf(const Matrix<Scalar>& logits, const std::vector<int>& targets) {
    Matrix<Scalar> grad(logits.rows(), logits.cols());
    return crossEntropy<Scalar>(logits, targets, grad);
}

QString refusalOf(const std::vector<int>& targets) {
    try {
        lossOf<double>(Matrix<double>::Zero(2, 4), targets);
    } catch (const Refusal& refusal) {
        return refusal.what();
    }
    return "accepted";
}

}  // namespace

class TestCrossEntropy : public QObject {
    Q_OBJECT
private slots:
    void exactValues() {
        Matrix<double> logits(2, 3), grad(2, 3), expected(2, 3);
        logits << 1, 2, 3, 0, 0, 0;
        const double sum = std::exp(1.) + std::exp(2.) + std::exp(3.);
        const auto [loss, accuracy] = crossEntropy<double>(logits, std::vector{2, 1}, grad);
        QVERIFY(std::abs(loss - (std::log(sum) - 3 + std::log(3.)) / 2) < 1e-15);
        QCOMPARE(accuracy, 0.5);  // of equals the first counts, and the second row wanted the second
        expected << std::exp(1.) / sum / 2, std::exp(2.) / sum / 2, std::exp(3.) / sum / 2 - 0.5, 1. / 6,
            1. / 6 - 0.5, 1. / 6;
        QVERIFY(relativeError(grad, expected) < 1e-15);
    }

    void ignoredTargetsDoNotCount() {
        Matrix<double> logits(3, 2), grad = Matrix<double>::Constant(3, 2, 9);
        logits << 5, 1, 0, 0, 2, 7;
        const auto result = crossEntropy<double>(logits, std::vector{-1, 0, -1}, grad);
        QVERIFY(std::abs(result.loss - std::log(2.)) < 1e-15);
        QCOMPARE(result.accuracy, 1.);
        QVERIFY(grad.row(0).isZero(0) && grad.row(2).isZero(0));
        QCOMPARE(grad(1, 0), -0.5);
    }

    void aUniformGuessCostsTheLogarithmOfTheVocabulary() {
        const auto loss = lossOf<float>(Matrix<float>::Constant(5, 64, 3.f), {0, 1, 2, 3, 63}).loss;
        QVERIFY(std::abs(double(loss) - std::log(64.)) < 1e-6);
    }

    void hugeLogitsStayFinite() {
        Matrix<float> logits(1, 3);
        logits << 1e8f, -1e8f, 0.f;
        QCOMPARE(lossOf(logits, {0}).loss, 0.f);
        QCOMPARE(lossOf(logits, {2}).loss, 1e8f);
        QCOMPARE(lossOf(logits, {1}).loss, 2e8f);
        QCOMPARE(lossOf(logits, {0}).accuracy, 1.);
    }

    void aSmallLossKeepsItsDigits() {
        Matrix<float> logits(1, 2);
        logits << 8.f, 0.f;
        QVERIFY(std::abs(double(lossOf(logits, {0}).loss) / std::log1p(std::exp(-8.)) - 1) < 1e-6);
        logits << 25.f, 0.f;
        QVERIFY(std::abs(double(lossOf(logits, {0}).loss) / std::log1p(std::exp(-25.)) - 1) < 1e-6);
    }

    void logitsThatAreNotFiniteShowInTheLoss() {
        const float inf = std::numeric_limits<float>::infinity();
        for (const float bad : {std::nanf(""), inf, -std::nanf("")})
            for (Index at = 0; at < 9; ++at) {
                Matrix<float> logits = Matrix<float>::Zero(1, 9);
                logits(0, at) = bad;
                QVERIFY(!std::isfinite(lossOf(logits, {4}).loss));
            }
    }

    void mayOverwriteTheLogits() {
        Random random(2, RandomStream::Probe);
        const Matrix<double> logits = randomMatrix(4, 5, 1, random);
        const std::vector<int> targets = {0, -1, 4, 2};
        Matrix<double> apart(4, 5), in_place = logits;
        const auto a = crossEntropy<double>(logits, targets, apart);
        const auto b = crossEntropy<double>(in_place, targets, in_place);
        QCOMPARE(a.loss, b.loss);
        QVERIFY(apart == in_place);
    }

    void refusals() {
        QCOMPARE(refusalOf({0, 4}),
                 "target 4 is outside the vocabulary: it must be from 0 to 3, or -1 to be ignored");
        QCOMPARE(refusalOf({0, -2}),
                 "target -2 is outside the vocabulary: it must be from 0 to 3, or -1 to be ignored");
        QCOMPARE(refusalOf({0}), "1 targets for 2 tokens: each token needs one");
        QCOMPARE(refusalOf({-1, -1}), "every target is -1: a loss needs at least one that counts");
    }

    void gradientIsTheComplexStep_data() {
        QTest::addColumn<double>("scale");
        for (const double scale : {1e-2, 1., 30.}) QTest::addRow("scale %g", scale) << scale;
    }

    void gradientIsTheComplexStep() {
        QFETCH(double, scale);
        Random random(6, RandomStream::Probe);
        const Matrix<double> logits = randomMatrix(6, 5, scale, random);
        const std::vector<int> targets = {3, -1, 0, 0, 4, 1};
        Matrix<double> grad(6, 5);
        crossEntropy<double>(logits, targets, grad);
        Matrix<Complex> x = logits.cast<Complex>(), unused(6, 5);
        const auto f = [&] { return crossEntropy<Complex>(x, targets, unused).loss; };
        QVERIFY(relativeError(valuesOf(grad), complexStep(valuesOf(x), f)) <= 1e-13);
    }
};

QTEST_APPLESS_MAIN(TestCrossEntropy)
#include "test_cross_entropy.moc"
