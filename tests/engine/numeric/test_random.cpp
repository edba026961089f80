#include <cmath>
#include <vector>

#include <QtTest>

#include "engine/numeric/random.h"

using namespace headscope;

class TestRandom : public QObject {
    Q_OBJECT
private slots:
    void splitmixGivesThePublishedNumbers() {
        std::uint64_t state = 1234567;
        for (const std::uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                             4593380528125082431u, 16408922859458223821u})
            QCOMPARE(splitmix64(state), expected);
    }

    void xoshiroGivesThePublishedNumbers() {
        Random random(Random::State{1, 2, 3, 4});
        for (const std::uint64_t expected :
             {41943041ul, 58720359ul, 3588806011781223u, 3591011842654386u, 9228616714210784205u,
              9973669472204895162u, 14011001112246962877u, 12406186145184390807u, 15849039046786891736u,
              10450023813501588000u})
            QCOMPARE(random.next(), expected);
    }

    // Worked out by squaring the generator's 256 × 256 bit matrix 128 times.
    void streamsLieAJumpApart() {
        const Random first(7, RandomStream::Initialization);
        std::uint64_t seed = 7;
        Random::State filled;
        for (auto& word : filled) word = splitmix64(seed);
        QCOMPARE(first.state(), filled);
        QCOMPARE(
            Random(7, RandomStream::Probe).state(),
            (Random::State{0x7eb3c0607fc567e2, 0x551d653fa4de09eb, 0x95c90b5c98ca9ef6, 0x99c20c8c8db7bd5e}));
        QCOMPARE(
            Random(7, RandomStream::Batches).state(),
            (Random::State{0xcdd5c2ecb3655585, 0xe8cf1f50e5509478, 0x16beb3e50eadc8a3, 0xe3e540a3ea34c835}));
    }

    void aCopyGoesOnWithTheSameNumbers() {
        Random random(3, RandomStream::Batches);
        random.normal();
        Random copy = random;
        Random restored(random.state());
        for (int i = 0; i < 100; ++i) {
            const double expected = random.normal();
            QCOMPARE(copy.normal(), expected);
            QCOMPARE(restored.normal(), expected);
        }
        QVERIFY(Random(1, RandomStream::Batches) != Random(2, RandomStream::Batches));
    }

    void uniformFillsTheUnitInterval() {
        Random random(1, RandomStream::Initialization);
        double sum = 0, squares = 0, low = 1, high = 0;
        constexpr int n = 1'000'000;
        for (int i = 0; i < n; ++i) {
            const double u = random.uniform();
            sum += u, squares += u * u, low = std::min(low, u), high = std::max(high, u);
        }
        QVERIFY(low >= 0 && low < 1e-5);
        QVERIFY(high < 1 && high > 1 - 1e-5);
        QVERIFY(std::abs(sum / n - 0.5) < 1.5e-3);  // five standard errors
        QVERIFY(std::abs(squares / n - 1.0 / 3) < 1.5e-3);
    }

    void normalHasTheMomentsOfTheBell() {
        Random random(1, RandomStream::Initialization);
        double m1 = 0, m2 = 0, m3 = 0, m4 = 0, beyondTwo = 0;
        constexpr int n = 1'000'000;
        for (int i = 0; i < n; ++i) {
            const double x = random.normal();
            QVERIFY(std::isfinite(x));
            m1 += x, m2 += x * x, m3 += x * x * x, m4 += x * x * x * x, beyondTwo += std::abs(x) > 2;
        }
        QVERIFY(std::abs(m1 / n) < 0.005);  // five standard errors each
        QVERIFY(std::abs(m2 / n - 1) < 0.0071);
        QVERIFY(std::abs(m3 / n) < 0.02);
        QVERIFY(std::abs(m4 / n - 3) < 0.05);
        QVERIFY(std::abs(beyondTwo / n - 0.0455003) < 0.0011);
    }

    // n = 3·2^30: taking the product's high half without rejection would make every third number twice as
    // likely as its neighbors.
    void belowHasNoBias() {
        Random random(1, RandomStream::Batches);
        std::vector<int> thirds(3);
        constexpr int n = 300'000;
        for (int i = 0; i < n; ++i) ++thirds[random.below(3u << 30) % 3];
        QVERIFY(chiSquare(thirds, n) < 13.8);  // 1 in 1000, two degrees of freedom
    }

    void belowIsUniform_data() {
        QTest::addColumn<int>("n");
        QTest::addColumn<double>("limit");  // chi-square exceeded once in 1000
        QTest::newRow("2") << 2 << 10.83;
        QTest::newRow("7") << 7 << 22.46;
        QTest::newRow("64") << 64 << 103.4;
    }

    void belowIsUniform() {
        QFETCH(int, n);
        QFETCH(double, limit);
        Random random(5, RandomStream::Batches);
        std::vector<int> counts(static_cast<std::size_t>(n));
        const int draws = 10'000 * n;
        for (int i = 0; i < draws; ++i) ++counts[random.below(static_cast<std::uint32_t>(n))];
        QVERIFY(chiSquare(counts, draws) < limit);
    }

    void belowOneIsZero() {
        Random random(1, RandomStream::Probe);
        for (int i = 0; i < 100; ++i) QCOMPARE(random.below(1), 0u);
    }

private:
    static double chiSquare(const std::vector<int>& counts, int draws) {
        const double expected = double(draws) / double(counts.size());
        double sum = 0;
        for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
        return sum;
    }
};

QTEST_APPLESS_MAIN(TestRandom)
#include "test_random.moc"
