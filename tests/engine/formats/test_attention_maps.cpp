#include <algorithm>
#include <cmath>

#include <QtTest>

#include "engine/formats/attention_maps.h"
#include "engine/formats/npz.h"
#include "engine/formats/safetensors.h"
#include "tests/engine/formats/bytes.h"

using namespace headscope;

namespace {

using Shape = std::vector<std::size_t>;

/// Rows that attend to every key alike, or to every key up to the query.
std::vector<float> uniform(std::size_t maps, std::size_t T, bool causal = false) {
    std::vector<float> weights;
    for (std::size_t row = 0; row < maps * T; ++row)
        for (std::size_t key = 0; key < T; ++key) {
            const std::size_t visible = causal ? row % T + 1 : T;
            weights.push_back(key < visible ? 1.f / float(visible) : 0.f);
        }
    return weights;
}

AttentionMaps parsed(std::span<const float> weights, const Shape& shape) {
    return parseAttention(bytesOfText(npyFile(viewOf(weights, shape))), "a.npy");
}

std::string said(std::span<const float> weights, const Shape& shape) {
    return complaint([&] { parsed(weights, shape); });
}

AttentionMaps example() { return parsed(uniform(4, 3), {2, 2, 3, 3}); }

using Tokens = std::vector<std::vector<std::string>>;

}  // namespace

class TestAttentionMaps : public QObject {
    Q_OBJECT
private slots:
    void readsEveryShape() {
        std::vector<float> weights = uniform(12, 3);
        const std::vector<float> last = {0, 1, 0, 0, 0, 1, 1, 0, 0};
        std::ranges::copy(last, weights.end() - 9);
        const AttentionMaps layers = parsed(weights, {2, 3, 2, 3, 3});
        QCOMPARE(layers.layers, 2u);
        QCOMPARE(layers.rows, 3u);
        QCOMPARE(layers.n_heads, 2u);
        QCOMPARE(layers.length, 3u);
        QVERIFY(std::ranges::equal(layers.of(1, 2).last(9), last));
        QVERIFY(std::ranges::equal(layers.of(1, 1), std::span(weights).subspan(4 * 18, 18)));
        QCOMPARE(parsed(weights, {6, 2, 3, 3}).rows, 6u);
        QCOMPARE(parsed(weights, {12, 3, 3}).n_heads, 12u);
        QVERIFY(layers.tokensOf(1).empty());
    }

    void tellsCausalFromFull() {
        QVERIFY(!example().causal);
        QVERIFY(parsed(uniform(2, 4, true), {2, 4, 4}).causal);
        std::vector<float> almost = uniform(2, 4, true);
        almost[17] = 0.001f;  // of the second head, query 0, key 1
        QVERIFY(!parsed(almost, {2, 4, 4}).causal);
        QVERIFY(parsed(std::vector<float>{1}, {1, 1, 1}).causal);
    }

    void readsEveryContainer() {
        const auto weights = uniform(2, 3);
        const TensorView view = viewOf(weights, {2, 3, 3});
        const std::vector<std::int64_t> ids = {5, 6, 7};
        const auto npz =
            parseAttention(bytesOfText(npzFile({{"a", view}, {"tokens", viewOf(ids, {3})}})), "a.npz");
        QCOMPARE(npz.weights, weights);
        QCOMPARE(npz.tokens, (Tokens{{"5", "6", "7"}}));
        const auto safetensors = parseAttention(
            bytesOfText(safetensorsFile({{"a", view}}, {{"tokens", "[\"The\", \" cat\", \"猫\"]"}})), "a.st");
        QCOMPARE(safetensors.weights, weights);
        QCOMPARE(safetensors.tokens, (Tokens{{"The", " cat", "猫"}}));
        const std::string half = raw<std::uint16_t>({0x3800, 0x3800, 0x3c00, 0});
        const TensorView view16{TensorType::F16, {1, 2, 2}, std::as_bytes(std::span(half))};
        QCOMPARE(parseAttention(bytesOfText(npyFile(view16)), "h").weights,
                 (std::vector<float>{0.5, 0.5, 1, 0}));
    }

    void readsTheReferenceFiles() {
        const auto maps = readAttention(HEADSCOPE_TEST_DATA "/reference/lesson_repeat.safetensors");
        QCOMPARE(maps.rows, 16u);
        QCOMPARE(maps.n_heads, 4u);
        QVERIFY(maps.causal);
        QVERIFY(!readAttention(HEADSCOPE_TEST_DATA "/reference/attention_padding.safetensors").causal);
    }

    void choosesTheArrayThatIsAttention() {
        const auto one = uniform(2, 3), other = uniform(2, 3, true);
        const TensorView full = viewOf(one, {2, 3, 3}), causal = viewOf(other, {2, 3, 3});
        const std::vector<float> bias(6);
        const auto read = [&](const std::map<std::string, TensorView>& tensors,
                              const std::string& array = {}) {
            return parseAttention(bytesOfText(safetensorsFile(tensors)), "f", array);
        };
        QVERIFY(read({{"scores", full}, {"step.weights", causal}}).causal);
        QVERIFY(read({{"x", causal}, {"bias", viewOf(bias, {6})}}).causal);
        QVERIFY(read({{"x", full}, {"y", causal}}, "y").causal);
        QCOMPARE(complaint([&] {
                     read({{"x", full}, {"y", causal}});
                 }),
                 "f: it holds several arrays that may be attention, such as “x” and “y”: say which");
        QCOMPARE(complaint([&] { read({{"x", full}}, "y"); }), "f: there is no array “y”");
        QCOMPARE(complaint([&] {
                     read({{"b", viewOf(bias, {6})}, {"c", viewOf(bias, {6})}});
                 }),
                 "f: it holds no attention: no array of fractions (H, T, T), (B, H, T, T) or (layers, B, H, "
                 "T, T)");
        QCOMPARE(complaint([&] { read({}); }),
                 "f: it holds no attention: no array of fractions (H, T, T), (B, H, T, T) or (layers, B, H, "
                 "T, T)");
    }

    void tellsAttentionFromWeights() {
        const auto square = uniform(2, 3);
        const auto holds = [](const std::map<std::string, TensorView>& tensors) {
            return holdsAttention(Safetensors::parse(bytesOfText(safetensorsFile(tensors)), "f"));
        };
        QVERIFY(holds({{"a", viewOf(square, {2, 3, 3})}}));
        QVERIFY(!holds({{"out_proj.weight", viewOf(std::span(square).first(9), {3, 3})}}));
        QVERIFY(!holds({}));
    }

    void refusesShapesThatAreNot() {
        const std::string must = ": attention must be (H, T, T), (B, H, T, T) or (layers, B, H, T, T)";
        const auto weights = uniform(1, 6);
        QCOMPARE(said(weights, {6, 6}), "a.npy: it has the shape (6, 6)" + must);
        QCOMPARE(said(weights, {1, 4, 9}), "a.npy: it has the shape (1, 4, 9)" + must);
        QCOMPARE(said(weights, {1, 1, 1, 1, 6, 6}), "a.npy: it has the shape (1, 1, 1, 1, 6, 6)" + must);
        QCOMPARE(said({}, {0, 6, 6}), "a.npy: it has the shape (0, 6, 6): there is nothing in it");
        QCOMPARE(said({}, {2, 0, 0}), "a.npy: it has the shape (2, 0, 0): there is nothing in it");
        const std::vector<float> ones(257, 1);
        QCOMPARE(said(ones, {257, 1, 1}),
                 "a.npy: it has the shape (257, 1, 1): at most 256 heads and 4096 tokens can be shown");
        const std::vector<std::int32_t> ints = {1};
        QCOMPARE(complaint([&] {
                     parseAttention(bytesOfText(npyFile(viewOf(ints, {1, 1, 1}))), "i");
                 }),
                 "i: its values are of the type I32: weights must be fractions");
    }

    void refusesWeightsThatAreNot() {
        const auto with = [](float weight) {
            auto weights = uniform(12, 3);
            weights[9 * 9 + 4] = weight;  // layer 2, row 2, head 2, query 1, key 1
            return said(weights, {2, 3, 2, 3, 3});
        };
        const std::string place = "a.npy: a weight of query 1 of head 2, row 2, layer 2 is ";
        QCOMPARE(with(std::nanf("")), place + "nan: it must be from 0 to 1");
        QCOMPARE(with(HUGE_VALF), place + "inf: it must be from 0 to 1");
        QCOMPARE(with(-HUGE_VALF), place + "-inf: it must be from 0 to 1");
        QCOMPARE(with(-0.25f), place + "-0.25: it must be from 0 to 1");
        QCOMPARE(with(1.5f), place + "1.5: it must be from 0 to 1");
        const std::string sum = "a.npy: the weights of query 1 of head 2, row 2, layer 2 sum to ";
        QCOMPARE(with(1), sum + "1.66667: they must sum to 1, as after a softmax, without dropout");
        QCOMPARE(with(0), sum + "0.666667: they must sum to 1, as after a softmax, without dropout");
        QCOMPARE(with(1.f / 3 + 0.005f), "nothing was refused");  // rounded to 16 bits
    }

    void aQueryMaySeeNothing() {
        auto weights = uniform(1, 3);
        std::fill_n(weights.begin() + 3, 3, 0.f);
        QCOMPARE(parsed(weights, {1, 3, 3}).weights, weights);
    }

    void readsTokens_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("tokens");
        const auto row = [](const char* test, const char* text, const QStringList& tokens,
                            const char* name = "t") { QTest::newRow(test) << text << name << tokens; };
        row("JSON", " [\"a b\", \"\", \"é\\n\"]\n", {"a b", "", "é\n"});
        row("JSON of rows", "[[\"a\",\"b\",\"c\"], [\"d\",\"e\",\"f\"]]", {"a", "b", "c", "d", "e", "f"});
        row("lines", "a b\n\nc\n", {"a b", "", "c"});
        row("lines of another system", "a\r\nb\r\nc\r\n", {"a", "b", "c"});
        row("one line", "the  cat\tsat\n", {"the", "cat", "sat"});
        row("brackets", "[CLS] cat [SEP]", {"[CLS]", "cat", "[SEP]"});
    }

    void readsTokens() {
        QFETCH(QString, text);
        QFETCH(QString, name);
        QFETCH(QStringList, tokens);
        AttentionMaps maps = example();
        setTokens(maps, text.toStdString(), name.toStdString());
        QStringList read;
        for (const auto& row : maps.tokens)
            for (const std::string& token : row) read += QString::fromStdString(token);
        QCOMPARE(read, tokens);
        QCOMPARE(QString::fromStdString(maps.tokensOf(1)[2]), tokens.back());
    }

    void refusesTokensThatAreNot_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        const QString json = "t.json: tokens must be a list of texts, or a list of such lists, in JSON";
        QTest::newRow("no JSON") << "[\"a\", \"b\"" << json;
        QTest::newRow("numbers") << "[1, 2, 3]" << json;
        QTest::newRow("an object") << "{}" << json;
        QTest::newRow("mixed") << "[[\"a\"], \"b\"]" << json;
        QTest::newRow("mixed, texts first") << "[\"a\", [\"b\"]]" << json;
        QTest::newRow("deep") << QString(100'000, u'[') << json;
        QTest::newRow("too few") << "[\"a\", \"b\"]"
                                 << "t.json: there are 2 tokens: the attention is over 3";
        QTest::newRow("none") << "[]"
                              << "t.json: there are 0 tokens: the attention is over 3";
        QTest::newRow("rows") << "[[\"a\"], [\"a\"], [\"a\"]]"
                              << "t.json: there are tokens of 3 rows: the attention has 2";
    }

    void refusesTokensThatAreNot() {
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        AttentionMaps maps = example();
        maps.tokens = {{"x", "y", "z"}};
        QCOMPARE(QString::fromStdString(complaint([&] { setTokens(maps, text.toStdString(), "t.json"); })),
                 sentence);
        QCOMPARE(maps.tokens, (Tokens{{"x", "y", "z"}}));
    }

    void refusesTokensInTheFileThatDoNotFit() {
        const auto weights = uniform(2, 3);
        const TensorView view = viewOf(weights, {2, 3, 3});
        const std::vector<std::int64_t> ids = {5, 6, 7, 8};
        QCOMPARE(complaint([&] {
                     parseAttention(bytesOfText(npzFile({{"a", view}, {"tokens", viewOf(ids, {4})}})), "n");
                 }),
                 "n: there are 4 tokens: the attention is over 3");
        QCOMPARE(complaint([&] {
                     parseAttention(
                         bytesOfText(npzFile({{"a", view}, {"tokens", viewOf(std::span(ids).first(1), {})}})),
                         "n");
                 }),
                 "n: there are 1 tokens: the attention is over 3");
    }

    void refusesWhatIsNoFileOfTheseKinds() {
        for (const char* content : {"", "PNG, not attention"})
            QCOMPARE(complaint([&] { parseAttention(bytesOfText(content), "p"); }),
                     "p: this is neither an NPY, an NPZ nor a safetensors file");
        QVERIFY(complaint([] { parseAttention(bytesOfText("PK"), "p"); }).starts_with("p: "));
        QCOMPARE(complaint([] { readAttention("/dev"); }), "/dev: this is not a file");
    }
};

QTEST_APPLESS_MAIN(TestAttentionMaps)
#include "test_attention_maps.moc"
