#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>

#include <QtTest>

#include "engine/formats/safetensors.h"
#include "tests/engine/formats/bytes.h"

using namespace headscope;

namespace {

/// Single quotes in the header stand for double ones: raw strings confuse the meta-object compiler.
std::vector<std::byte> fileOf(std::string header, const std::string& data,
                              std::optional<std::uint64_t> length = {}) {
    std::replace(header.begin(), header.end(), '\'', '"');
    const std::uint64_t size = length.value_or(header.size());
    std::string all(8, '\0');
    std::memcpy(all.data(), &size, 8);
    all += header + data;
    return bytesOfText(all);
}

}  // namespace

class TestSafetensors : public QObject {
    Q_OBJECT
private slots:
    void readsEveryTypeAndTheMetadata() {
        const double nan = std::nan("");
        const auto file = Safetensors::parse(
            fileOf("{'__metadata__':{'kind':'lm','n':'3'},"
                   "'d':{'dtype':'F64','shape':[2],'data_offsets':[0,16]},"
                   "'l':{'dtype':'I64','shape':[1],'data_offsets':[16,24]},"
                   "'f':{'dtype':'F32','shape':[1,3],'data_offsets':[24,36]},"
                   "'i':{'dtype':'I32','shape':[],'data_offsets':[36,40]},"
                   "'b':{'dtype':'BOOL','shape':[2,1],'data_offsets':[40,42]},"
                   "'none':{'dtype':'F32','shape':[0,18446744073709551615],'data_offsets':[42,42]}}   ",
                   raw({1.5, nan}) + raw<std::int64_t>({-7}) + raw({0.5f, -HUGE_VALF, 3.f}) +
                       raw<std::int32_t>({-1}) + std::string("\1\0", 2)),
            "good");
        QCOMPARE(file.metadata(), (std::map<std::string, std::string>{{"kind", "lm"}, {"n", "3"}}));
        QCOMPARE(file.tensors().size(), 6u);
        QCOMPARE(file.tensor("d").toDoubles()[0], 1.5);
        QVERIFY(std::isnan(file.tensor("d").toDoubles()[1]));
        QCOMPARE(file.tensor("l").toInts(), std::vector<int>{-7});
        QCOMPARE(file.tensor("f").toFloats(), (std::vector<float>{0.5f, -HUGE_VALF, 3.f}));
        QCOMPARE(file.tensor("f").shape, (std::vector<std::size_t>{1, 3}));
        QCOMPARE(file.tensor("i").size(), 1u);
        QCOMPARE(file.tensor("i").toDoubles(), std::vector<double>{-1});
        QCOMPARE(file.tensor("b").toInts(), (std::vector<int>{1, 0}));
        QCOMPARE(file.tensor("none").size(), 0u);
        QVERIFY(complaint([&] { file.tensor("x\ny"); }) == "good: there is no tensor “x?y”");
        QVERIFY(complaint([&] { file.tensor("f").toInts(); }).starts_with("a tensor of whole numbers"));
    }

    void tellsOfWholeNumbersThatDoNotFit() {
        const auto file = Safetensors::parse(
            fileOf("{'l':{'dtype':'I64','shape':[1],'data_offsets':[0,8]}}", raw<std::int64_t>({1ll << 31})),
            "big");
        QCOMPARE(complaint([&] { file.tensor("l").toInts(); }), "2147483648 is too large a whole number");
    }

    void readsEveryWidth_data() {
        QTest::addColumn<QString>("dtype");
        QTest::addColumn<std::string>("bytes");
        QTest::addColumn<std::vector<double>>("values");
        const auto row = [](const char* dtype, std::string bytes, std::vector<double> values) {
            QTest::newRow(dtype) << dtype << bytes << values;
        };
        row("BOOL", std::string("\0\1\2", 3), {0, 1, 1});
        row("U8", "\xff", {255});
        row("I8", "\xff", {-1});
        row("U16", "\xff\xff", {65535});
        row("I16", "\xfe\xff", {-2});
        row("U32", "\xff\xff\xff\xff", {4294967295.});
        row("I32", "\xff\xff\xff\xff", {-1});
        row("U64", raw<std::uint64_t>({1ull << 63}), {9223372036854775808.});
        row("I64", raw<std::int64_t>({-5}), {-5});
        // 1.5, the largest, the smallest, minus infinity.
        row("F16", raw<std::uint16_t>({0x3e00, 0x7bff, 0x0001, 0xfc00}),
            {1.5, 65504, std::ldexp(1, -24), -HUGE_VAL});
        row("BF16", raw<std::uint16_t>({0x3fc0, 0x7f7f, 0x0001, 0xff80}),
            {1.5, std::ldexp(255, 120), std::ldexp(1, -133), -HUGE_VAL});
        row("F32", raw<float>({0.25f}), {0.25});
        row("F64", raw<double>({0.1}), {0.1});
    }

    void readsEveryWidth() {
        QFETCH(QString, dtype);
        QFETCH(std::string, bytes);
        QFETCH(std::vector<double>, values);
        const std::string header =
            QString("{'a':{'dtype':'%1','shape':[%2],'data_offsets':[0,%3]}}")
                .arg(dtype, QString::number(values.size()), QString::number(bytes.size()))
                .toStdString();
        const auto file = Safetensors::parse(fileOf(header, bytes), "wide");
        QCOMPARE(file.tensor("a").size(), values.size());
        QCOMPARE(file.tensor("a").toDoubles(), values);
        QCOMPARE(QString::fromStdString(std::string(nameOf(file.tensor("a").type))), dtype);
        if (dtype == "U64")
            QCOMPARE(complaint([&] { file.tensor("a").toInts(); }),
                     "9223372036854775808 is too large a whole number");
    }

    void writesTheFormatByteForByte() {
        const std::vector<float> f = {1, -2};
        const std::vector<std::int64_t> i = {7};
        const std::string file =
            safetensorsFile({{"a", viewOf(f, {2, 1})}, {"i\"", viewOf(i, {})}}, {{"kind", "é"}});
        std::string header =
            "{'__metadata__':{'kind':'é'},"
            "'i\\'':{'dtype':'I64','shape':[],'data_offsets':[0,8]},"
            "'a':{'dtype':'F32','shape':[2,1],'data_offsets':[8,16]}}";
        header.append((8 - header.size() % 8) % 8, ' ');
        const auto expected = fileOf(header, raw<std::int64_t>({7}) + raw({1.f, -2.f}));
        QCOMPARE(QByteArray(file.data(), qsizetype(file.size())),
                 QByteArray(reinterpret_cast<const char*>(expected.data()), qsizetype(expected.size())));
    }

    void whatIsWrittenReadsBack() {
        const std::vector<double> d = {0.1, std::nan(""), -HUGE_VAL, -0.0};
        const std::vector<float> f(7, std::nextafter(1.f, 2.f));
        const std::vector<std::uint64_t> u = {std::numeric_limits<std::uint64_t>::max()};
        const std::vector<std::int32_t> i = {-1, 2};
        const std::map<std::string, TensorView> tensors = {{"", viewOf(d, {2, 2})},
                                                           {"none", viewOf(std::span<const float>(), {0, 3})},
                                                           {"f", viewOf(f, {7})},
                                                           {"u", viewOf(u, {1})},
                                                           {"i", viewOf(i, {1, 2, 1})}};
        const std::map<std::string, std::string> metadata = {{"a\nb", "{\"n\": 1}"}, {"", ""}};
        const auto read = Safetensors::parse(bytesOfText(safetensorsFile(tensors, metadata)), "again");
        QCOMPARE(read.metadata(), metadata);
        QCOMPARE(read.tensors().size(), tensors.size());
        for (const auto& [name, tensor] : tensors) {
            const TensorView& same = read.tensor(name);
            QCOMPARE(same.type, tensor.type);
            QCOMPARE(same.shape, tensor.shape);
            QVERIFY(std::ranges::equal(same.bytes, tensor.bytes));
        }
        QVERIFY(Safetensors::parse(bytesOfText(safetensorsFile({})), "empty").tensors().empty());
    }

    void referenceFilesSurviveReadingAndWriting() {
        const auto file = Safetensors::read(HEADSCOPE_TEST_DATA "/reference/prefix_copy_rope_h3.safetensors");
        const auto again =
            Safetensors::parse(bytesOfText(safetensorsFile(file.tensors(), file.metadata())), "again");
        QCOMPARE(again.metadata(), file.metadata());
        QCOMPARE(again.tensors().size(), file.tensors().size());
        for (const auto& [name, tensor] : file.tensors())
            QVERIFY(std::ranges::equal(again.tensor(name).bytes, tensor.bytes));
    }

    void aMovedFileKeepsItsTensors() {
        auto file = Safetensors::parse(
            fileOf("{'d':{'dtype':'F64','shape':[1],'data_offsets':[0,8]}}", raw({2.5})), "moved");
        const Safetensors other = std::move(file);
        QCOMPARE(other.tensor("d").toDoubles(), std::vector<double>{2.5});
    }

    void refusesWhatIsNotTheFormat_data() {
        QTest::addColumn<std::string>("header");
        QTest::addColumn<std::string>("data");
        QTest::addColumn<std::string>("sentence");
        const auto row = [](const char* name, std::string header, std::string data, std::string sentence) {
            QTest::newRow(name) << header << data << "bad: " + sentence;
        };
        const auto tensor = [](const char* dtype, const char* shape, const char* offsets) {
            return std::string("{'a':{'dtype':'") + dtype + "','shape':" + shape +
                   ",'data_offsets':" + offsets + "}}";
        };
        const std::string eight(8, '\0');
        row("no JSON", "{", "", "its header is not valid JSON");
        row("empty header", "", "", "its header is not valid JSON");
        row("trailing text", "{}x", "", "its header is not valid JSON");
        row("broken UTF-8", "{'\xff':{}}", "", "its header is not valid JSON");
        row("a list", "[]", "", "its header is not a JSON object");
        row("a number", "3", "", "its header is not a JSON object");
        row("a tensor that is a number", "{'a':3}", "", "the value of “a” in the header is not an object");
        row("deep JSON", "{'a':" + std::string(100'000, '['), "",
            "the value of “a” in the header is not an object");
        row("deep shape", "{'a':{'shape':" + std::string(100'000, '['), "",
            "the value of “shape” in “a” is not what the format allows");
        row("deep objects", "{'a':{'b':{'c':{}}}}", "",
            "the value of “b” in “a” is not what the format allows");
        row("unknown key", "{'a':{'color':'red'}}", "",
            "the value of “color” in “a” is not what the format allows");
        row("metadata of numbers", "{'__metadata__':{'n':3}}", "",
            "the value of “n” in “__metadata__” is not what the format allows");
        row("metadata twice", "{'__metadata__':{'n':'3','n':'4'}}", "", "“n” is there twice");
        row("missing keys", "{'a':{}}", "", "tensor “a” needs dtype, shape and data_offsets");
        row("unknown dtype", tensor("F8", "[1]", "[0,1]"), "x",
            "tensor “a” has the dtype “F8”: it must be BOOL, F64, F32, F16, BF16, or I or U with 8, 16, 32 "
            "or 64");
        row("dtype with an end", tensor("F32\\u0000", "[1]", "[0,1]"), "x",
            "tensor “a” has the dtype “F32?”: it must be BOOL, F64, F32, F16, BF16, or I or U with 8, 16, 32 "
            "or "
            "64");
        row("dtype twice", "{'a':{'dtype':'F32','dtype':'F64'}}", "",
            "the value of “dtype” in “a” is not what the format allows");
        row("shape twice", "{'a':{'shape':[1],'shape':[1]}}", "",
            "the value of “shape” in “a” is not what the format allows");
        row("negative shape", tensor("F32", "[-1]", "[0,4]"), "",
            "the value of “shape” in “a” is not what the format allows");
        row("broken shape", tensor("F32", "[1.5]", "[0,4]"), "",
            "the value of “shape” in “a” is not what the format allows");
        row("shape beyond 64 bits", tensor("F32", "[18446744073709551616]", "[0,4]"), "",
            "the value of “shape” in “a” is not what the format allows");
        row("null shape", tensor("F32", "null", "[0,4]"), "",
            "the value of “shape” in “a” is not what the format allows");
        row("too many dimensions", tensor("F32", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,4]"), "",
            "the value of “shape” in “a” is not what the format allows");
        row("one offset", tensor("F64", "[1]", "[0]"), eight,
            "the value of “data_offsets” in “a” is not what the format allows");
        row("three offsets", tensor("F64", "[1]", "[0,8,8]"), eight,
            "the value of “data_offsets” in “a” is not what the format allows");
        row("backward offsets", tensor("F64", "[1]", "[8,0]"), eight, "tensor “a” lies at bytes 8 to 0 of 8");
        row("out of range", tensor("F64", "[2]", "[0,16]"), eight, "tensor “a” lies at bytes 0 to 16 of 8");
        row("far out of range", tensor("F64", "[1]", "[18446744073709551608,18446744073709551615]"), eight,
            "tensor “a” lies at bytes 18446744073709551608 to 18446744073709551615 of 8");
        row("product overflows to the right size", tensor("F64", "[4611686018427387905,4]", "[0,8]"), eight,
            "the shape of tensor “a” is too large for any file");
        row("dtype size overflows", tensor("F64", "[2305843009213693952]", "[0,0]"), "",
            "the shape of tensor “a” is too large for any file");
        row("too few bytes", tensor("F64", "[1]", "[0,4]"), "abcd",
            "tensor “a” has 4 bytes and its shape needs 8");
        row("left over", tensor("F64", "[1]", "[0,8]"), eight + "z",
            "1 bytes at its end belong to no tensor");
        row("hole", tensor("F64", "[1]", "[4,12]"), eight + "abcd", "there is a hole before tensor “a”");
        row("name twice",
            "{'a':{'dtype':'F64','shape':[1],'data_offsets':[0,8]},'a':{'dtype':'F64','shape':[1],'data_"
            "offsets':[0,8]}}",
            eight, "“a” is there twice");
        row("overlap",
            "{'a':{'dtype':'F64','shape':[1],'data_offsets':[0,8]},'b':{'dtype':'F32','shape':[1],'data_"
            "offsets':[4,8]}}",
            eight, "tensor “b” overlaps another");
        row("long name", "{'" + std::string(79, 'n') + "é and more':3}", "",
            "the value of “" + std::string(79, 'n') + "…” in the header is not an object");
        row("name over two lines", "{'a\\nb':3}", "", "the value of “a?b” in the header is not an object");
    }

    void refusesWhatIsNotTheFormat() {
        QFETCH(std::string, header);
        QFETCH(std::string, data);
        QFETCH(std::string, sentence);
        const std::string said = complaint([&] { Safetensors::parse(fileOf(header, data), "bad"); });
        QCOMPARE(QString::fromStdString(said), QString::fromStdString(sentence));
    }

    void refusesWrongHeaderLengths() {
        const auto said = [](std::uint64_t length) {
            return complaint([&] { Safetensors::parse(fileOf("{}", "", length), "bad"); });
        };
        QCOMPARE(said(3), "bad: its header should have 3 bytes and the file has only 2 more");
        QCOMPARE(said(1ull << 63),
                 "bad: its header should have 9223372036854775808 bytes and the file has only 2 more");
        QCOMPARE(said(std::numeric_limits<std::uint64_t>::max()),
                 "bad: its header should have 18446744073709551615 bytes and the file has only 2 more");
        QCOMPARE(complaint([] { Safetensors::parse({}, "bad"); }),
                 "bad: 0 bytes are too few for a safetensors file");
        QCOMPARE(complaint([] { Safetensors::parse(std::vector<std::byte>(7), "bad"); }),
                 "bad: 7 bytes are too few for a safetensors file");
    }

    void everyTruncationOfAGoodFileIsRefused() {
        const auto good = fileOf("{'d':{'dtype':'F64','shape':[1],'data_offsets':[0,8]}}", raw({2.5}));
        QCOMPARE(Safetensors::parse(good, "good").tensors().size(), 1u);
        for (std::size_t size = 0; size < good.size(); ++size)
            QVERIFY_EXCEPTION_THROWN(
                Safetensors::parse({good.begin(), good.begin() + std::ptrdiff_t(size)}, "cut"), Refusal);
    }

    void readsEveryReferenceFile() {
        int files = 0;
        for (const auto& entry : std::filesystem::directory_iterator(HEADSCOPE_TEST_DATA "/reference")) {
            if (entry.path().extension() != ".safetensors") continue;
            const auto file = Safetensors::read(entry.path());
            QVERIFY(file.metadata().contains("kind"));
            for (const auto& [name, tensor] : file.tensors())
                for (const double value : tensor.toDoubles()) QVERIFY(std::isfinite(value));
            ++files;
        }
        QVERIFY(files >= 12);
    }
};

QTEST_APPLESS_MAIN(TestSafetensors)
#include "test_safetensors.moc"
