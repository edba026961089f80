#include <string>

#include <QtTest>

#include "engine/formats/attention_maps.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/npy.h"
#include "engine/training/session_file.h"
#include "tests/engine/formats/bytes.h"
#include "tests/refusal_of.h"

using namespace headscope;

class TestFileKind : public QObject {
    Q_OBJECT
private slots:
    void aFileOfAnotherKindIsNamed_data() {
        QTest::addColumn<QByteArray>("begin");
        QTest::addColumn<QString>("is");
        QTest::newRow("NPY") << QByteArray("\x93NUMPY\1\0", 8) << "a NumPy array (NPY)";
        QTest::newRow("ZIP") << QByteArray("PK\x03\x04") << "a ZIP archive, as NPZ and PyTorch files are";
        QTest::newRow("PNG") << QByteArray("\x89PNG\r\n\x1a\n") << "a picture";
        QTest::newRow("JPEG") << QByteArray("\xff\xd8\xff\xe0") << "a picture";
        QTest::newRow("PDF") << QByteArray("%PDF-1.4") << "a PDF document";
        QTest::newRow("gzip") << QByteArray("\x1f\x8b\x08") << "compressed by gzip";
        QTest::newRow("HDF5") << QByteArray("\x89HDF\r\n\x1a\n") << "an HDF5 file";
        QTest::newRow("pickle") << QByteArray("\x80\x02}q")
                                << "a Python pickle, which may run programs and is never read";
        QTest::newRow("SVG") << QByteArray("<?xml version=\"1.0\"?>") << "an XML or SVG document";
        QTest::newRow("JSON") << QByteArray(" {\n  \"seed\": 1,") << "JSON text";
    }

    void aFileOfAnotherKindIsNamed() {
        QFETCH(QByteArray, begin);
        QFETCH(QString, is);
        const QByteArray file = begin.leftJustified(64, ' ');
        const std::string text = file.toStdString();
        QCOMPARE(refusalOf([&] { parseSession(bytesOfText(text), "x"); }),
                 "x is " + is + ", not a session file");
        QCOMPARE(refusalOf([&] { Safetensors::parse(bytesOfText(text), "x"); }),
                 "x is " + is + ", not a safetensors file");
        if (!is.contains("NPY"))
            QCOMPARE(refusalOf([&] { parseNpy(bytesOfText(text), "x"); }),
                     "x is " + is + ", not an NPY file");
        if (!is.contains("NP"))
            QCOMPARE(refusalOf([&] { parseAttention(bytesOfText(text), "x"); }),
                     "x is " + is + ", not an NPY, an NPZ or a safetensors file");
    }

    void aSafetensorsFileIsOneWhateverItsLength() {
        std::string file(8, '\0');
        for (const unsigned char first : {'{', '[', '<', ' ', '%'}) {
            file[0] = static_cast<char>(first);
            const std::string whole = file + "{}" + std::string(first - 2u, ' ');
            QVERIFY(kindOf(bytesOfText(whole)) == FileKind::Safetensors);
            Safetensors::parse(bytesOfText(whole), "x");
        }
        QVERIFY(kindOf(bytesOfText("garbage, garbage")) == FileKind::Unknown);
        QVERIFY(kindOf({}) == FileKind::Unknown);
    }
};

QTEST_APPLESS_MAIN(TestFileKind)
#include "test_file_kind.moc"
