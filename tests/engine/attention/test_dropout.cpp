#include <QtTest>

#include "engine/attention/dropout.h"

using namespace headscope;

namespace {

std::vector<float> applied(const Dropout& dropout, std::size_t count, std::uint64_t first = 0) {
    std::vector<float> values(count, 1);
    dropout.apply(std::span(values), first);
    return values;
}

}  // namespace

class TestDropout : public QObject {
    Q_OBJECT
private slots:
    void keepsEverythingByDefault() {
        QVERIFY(!Dropout());
        QVERIFY(!Dropout(0, 5));
        QVERIFY(applied(Dropout(), 100) == std::vector<float>(100, 1));
        QVERIFY(applied(Dropout(0, 5), 100) == std::vector<float>(100, 1));
    }

    void dropsItsShareAndScalesTheRest_data() {
        QTest::addColumn<double>("p");
        for (const double p : {0.01, 0.1, 0.5, 0.9}) QTest::addRow("%g", p) << p;
    }

    void dropsItsShareAndScalesTheRest() {
        QFETCH(double, p);
        constexpr int n = 100000;
        int dropped = 0;
        for (const float value : applied(Dropout(p, 3), n)) {
            if (value == 0)
                ++dropped;
            else
                QCOMPARE(value, float(1 / (1 - p)));
        }
        QVERIFY(std::abs(dropped - n * p) <= 5 * std::sqrt(n * p * (1 - p)));
    }

    void anElementsFateIsItsOwn() {
        const Dropout dropout(0.3, 7);
        const auto whole = applied(dropout, 1000);
        for (std::size_t i = 0; i < whole.size(); ++i) {
            QCOMPARE(applied(dropout, 1, i)[0], whole[i]);
            QCOMPARE(dropout.keeps(i), whole[i] != 0);
        }
    }

    void seedsDiffer() { QVERIFY(applied(Dropout(0.5, 1), 1000) != applied(Dropout(0.5, 2), 1000)); }

    void whatIsNotANumberStaysSo() {
        std::vector<float> values(200, NAN);
        Dropout(0.5, 1).apply(std::span(values), 0);
        for (const float value : values) QVERIFY(std::isnan(value));
    }
};

QTEST_APPLESS_MAIN(TestDropout)
#include "test_dropout.moc"
