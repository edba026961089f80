#include <cmath>
#include <limits>

#include <QtTest>

#include "engine/inspection/head_statistics.h"
#include "engine/numeric/random.h"
#include "engine/numeric/softmax.h"

using namespace headscope;

namespace {

bool near(float actual, double expected) {
    return std::abs(double(actual) - expected) <= 1e-5 * std::max(1.0, std::abs(expected));
}

HeadDiagnostics withEntropy(float share, float score_std = 1) {
    return {.score_std = score_std, .row_entropy = share * 2, .uniform_entropy = 2};
}

}  // namespace

class TestHeadDiagnostics : public QObject {
    Q_OBJECT
private slots:
    void badgesFollowTheThresholds() {
        const float less = std::nextafter(1.f, 0.f), more = std::nextafter(1.f, 2.f);
        const float wide = kSaturatedScoreStd;
        QCOMPARE(badgeOf(withEntropy(kSaturatedEntropyShare, wide)), HeadBadge::Saturated);
        QCOMPARE(badgeOf(withEntropy(0, wide * 10)), HeadBadge::Saturated);
        QCOMPARE(badgeOf(withEntropy(0, wide * less)), HeadBadge::Sharp);
        QCOMPARE(badgeOf(withEntropy(kSaturatedEntropyShare * more, wide)), HeadBadge::Sharp);
        QCOMPARE(badgeOf(withEntropy(kSharpEntropyShare)), HeadBadge::Sharp);
        QCOMPARE(badgeOf(withEntropy(kSharpEntropyShare * more)), HeadBadge::None);
        QCOMPARE(badgeOf(withEntropy(kUniformEntropyShare * less)), HeadBadge::None);
        QCOMPARE(badgeOf(withEntropy(kUniformEntropyShare)), HeadBadge::Uniform);
        QCOMPARE(badgeOf(withEntropy(1, wide * 10)), HeadBadge::Uniform);
        QCOMPARE(badgeOf({}), HeadBadge::None);  // a context of one token
        const float nan = std::numeric_limits<float>::quiet_NaN();
        QCOMPARE(badgeOf(withEntropy(nan, nan)), HeadBadge::None);
    }

    void statisticsAreMeansOverQueries() {
        // Two heads, T = 2, one sequence. Row 0 sees one key, row 1 two.
        Matrix<float> scores(4, 2), weights(4, 2);
        scores << 3, 99, 1, 1,  // head 0; 99 is above the diagonal
            2, 99, 0, 0;
        scores(3, 1) = std::log(3.f);
        weights << 1, 0, 0.5f, 0.5f, 1, 0, 0.25f, 0.75f;
        HeadStatistics statistics(2, 2);
        statistics.add(weights, scores);
        const auto heads = statistics.diagnostics();
        QCOMPARE(heads.size(), 2u);
        const double l = std::log(3.0);
        QVERIFY(near(heads[0].score_std, std::sqrt(11.0 / 3 - 25.0 / 9)));
        QVERIFY(near(heads[1].score_std, std::sqrt((4 + l * l) / 3 - (2 + l) * (2 + l) / 9)));
        for (const auto& head : heads) QVERIFY(near(head.uniform_entropy, std::log(2.0) / 2));
        QVERIFY(near(heads[0].row_entropy, std::log(2.0) / 2));
        QVERIFY(near(heads[1].row_entropy, -(0.25 * std::log(0.25) + 0.75 * std::log(0.75)) / 2));
        QVERIFY(near(heads[0].uniformity, 1));
        QVERIFY(near(heads[1].uniformity, 0.5));  // half of the way from one half each to one key
        QVERIFY(near(heads[0].jacobian_trace, 0.25));
        QVERIFY(near(heads[1].jacobian_trace, (1 - 0.0625 - 0.5625) / 2));
        QCOMPARE(heads[0].grad_norm_q, 0.f);
    }

    void statisticsAgreeWithTheirDefinitions_data() {
        QTest::addColumn<float>("scale");
        QTest::addColumn<float>("offset");
        QTest::newRow("small") << 0.01f << 0.f;
        QTest::newRow("plain") << 1.f << 0.f;
        QTest::newRow("saturated") << 100.f << 0.f;
        QTest::newRow("far from zero") << 0.5f << 300.f;
    }

    /// Over two parts of two sequences, three heads, against loops in double.
    void statisticsAgreeWithTheirDefinitions() {
        QFETCH(float, scale);
        QFETCH(float, offset);
        constexpr Index H = 3, T = 9, B = 2, parts = 2;
        Random random(5, RandomStream::Probe);
        HeadStatistics statistics(H, T);
        double scored[H] = {}, squared[H] = {}, entropy[H] = {}, trace[H] = {};
        for (int part = 0; part < parts; ++part) {
            Matrix<float> scores(B * H * T, T);
            for (Index i = 0; i < scores.size(); ++i)
                scores.data()[i] = offset + scale * float(random.normal());
            Matrix<float> weights = scores;
            for (Index i = 0; i < scores.rows(); ++i) {
                softmax<float>({weights.row(i).data(), T}, i % T + 1, 1);
                const Index h = i / T % H;
                trace[h] += 1;
                for (Index k = 0; k <= i % T; ++k) {
                    const auto a = double(weights(i, k)), s = double(scores(i, k)) - double(offset);
                    scored[h] += s;
                    squared[h] += s * s;
                    entropy[h] -= a > 0 ? a * std::log(a) : 0;
                    trace[h] -= a * a;
                }
            }
            statistics.add(weights, scores);
        }
        const double rows = double(parts * B * T), visible = rows * (T + 1) / 2;
        const auto heads = statistics.diagnostics();
        for (std::size_t h = 0; h < H; ++h) {
            const double mean = scored[h] / visible, std = std::sqrt(squared[h] / visible - mean * mean);
            QVERIFY(std::abs(double(heads[h].score_std) - std) < 1e-3 * std);
            QVERIFY(near(heads[h].row_entropy, entropy[h] / rows));
            QVERIFY(near(heads[h].jacobian_trace, trace[h] / rows));
        }
    }

    void rowsThatAttendElsewhereEachAreNotUniform() {
        Matrix<float> scores(4, 2), weights(4, 2);  // two sequences of one head, whose mean is uniform
        scores << 0, 0, 0, -99, 0, 0, -99, 0;
        weights << 1, 0, 1, 0, 1, 0, 0, 1;
        HeadStatistics statistics(1, 2);
        statistics.add(weights, scores);
        QCOMPARE(statistics.diagnostics()[0].uniformity, 0.f);
        HeadStatistics one(1, 1);
        one.add(Matrix<float>::Ones(1, 1), Matrix<float>::Ones(1, 1));
        QCOMPARE(one.diagnostics()[0].uniformity, 0.f);
    }

    void whatIsNotANumberStaysNone() {
        Matrix<float> scores = Matrix<float>::Zero(2, 2), weights = scores;
        scores(1, 0) = weights(1, 0) = weights(1, 1) = std::numeric_limits<float>::quiet_NaN();
        HeadStatistics statistics(1, 2);
        statistics.add(weights, scores);
        const HeadDiagnostics head = statistics.diagnostics()[0];
        for (const float value : {head.score_std, head.row_entropy, head.jacobian_trace, head.uniformity})
            QVERIFY(std::isnan(value));
    }

    void gradientNormsAreThoseOfEachHeadsRows() {
        Matrix<float> gradient(12, 4);  // two heads of two rows each, in Q, in K and in V
        for (Index row = 0; row < 12; ++row) gradient.row(row).setConstant(float(row + 1));
        std::vector<HeadDiagnostics> heads(2);
        addGradientNorms(gradient, heads);
        const auto norm = [](double a, double b) { return std::sqrt(4 * (a * a + b * b)); };
        QVERIFY(near(heads[0].grad_norm_q, norm(1, 2)));
        QVERIFY(near(heads[1].grad_norm_q, norm(3, 4)));
        QVERIFY(near(heads[0].grad_norm_k, norm(5, 6)));
        QVERIFY(near(heads[1].grad_norm_k, norm(7, 8)));
    }
};

QTEST_APPLESS_MAIN(TestHeadDiagnostics)
#include "test_head_diagnostics.moc"
