#include <cstring>

#include <QtTest>

#include "engine/formats/npy.h"

using namespace headscope;

class TestNpy : public QObject {
    Q_OBJECT
private slots:
    void writesTheFormatByteForByte() {
        const std::vector<float> values = {0, 1, -2, 0.5f, 3, 4};
        const std::vector<std::size_t> shape = {1, 2, 3};
        const std::string file = npyFile(values, shape);
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
        QTest::newRow("many") << std::vector<std::size_t>(40, 1) << "(" + QString("1, ").repeated(39) + "1)";
    }

    void writesShapesOfAnyRank() {
        QFETCH(std::vector<std::size_t>, shape);
        QFETCH(QString, text);
        const std::vector<float> value = {7};
        const std::string file = npyFile(value, shape);
        const auto header = std::size_t(std::uint8_t(file[8])) + 256u * std::size_t(std::uint8_t(file[9]));
        QCOMPARE((10 + header) % 64, 0u);
        QCOMPARE(file.size(), 10 + header + 4);
        QVERIFY(file.find("'shape': " + text.toStdString() + ", }") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestNpy)
#include "test_npy.moc"
