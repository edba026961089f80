#include <QtTest>

#include "engine/attention/attention_mask.h"
#include "tests/refusal_of.h"

using namespace headscope;
using Visible = AttentionMask::Visible;

namespace {

using Bytes = std::vector<unsigned char>;
constexpr AttentionShape kShape{.batch_rows = 2, .length = 3, .d_model = 4, .n_heads = 2, .memory_length = 4};

AttentionMask ofShape(std::vector<Index> shape) {
    Index count = 1;
    for (const Index size : shape) count *= size;
    return AttentionMask::boolean(shape, Bytes(std::size_t(std::max(count, Index{0})), 1));
}

/// What the mask shows of (B, H, Lq, Lk), one by one.
Bytes all(const AttentionMask& mask) {
    Bytes bytes;
    for (Index b = 0; b < kShape.batch_rows; ++b)
        for (Index h = 0; h < kShape.n_heads; ++h)
            for (Index q = 0; q < kShape.queries(); ++q)
                for (Index k = 0; k < kShape.keys(); ++k) bytes.push_back(mask.visible(b, h, q, k));
    return bytes;
}

}  // namespace

class TestAttentionMask : public QObject {
    Q_OBJECT
private slots:
    void nothingIsHiddenByDefault() { QVERIFY(all({}) == Bytes(48, 1)); }

    void causalHidesWhatComesLater() {
        const Bytes head = {1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0};
        Bytes expected;
        for (int i = 0; i < 4; ++i) expected.insert(expected.end(), head.begin(), head.end());
        QVERIFY(all(AttentionMask::causal()) == expected);
    }

    void paddingHidesKeysOfARow() {
        const auto mask = AttentionMask::keyPadding(2, 4, {0, 0, 1, 1, 1, 1, 1, 0});
        for (Index h = 0; h < 2; ++h)
            for (Index q = 0; q < 3; ++q) {
                QVERIFY(!mask.visible(0, h, q, 1) && mask.visible(0, h, q, 2));
                QVERIFY(mask.visible(1, h, q, 2) && !mask.visible(1, h, q, 3));
            }
    }

    void broadcastsAsNumPyDoes() {
        const std::array<Index, 2> two{3, 1};
        const auto queries = AttentionMask::boolean(two, {1, 0, 1});
        const std::array<Index, 4> four{1, 2, 1, 1};
        const auto heads = AttentionMask::boolean(four, {1, 0});
        for (Index b = 0; b < 2; ++b)
            for (Index h = 0; h < 2; ++h)
                for (Index q = 0; q < 3; ++q)
                    for (Index k = 0; k < 4; ++k) {
                        QCOMPARE(queries.visible(b, h, q, k), q != 1);
                        QCOMPARE(heads.visible(b, h, q, k), h == 0);
                        QCOMPARE((queries & heads).visible(b, h, q, k), q != 1 && h == 0);
                    }
    }

    void andIsWhatBothShow() {
        const auto a = AttentionMask::causal(), b = AttentionMask::keyPadding(2, 4, {0, 1, 1, 1, 1, 1, 0, 1});
        const Bytes of_a = all(a), of_b = all(b), both = all(a & b);
        QVERIFY((a & b).isCausal() && (a & b).hasBooleans());
        for (std::size_t i = 0; i < both.size(); ++i) QCOMPARE(both[i], of_a[i] & of_b[i]);
        QVERIFY(all(b & a) == both);
    }

    void whatBroadcastsIsAccepted() {
        for (const std::vector<Index>& shape :
             {std::vector<Index>{}, {4}, {3, 4}, {2, 1, 1, 4}, {2, 2, 3, 4}})
            QCOMPARE(refusalOf([&] { ofShape(shape).requireBroadcastsTo(kShape); }), QString());
    }

    void whatDoesNotBroadcastIsRefused_data() {
        QTest::addColumn<std::vector<Index>>("shape");
        QTest::addColumn<QString>("sentence");
        const auto row = [](std::vector<Index> shape, const char* sentence) {
            QTest::newRow(sentence) << shape << QString(sentence);
        };
        row({5}, "a mask of shape (1, 1, 1, 5) does not broadcast to (B, H, Lq, Lk) = (2, 2, 3, 4)");
        row({4, 3}, "a mask of shape (1, 1, 4, 3) does not broadcast to (B, H, Lq, Lk) = (2, 2, 3, 4)");
        row({3, 1, 1, 1}, "a mask of shape (3, 1, 1, 1) does not broadcast to (B, H, Lq, Lk) = (2, 2, 3, 4)");
        row({1, 2, 2, 3, 4}, "a mask of shape (1, 2, 2, 3, 4) has 5 sizes: at most 4 are allowed");
        row({2, 0}, "a mask of shape (2, 0) has a size below 1: none may be");
        row({-1}, "a mask of shape (-1) has a size below 1: none may be");
    }

    void whatDoesNotBroadcastIsRefused() {
        QFETCH(std::vector<Index>, shape);
        QFETCH(QString, sentence);
        QCOMPARE(refusalOf([&] { ofShape(shape).requireBroadcastsTo(kShape); }), sentence);
    }

    void anotherNumberOfValuesIsRefused() {
        constexpr Index kHuge = Index{1} << 32;  // its square is 0 in 64 bits
        QCOMPARE(refusalOf([] {
                     AttentionMask::boolean(std::array{kHuge, kHuge}, {});
                 }),
                 "a mask of shape (4294967296, 4294967296) would have more values than can be counted");
        QCOMPARE(refusalOf([] { AttentionMask::keyPadding(2, 4, Bytes(7)); }),
                 QString("a mask of shape (2, 1, 1, 4) has 7 values: it needs 8"));
    }

    void tilesSayWhatEachPairSays_data() {
        QTest::addColumn<AttentionMask>("mask");
        const auto padding = AttentionMask::keyPadding(2, 4, {0, 0, 1, 1, 0, 0, 0, 0});
        const std::array<Index, 4> blind{1, 1, 3, 1};
        QTest::newRow("nothing") << AttentionMask();
        QTest::newRow("causal") << AttentionMask::causal();
        QTest::newRow("padding") << padding;
        QTest::newRow("causal and padding") << (AttentionMask::causal() & padding);
        QTest::newRow("a blind query") << AttentionMask::boolean(blind, {1, 0, 1});
    }

    void tilesSayWhatEachPairSays() {
        QFETCH(AttentionMask, mask);
        for (Index first_query = 0; first_query < 3; ++first_query)
            for (Index queries = 1; first_query + queries <= 3; ++queries)
                for (Index first_key = 0; first_key < 4; ++first_key)
                    for (Index keys = 1; first_key + keys <= 4; ++keys)
                        for (Index b = 0; b < 2; ++b) {
                            Bytes written(std::size_t(queries * keys), 7), expected;
                            for (Index q = first_query; q < first_query + queries; ++q)
                                for (Index k = first_key; k < first_key + keys; ++k)
                                    expected.push_back(mask.visible(b, 1, q, k));
                            const Visible seen =
                                mask.write({b, 1, first_query, queries, first_key, keys}, written);
                            QVERIFY(written == expected);
                            const auto count = std::count(expected.begin(), expected.end(), 1);
                            QCOMPARE(seen, count == 0                      ? Visible::None
                                           : count == std::ssize(expected) ? Visible::All
                                                                           : Visible::Some);
                        }
    }
};

QTEST_APPLESS_MAIN(TestAttentionMask)
#include "test_attention_mask.moc"
