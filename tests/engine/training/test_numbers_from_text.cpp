#include <QtTest>

#include "engine/training/numbers_from_text.h"
#include "tests/refusal_of.h"

using namespace headscope;

class TestNumbersFromText : public QObject {
    Q_OBJECT
private slots:
    void numbers() {
        QCOMPARE(intFromText("--heads", "-12"), -12);
        QCOMPARE(doubleFromText("--threshold", "1.5e-3"), 1.5e-3);
        QCOMPARE(seedFromText("--seed", "18446744073709551615"), std::uint64_t(18446744073709551615u));
        QCOMPARE(intsFromText("--lags", "1,4,7"), (std::vector{1, 4, 7}));
        QCOMPARE(intsFromText("Heads", " 1 , 2,  40 "), (std::vector{1, 2, 40}));
    }

    void seedsAreRangesToo() {
        using Seeds = std::vector<std::uint64_t>;
        QCOMPARE(seedsFromText("Seeds", "1..5"), (Seeds{1, 2, 3, 4, 5}));
        QCOMPARE(seedsFromText("Seeds", "7, 2..4 ,9..9"), (Seeds{7, 2, 3, 4, 9}));
        const Seeds last = seedsFromText("Seeds", "18446744073709551614..18446744073709551615");
        QCOMPARE(last, (Seeds{18446744073709551614u, 18446744073709551615u}));
        QCOMPARE(seedsFromText("Seeds", "0..9999").size(), 10000u);
    }

    void refusals_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* text, const char* sentence) {
            QTest::newRow(text) << text << sentence;
        };
        row("", "Seeds is '': it must be a whole number, 0 or more");
        row("1,,2", "Seeds is '': it must be a whole number, 0 or more");
        row("-1", "Seeds is '-1': it must be a whole number, 0 or more");
        row("1 2", "Seeds is '1 2': it must be a whole number, 0 or more");
        row("1..", "Seeds is '': it must be a whole number, 0 or more");
        row("1..2..3", "Seeds has '1..2..3' in it: a range must be such as 1..5, of at most 10000");
        row("18446744073709551616", "Seeds is 18446744073709551616: that is out of range");
        row("2..1", "Seeds has '2..1' in it: a range must be such as 1..5, of at most 10000");
        row("0..10000", "Seeds has '0..10000' in it: a range must be such as 1..5, of at most 10000");
    }

    void refusals() {
        QFETCH(QString, text);
        QTEST(refusalOf([&] { seedsFromText("Seeds", text.toStdString()); }), "sentence");
    }

    void refusalsOfOtherNumbers() {
        QCOMPARE(refusalOf([] { intFromText("--heads", "4.0"); }),
                 "--heads is '4.0': it must be a whole number");
        QCOMPARE(refusalOf([] { intFromText("--heads", "99999999999"); }),
                 "--heads is 99999999999: that is out of range");
        QCOMPARE(refusalOf([] { doubleFromText("threshold", "0,5"); }),
                 "threshold is '0,5': it must be a number");
        QCOMPARE(refusalOf([] { intsFromText("--lags", "1;2"); }),
                 "--lags has '1;2' in it: it must be whole numbers with commas between");
    }
};

QTEST_APPLESS_MAIN(TestNumbersFromText)
#include "test_numbers_from_text.moc"
