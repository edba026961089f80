#include <algorithm>
#include <set>

#include <QtTest>

#include "tests/engine/task_rows.h"

using namespace headscope;

namespace {

TaskRows draw(const CopyTask& task, int rows, int context_length, std::uint64_t seed = 1) {
    return drawRows(task, rows, context_length, seed, RandomStream::Batches);
}

}  // namespace

class TestCopyTasks : public QObject {
    Q_OBJECT
private slots:
    void repeatAsksForTheTokenItself() {
        const TaskRows drawn = draw(CopyTask(Task::Repeat, {}, 64, 12), 100, 12);
        for (std::size_t i = 0; i < drawn.tokens.size(); ++i) {
            QCOMPARE(drawn.tokens[i], drawn.tokens[i - i % 12]);
            QCOMPARE(drawn.targets[i], drawn.tokens[i]);
        }
        QVERIFY(std::set(drawn.tokens.begin(), drawn.tokens.end()).size() > 40);
    }

    void prefixCopyAsksForTheNextToken() {
        constexpr std::size_t T = 10;
        const TaskRows drawn = draw(CopyTask(Task::PrefixCopy, {}, 16, T), 50, T);
        for (std::size_t row = 0; row < drawn.tokens.size(); row += T) {
            const int* x = &drawn.tokens[row];
            const int* y = &drawn.targets[row];
            for (std::size_t t = 0; t < 5; ++t) QCOMPARE(x[t + 5], x[t]);
            for (std::size_t t = 0; t < 4; ++t) QCOMPARE(y[t], -1);
            for (std::size_t t = 4; t < 9; ++t) QCOMPARE(y[t], x[t + 1]);
            QCOMPARE(y[9], x[0]);
        }
        QVERIFY(!std::equal(drawn.tokens.begin(), drawn.tokens.begin() + T, drawn.tokens.begin() + T));
    }

    void prefixOfOneTokenHasNothingToIgnore() {
        const TaskRows drawn = draw(CopyTask(Task::PrefixCopy, {}, 16, 2), 20, 2);
        for (std::size_t i = 0; i < drawn.tokens.size(); ++i)
            QCOMPARE(drawn.targets[i], drawn.tokens[i - i % 2]);
    }

    void lagCopyAsksForTheWordOfTheLags() {
        constexpr std::size_t T = 16;
        const TaskRows drawn = draw(CopyTask(Task::LagCopy, {1, 4, 7}, 64, T), 50, T);
        for (std::size_t row = 0; row < drawn.tokens.size(); row += T) {
            const int* x = &drawn.tokens[row];
            for (std::size_t t = 0; t < T; ++t) {
                QVERIFY(x[t] >= 0 && x[t] < 4);
                QCOMPARE(drawn.targets[row + t], t < 7 ? -1 : 16 * x[t - 1] + 4 * x[t - 4] + x[t - 7]);
            }
        }
    }

    void oneLagCopiesATokenOfTheWholeVocabulary() {
        const TaskRows drawn = draw(CopyTask(Task::LagCopy, {3}, 7, 5), 50, 5);
        QCOMPARE(*std::max_element(drawn.tokens.begin(), drawn.tokens.end()), 6);
        for (std::size_t i = 0; i < drawn.tokens.size(); ++i)
            QCOMPARE(drawn.targets[i], i % 5 < 3 ? -1 : drawn.tokens[i - 3]);
    }

    void everyTokenIsEquallyLikely() {
        const TaskRows drawn = draw(CopyTask(Task::PrefixCopy, {}, 8, 2), 80'000, 2);
        std::vector<int> counts(8);
        for (std::size_t i = 0; i < drawn.tokens.size(); i += 2) ++counts[std::size_t(drawn.tokens[i])];
        for (const int count : counts) QVERIFY(std::abs(count - 10'000) < 470);  // five standard deviations
    }

    void theSeedDecidesTheRows() {
        const CopyTask task(Task::PrefixCopy, {}, 64, 12);
        QCOMPARE(draw(task, 16, 12, 1).tokens, draw(task, 16, 12, 1).tokens);
        QVERIFY(draw(task, 16, 12, 1).tokens != draw(task, 16, 12, 2).tokens);
    }

    void rootsAreWhole() {
        QCOMPARE(integerRoot(64, 1), 64);
        QCOMPARE(integerRoot(64, 2), 8);
        QCOMPARE(integerRoot(64, 3), 4);
        QCOMPARE(integerRoot(64, 4), 0);
        QCOMPARE(integerRoot(64, 6), 2);
        QCOMPARE(integerRoot(2, 2), 0);
        QCOMPARE(integerRoot(32761, 2), 181);
        QCOMPARE(integerRoot(1, 1), 0);
    }
};

QTEST_APPLESS_MAIN(TestCopyTasks)
#include "test_copy_tasks.moc"
