#include <QtTest>

#include "app/verify_command.h"

using namespace headscope;

class TestVerifyCommand : public QObject {
    Q_OBJECT
private slots:
    void aLineForEachCheckAndASum() {
        const EquivalenceSize size{.d_model = 8, .n_heads = 2, .context_length = 5, .seed = 7};
        const auto checks = checkEquivalences(size);
        const QStringList lines = equivalenceTable(size, checks).split(u'\n');
        QCOMPARE(lines.size(), 12);  // a head, nine checks, the sum, and nothing after it
        for (int i = 1; i <= 9; ++i) {
            QVERIFY2(lines[i].endsWith("  pass"), qPrintable(lines[i]));
            QVERIFY2(lines[i].size() <= 100, qPrintable(lines[i]));
        }
        QCOMPARE(lines[10], QString("9 of 9 hold (D=8 H=2 T=5 B=2, seed 7, double precision)"));
    }

    void whatDoesNotHoldIsMarked() {
        auto checks = checkEquivalences({});
        checks[3].error = 0.5;
        checks[8].error = NAN;
        const QString table = equivalenceTable({}, checks);
        const QStringList lines = table.split(u'\n');
        QVERIFY(lines[4].startsWith("a token changes no output before it"));
        QVERIFY(lines[4].contains("5.0e-01") && lines[4].endsWith("  FAIL"));
        QVERIFY(lines[9].endsWith("  FAIL"));
        QCOMPARE(table.count("pass"), 7);
        QVERIFY(lines[10].startsWith("7 of 9 hold"));
    }
};

QTEST_APPLESS_MAIN(TestVerifyCommand)
#include "test_verify_command.moc"
