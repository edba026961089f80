#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <QtTest>

#include "engine/formats/npy.h"
#include "tests/engine/formats/bytes.h"

using namespace headscope;

namespace {

/// A file of that version whose header is exactly this.
std::vector<std::byte> npyOf(const std::string& header, const std::string& values, int version = 1) {
    std::string file = "\x93NUMPY";
    file += static_cast<char>(version);
    file += '\0';
    const std::size_t lengthBytes = version == 1 ? 2 : 4;
    for (std::size_t i = 0; i < lengthBytes; ++i) file += static_cast<char>(header.size() >> 8 * i & 0xff);
    return bytesOfText(file + header + values);
}

std::vector<std::byte> npyOf(const std::string& descr, bool fortran, const std::string& shape,
                             const std::string& values) {
    return npyOf("{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
                     ", 'shape': " + shape + ", }  \n",
                 values);
}

std::string reversed(std::string bytes) {
    std::ranges::reverse(bytes);
    return bytes;
}

}  // namespace

class TestNpy : public QObject {
    Q_OBJECT
private slots:
    void writesTheFormatByteForByte() {
        const std::vector<float> values = {0, 1, -2, 0.5f, 3, 4};
        const std::string file = npyFile(viewOf(values, {1, 2, 3}));
        const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3), }";
        QCOMPARE(file.size(), 128u + 24u);
        QCOMPARE(file.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));  // 118 bytes of header
        QCOMPARE(file.substr(10, header.size()), header);
        QCOMPARE(file.substr(10 + header.size(), 117 - header.size()), std::string(117 - header.size(), ' '));
        QCOMPARE(file[127], '\n');
        QVERIFY(std::memcmp(file.data() + 128, values.data(), 24) == 0);
        QCOMPARE(file.substr(132, 4), std::string("\x00\x00\x80\x3f", 4));  // 1.0f, little-endian
    }

    void writesShapesOfAnyRank_data() {
        QTest::addColumn<std::vector<std::size_t>>("shape");
        QTest::addColumn<QString>("text");
        QTest::newRow("scalar") << std::vector<std::size_t>{} << "()";
        QTest::newRow("vector") << std::vector<std::size_t>{1} << "(1, )";
        QTest::newRow("matrix") << std::vector<std::size_t>{1, 1} << "(1, 1)";
        QTest::newRow("many") << std::vector<std::size_t>(32, 1) << "(" + QString("1, ").repeated(31) + "1)";
    }

    void writesShapesOfAnyRank() {
        QFETCH(std::vector<std::size_t>, shape);
        QFETCH(QString, text);
        const std::vector<float> value = {7};
        const std::string file = npyFile(viewOf(value, shape));
        const auto header = std::size_t(std::uint8_t(file[8])) + 256u * std::size_t(std::uint8_t(file[9]));
        QCOMPARE((10 + header) % 64, 0u);
        QCOMPARE(file.size(), 10 + header + 4);
        QVERIFY(file.find("'shape': " + text.toStdString() + ", }") != std::string::npos);
        QCOMPARE(parseNpy(bytesOfText(file), "same").shape, shape);
    }

    void readsEveryTypeInEitherByteOrder_data() {
        QTest::addColumn<std::string>("name");
        QTest::addColumn<std::string>("bytes");
        QTest::addColumn<TensorType>("type");
        QTest::addColumn<double>("value");
        const auto row = [](const char* name, std::string bytes, TensorType type, double value) {
            QTest::newRow(name) << std::string(name) << bytes << type << value;
        };
        row("b1", "\1", TensorType::Bool, 1);
        row("u1", "\xfe", TensorType::U8, 254);
        row("i1", "\xfe", TensorType::I8, -2);
        row("u2", raw<std::uint16_t>({65534}), TensorType::U16, 65534);
        row("i2", raw<std::int16_t>({-2}), TensorType::I16, -2);
        row("u4", raw<std::uint32_t>({4000000000}), TensorType::U32, 4e9);
        row("i4", raw<std::int32_t>({-3}), TensorType::I32, -3);
        row("u8", raw<std::uint64_t>({1ull << 63}), TensorType::U64, 9223372036854775808.);
        row("i8", raw<std::int64_t>({-4}), TensorType::I64, -4);
        row("f2", raw<std::uint16_t>({0x3e00}), TensorType::F16, 1.5);
        row("f4", raw({0.75f}), TensorType::F32, 0.75);
        row("f8", raw({0.1}), TensorType::F64, 0.1);
    }

    void readsEveryTypeInEitherByteOrder() {
        QFETCH(std::string, name);
        QFETCH(std::string, bytes);
        QFETCH(TensorType, type);
        QFETCH(double, value);
        for (const char* order : {"<", "=", "", ">"}) {
            const bool big = *order == '>';
            const auto array =
                parseNpy(npyOf(order + name, false, "(1,)", big ? reversed(bytes) : bytes), "typed");
            QCOMPARE(array.type, type);
            QCOMPARE(array.view().toDoubles(), std::vector<double>{value});
            QVERIFY(array.bytes == bytesOfText(bytes));
        }
    }

    void readsWhatItWrites() {
        const std::vector<double> values = {std::nan(""), -0.0, HUGE_VAL, 1e-310, 0.1, 2};
        const TensorView tensor = viewOf(values, {3, 1, 2});
        const Array read = parseNpy(bytesOfText(npyFile(tensor)), "again");
        QCOMPARE(read.type, TensorType::F64);
        QCOMPARE(read.shape, tensor.shape);
        QVERIFY(std::ranges::equal(read.bytes, tensor.bytes));
    }

    void readsFortranOrder() {
        // a[i][j][k] = 100 i + 10 j + k, the first index running fastest.
        std::string fortran, rows;
        for (int k = 0; k < 4; ++k)
            for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 2; ++i)
                    fortran += raw<std::int16_t>({std::int16_t(100 * i + 10 * j + k)});
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 3; ++j)
                for (int k = 0; k < 4; ++k) rows += raw<std::int16_t>({std::int16_t(100 * i + 10 * j + k)});
        QVERIFY(parseNpy(npyOf("<i2", true, "(2, 3, 4)", fortran), "fortran").bytes == bytesOfText(rows));
        QVERIFY(parseNpy(npyOf("<i2", true, "(24,)", rows), "vector").bytes == bytesOfText(rows));
        QVERIFY(parseNpy(npyOf("<i2", true, "()", "ab"), "scalar").bytes == bytesOfText("ab"));
        QVERIFY(parseNpy(npyOf("<i2", true, "(0, 9)", ""), "none").bytes.empty());
        std::string big = fortran;
        for (std::size_t i = 0; i < big.size(); i += 2) std::swap(big[i], big[i + 1]);
        QVERIFY(parseNpy(npyOf(">i2", true, "(2, 3, 4)", big), "both").bytes == bytesOfText(rows));
    }

    void readsEveryVersionAndSpelling() {
        const std::string header = "{ \"shape\":(1L,2),'fortran_order':False , 'descr':'<f4'}";
        for (const int version : {1, 2, 3}) {
            const auto array = parseNpy(npyOf(header, raw({1.f, 2.f}), version), "spelled");
            QCOMPARE(array.shape, (std::vector<std::size_t>{1, 2}));
            QCOMPARE(array.view().toFloats(), (std::vector<float>{1, 2}));
        }
    }

    void refusesHeadersThatAreNot_data() {
        QTest::addColumn<std::string>("header");
        QTest::addColumn<std::string>("sentence");
        const auto row = [](const char* name, std::string header,
                            std::string sentence = "its header is not one of an NPY file") {
            QTest::newRow(name) << header << "bad: " + sentence;
        };
        const auto typed = [](const std::string& descr) {
            return "{'descr': " + descr + ", 'fortran_order': False, 'shape': (2,), }";
        };
        const auto shaped = [](const std::string& shape) {
            return "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
        };
        row("nothing", "");
        row("a list", "[]");
        row("open", "{");
        row("no keys", "{}");
        row("a key is missing", "{'descr': '<f4', 'shape': (2,), }");
        row("unknown key", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}");
        row("key twice", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'shape': (2,)}");
        row("open text", "{'descr");
        row("open type", "{'descr': '<f4");
        row("no comma", "{'descr': '<f4' 'fortran_order': False, 'shape': (2,), }");
        row("more after it", shaped("(2,)") + " 3");
        row("negative", shaped("(-2,)"));
        row("fraction", shaped("(2.0,)"));
        row("number beyond 64 bits", shaped("(18446744073709551616,)"));
        row("no tuple", shaped("2"));
        row("nested", shaped(std::string(60'000, '(')));
        row("open tuple", shaped("(2"));
        row("33 dimensions", shaped(QString("(%1)").arg(QString("1,").repeated(33)).toStdString()));
        row("order is a number", "{'descr': '<f4', 'fortran_order': 1, 'shape': (2,), }");
        row("code", "__import__('os').abort()");
        row("pickled", typed("'|O'"), "it holds pickled Python objects, which are never read");
        row("pickled, sized", typed("'|O8'"), "it holds pickled Python objects, which are never read");
        row("records", typed("[('a', '<f4')]"), "it holds records, not plain numbers");
        const std::string numbers = ": they must be numbers of up to 8 bytes";
        row("complex", typed("'<c16'"), "it holds values of the type “<c16”" + numbers);
        row("long double", typed("'<f16'"), "it holds values of the type “<f16”" + numbers);
        row("text", typed("'<U5'"), "it holds values of the type “<U5”" + numbers);
        row("times", typed("'<M8[ns]'"), "it holds values of the type “<M8[ns]”" + numbers);
        row("two orders", typed("'<>f4'"), "it holds values of the type “<>f4”" + numbers);
        row("no type", typed("''"), "it holds values of the type “”" + numbers);
        row("overflow to the right size", shaped("(4611686018427387905, 4)"),
            "its shape is too large for any file");
        row("element size overflows", shaped("(4611686018427387904,)"),
            "its shape is too large for any file");
        row("too few", shaped("(3,)"), "it has 8 bytes of values and its shape needs 12");
        row("too many", shaped("()"), "it has 8 bytes of values and its shape needs 4");
        row("a huge nothing", shaped("(0, 18446744073709551615)"),
            "it has 8 bytes of values and its shape needs 0");
    }

    void refusesHeadersThatAreNot() {
        QFETCH(std::string, header);
        QFETCH(std::string, sentence);
        const std::string eight(8, '\0');
        for (const int version : {1, 2})
            QCOMPARE(complaint([&] { parseNpy(npyOf(header, eight, version), "bad"); }), sentence);
    }

    void refusesBeginningsThatAreNot() {
        const auto said = [](const std::string& file) {
            return complaint([&] { parseNpy(bytesOfText(file), "bad"); });
        };
        QCOMPARE(said(""), "bad: this is not an NPY file");
        QCOMPARE(said("\x93NUMP"), "bad: this is not an NPY file");
        QCOMPARE(said("\x93NUMPY"), "bad: its NPY version must be 1.0, 2.0 or 3.0");
        QCOMPARE(said(std::string("\x93NUMPY\x04\0\0\0\0\0", 12)),
                 "bad: its NPY version must be 1.0, 2.0 or 3.0");
        QCOMPARE(said(std::string("\x93NUMPY\1\1\0\0", 10)), "bad: its NPY version must be 1.0, 2.0 or 3.0");
        QCOMPARE(said(std::string("\x93NUMPY\1\0\xff\xff{", 11)), "bad: it ends within its header");
        QCOMPARE(said(std::string("\x93NUMPY\2\0\xff\xff\xff\xff{", 13)), "bad: it ends within its header");
    }

    void everyTruncationOfAGoodFileIsRefused() {
        const std::vector<float> values = {1, 2};
        const auto good = bytesOfText(npyFile(viewOf(values, {2})));
        QCOMPARE(parseNpy(good, "good").view().size(), 2u);
        for (std::size_t size = 0; size < good.size(); ++size)
            QVERIFY_EXCEPTION_THROWN(parseNpy({good.begin(), good.begin() + std::ptrdiff_t(size)}, "cut"),
                                     Refusal);
    }
};

QTEST_APPLESS_MAIN(TestNpy)
#include "test_npy.moc"
