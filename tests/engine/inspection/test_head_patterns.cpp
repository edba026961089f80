#include <cmath>
#include <functional>

#include <QtTest>

#include "engine/inspection/head_patterns.h"

using namespace headscope;

namespace {

using Row = std::function<float(int t, int key)>;

/// (T, T) of one head.
std::vector<float> head(int T, const Row& weight) {
    std::vector<float> weights;
    for (int t = 0; t < T; ++t)
        for (int key = 0; key < T; ++key) weights.push_back(key <= t ? weight(t, key) : 0);
    return weights;
}

float uniform(int t, int) { return 1 / float(t + 1); }

/// All weight `lag` tokens back; uniform where there is no such token.
Row back(int lag) {
    return [lag](int t, int key) { return t < lag ? uniform(t, key) : float(key == t - lag); };
}

/// So much of one, the rest of the other.
Row mix(float share, const Row& a, const Row& b) {
    return [=](int t, int key) { return share * a(t, key) + (1 - share) * b(t, key); };
}

PatternScores scoresOf(const Row& row, int T = 16, std::vector<int> lags = {}, int first = 0) {
    return patternScores(head(T, row), 1, T, lags, first).at(0);
}

bool near(double a, double b) { return std::abs(a - b) < 1e-6; }

}  // namespace

class TestHeadPatterns : public QObject {
    Q_OBJECT
private slots:
    void lagScoresAreMeansAlongADiagonal() {
        const std::vector<float> weights = {1,    0,     0,     0,  // head 0
                                            0.5f, 0.5f,  0,     0,  //
                                            0,    1,     0,     0,  //
                                            0,    0.25f, 0.75f, 0,  //
                                            1,    0,     0,     0,  // head 1: the token itself
                                            0,    1,     0,     0,  //
                                            0,    0,     1,     0,  //
                                            0,    0,     0,     1};
        QCOMPARE(lagScores(weights, 2, 4, 0, 0), (std::vector<double>{1.5 / 4, 1}));
        QCOMPARE(lagScores(weights, 2, 4, 1, 1), (std::vector<double>{2.25 / 3, 0}));
        QCOMPARE(lagScores(weights, 2, 4, 1, 2), (std::vector<double>{1.75 / 2, 0}));
        QCOMPARE(lagScores(weights, 2, 4, 2, 2), (std::vector<double>{0.25 / 2, 0}));
        QCOMPARE(lagScores(weights, 2, 4, 3, 3), (std::vector<double>{0, 0}));
    }

    void headsThatSeeEverythingHaveOtherUniformRows() {
        const auto full = [](const Row& weight) {
            std::vector<float> weights;
            for (int t = 0; t < 8; ++t)
                for (int key = 0; key < 8; ++key) weights.push_back(weight(t, key));
            return weights;
        };
        const auto scores = [&](const Row& weight) {
            return patternScores(full(weight), 1, 8, {}, 0, false).at(0);
        };
        const Row even = [](int, int) { return 0.125f; };
        const Row next = [](int t, int key) { return float(key == (t + 1) % 8); };
        QVERIFY(near(scores(even).uniform, 1));
        QVERIFY(near(scores(even).first_token, 0));
        QVERIFY(near(scores(even).next_token, 0));
        QCOMPARE(labelOf(scores(even)), (HeadLabel{Pattern::Uniform, 0, 1}));
        QCOMPARE(labelOf(scores(next)), (HeadLabel{Pattern::NextToken, 0, 1}));
        QVERIFY(near(scores(next).uniform, 0));
        const Row half = [&](int t, int key) { return (even(t, key) + next(t, key)) / 2; };
        QVERIFY(near(scores(half).next_token, 0.5));
        QVERIFY(near(scores(half).uniform, 0.5));
        QCOMPARE(scoresOf(back(1)).next_token, 0.0);

        // The last key, which a causal comparison would not look at.
        std::vector<float> both = full(next);
        const auto other = full([](int, int key) { return float(key == 0); });
        both.insert(both.end(), other.begin(), other.end());
        QVERIFY(near(headDivergences(both, 2, 8, 0, false)[1], 7.0 / 8));
    }

    void perfectHeadsGetTheirNames_data() {
        QTest::addColumn<std::vector<float>>("weights");
        QTest::addColumn<int>("first");
        QTest::addColumn<std::vector<int>>("lags");
        QTest::addColumn<Pattern>("pattern");
        QTest::addColumn<int>("lag");
        const std::vector<int> none, stripe = {7}, lags = {1, 4, 7};
        const auto first_token = head(16, [](int, int key) { return float(key == 0); });
        QTest::newRow("previous token") << head(16, back(1)) << 0 << none << Pattern::PreviousToken << 0;
        QTest::newRow("same token") << head(16, back(0)) << 0 << none << Pattern::SameToken << 0;
        QTest::newRow("first token") << first_token << 0 << none << Pattern::FirstToken << 0;
        QTest::newRow("uniform") << head(16, uniform) << 0 << none << Pattern::Uniform << 0;
        QTest::newRow("uniform, later queries") << head(16, uniform) << 7 << lags << Pattern::Uniform << 0;
        QTest::newRow("stripe") << head(16, back(7)) << 7 << stripe << Pattern::Copy << 7;
        QTest::newRow("lag 4") << head(16, back(4)) << 7 << lags << Pattern::Copy << 4;
        QTest::newRow("a copy one back is a copy") << head(16, back(1)) << 7 << lags << Pattern::Copy << 1;
        QTest::newRow("no copy, beside a stripe")
            << head(16, back(1)) << 7 << stripe << Pattern::PreviousToken << 0;
    }

    void perfectHeadsGetTheirNames() {
        QFETCH(std::vector<float>, weights);
        QFETCH(int, first);
        QFETCH(std::vector<int>, lags);
        QFETCH(Pattern, pattern);
        QFETCH(int, lag);
        const HeadLabel label = labelOf(patternScores(weights, 1, 16, lags, first).at(0));
        QCOMPARE(label.pattern, pattern);
        QCOMPARE(label.lag, lag);
        QVERIFY(near(label.score, 1));
    }

    void aUniformHeadFollowsNoPattern() {
        // Its mean weight on the first token is (1 + 1/2 + … + 1/16)/16.
        QVERIFY(std::abs(lagScores(head(16, uniform), 1, 16, 0, 0).at(0) - 0.2113) < 1e-4);
        const PatternScores all = scoresOf(uniform), late = scoresOf(uniform, 16, {1, 4, 7}, 7);
        for (const PatternScores& s : {all, late}) {
            QVERIFY(near(s.first_token, 0) && near(s.same_token, 0) && near(s.previous_token, 0));
            QVERIFY(near(s.uniform, 1));
        }
        for (const auto& copy : late.copy) QVERIFY(near(copy.score, 0));
    }

    void aShareOfAHeadScoresThatShare() {
        for (const float share : {0.f, 0.25f, 0.5f, 0.875f}) {
            const PatternScores previous = scoresOf(mix(share, back(1), uniform));
            QVERIFY(near(previous.previous_token, double(share)));
            QVERIFY(near(previous.uniform, 1 - double(share)));
            const PatternScores stripe = scoresOf(mix(share, back(5), uniform), 12, {5}, 5);
            QVERIFY(near(stripe.copy.at(0).score, double(share)));
            QVERIFY(near(stripe.uniform, 1 - double(share)));
        }
    }

    void lookingElsewhereScoresBelowZero() {
        // Of T = 4: previous 1/2, 1/3, 1/4 are the uniform weights, so b = 13/36.
        const double b = 13.0 / 36;
        QVERIFY(near(scoresOf(back(0), 4).previous_token, -b / (1 - b)));
        QVERIFY(near(scoresOf(back(0), 4).same_token, 1));
        QVERIFY(near(scoresOf(back(0), 4).uniform, 0));
    }

    void severalHabitsAreMixed() {
        const auto third = [](int t, int key) {
            return t < 3 ? uniform(t, key) : float(key == t || key == t - 1 || key == t - 2) / 3;
        };
        const HeadLabel label = labelOf(scoresOf(third));
        QCOMPARE(label.pattern, Pattern::Mixed);
        QVERIFY(label.score > 0 && label.score < kLabelScore);
        PatternScores edge;
        edge.same_token = kLabelScore;
        QCOMPARE(labelOf(edge), (HeadLabel{Pattern::SameToken, 0, kLabelScore}));
        edge.same_token = std::nextafter(kLabelScore, 0);
        QCOMPARE(labelOf(edge).pattern, Pattern::Mixed);
    }

    void queriesBeforeTheFirstDoNotCount() {
        const auto late = [](int t, int key) { return t < 7 ? float(key == 0) : back(7)(t, key); };
        QVERIFY(near(scoresOf(late, 16, {7}, 7).copy.at(0).score, 1));
        QVERIFY(near(scoresOf(late, 16, {7}, 7).first_token, scoresOf(back(7), 16, {7}, 7).first_token));
    }

    void oneTokenTellsNothing() {
        QCOMPARE(scoresOf(uniform, 1), PatternScores{});
        QCOMPARE(labelOf(scoresOf(uniform, 1)).pattern, Pattern::Mixed);
    }

    void everyHeadIsScored() {
        std::vector<float> weights = head(8, back(1));
        const auto second = head(8, uniform);
        weights.insert(weights.end(), second.begin(), second.end());
        const auto scores = patternScores(weights, 2, 8, {}, 0);
        QCOMPARE(scores.size(), 2u);
        QCOMPARE(labelOf(scores[0]).pattern, Pattern::PreviousToken);
        QCOMPARE(labelOf(scores[1]).pattern, Pattern::Uniform);
    }

    void divergencesAreBits() {
        std::vector<float> weights;
        for (const Row& row : {back(0), back(1), back(1), Row(uniform)}) {
            const auto one = head(2, row);
            weights.insert(weights.end(), one.begin(), one.end());
        }
        const auto d = headDivergences(weights, 4, 2, 1);
        QCOMPARE(d.size(), 16u);
        for (std::size_t a = 0; a < 4; ++a) {
            QCOMPARE(d[a * 4 + a], 0.0);
            for (std::size_t b = 0; b < 4; ++b) QCOMPARE(d[a * 4 + b], d[b * 4 + a]);
        }
        QCOMPARE(d[0 * 4 + 1], 1.0);  // no key in common
        QCOMPARE(d[1 * 4 + 2], 0.0);  // the same
        // One key against two: entropy of (3/4, 1/4), less half a bit.
        const double expected = -0.75 * std::log2(0.75) - 0.25 * std::log2(0.25) - 0.5;
        QVERIFY(near(d[0 * 4 + 3], expected));
        // Query 0 sees one key: it halves the mean.
        QVERIFY(near(headDivergences(weights, 4, 2, 0)[3], expected / 2));
        weights[2] = NAN;  // head 0, query 1
        QVERIFY(std::isnan(headDivergences(weights, 4, 2, 1)[0 * 4 + 1]));
    }
};

QTEST_APPLESS_MAIN(TestHeadPatterns)
#include "test_head_patterns.moc"
