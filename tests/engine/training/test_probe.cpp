#include <QtTest>

#include "engine/training/probe.h"

using namespace headscope;

class TestProbe : public QObject {
    Q_OBJECT
private slots:
    void whatFitsIsAccepted() {
        const ModelConfig model;  // V = 64, T = 12
        QVERIFY(problems(Probe{}, model).empty());
        const Probe full{.row = 31, .tokens = std::vector<int>(12, 63), .ripple = Ripple{11, 0}};
        QVERIFY(problems(full, model).empty());
        requireValid(full, model);
    }

    void whatDoesNotFitIsNamed_data() {
        QTest::addColumn<Probe>("probe");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("sentence");
        const auto tokens = [](std::size_t n, int token) {
            return Probe{.tokens = std::vector<int>(n, token)};
        };
        QTest::newRow("row low") << Probe{.row = -2} << "row"
                                 << "probe row is -2: it must be from -1 to 31";
        QTest::newRow("row high") << Probe{.row = 32} << "row"
                                  << "probe row is 32: it must be from -1 to 31";
        QTest::newRow("too few") << tokens(11, 0) << "tokens"
                                 << "11 probe tokens for a context length of 12";
        QTest::newRow("token") << tokens(12, 64) << "tokens"
                               << "probe token is 64: it must be from 0 to 63";
        QTest::newRow("negative") << tokens(12, -1) << "tokens"
                                  << "probe token is -1: it must be from 0 to 63";
        QTest::newRow("position") << Probe{.ripple = Ripple{12, 0}} << "ripple"
                                  << "ripple position is 12: it must be from 0 to 11";
        QTest::newRow("ripple token") << Probe{.ripple = Ripple{0, 64}} << "ripple"
                                      << "ripple token is 64: it must be from 0 to 63";
    }

    void whatDoesNotFitIsNamed() {
        QFETCH(Probe, probe);
        QFETCH(QString, field);
        QFETCH(QString, sentence);
        const auto found = problems(probe, ModelConfig{});
        QVERIFY(!found.empty());
        QCOMPARE(QString::fromUtf8(found[0].field.data(), qsizetype(found[0].field.size())), field);
        QCOMPARE(QString(found[0].refusal.what()), sentence);
        QVERIFY_EXCEPTION_THROWN(requireValid(probe, ModelConfig{}), Refusal);
    }
};

QTEST_APPLESS_MAIN(TestProbe)
#include "test_probe.moc"
