#include <QtTest>

#include "engine/inspection/equivalence.h"
#include "engine/numeric/refusal.h"

using namespace headscope;

namespace {

const char* const kNames[] = {"separate projections",   "per-head loops",     "blockwise",
                              "causal by perturbation", "causal by gradient", "rows sum to one",
                              "split then merge",       "gradients reach",    "complex step"};

QString refusalOf(const EquivalenceSize& size) {
    try {
        requireValid(size);
    } catch (const Refusal& refusal) {
        return QString::fromUtf8(refusal.what());
    }
    return "accepted";
}

}  // namespace

class TestEquivalence : public QObject {
    Q_OBJECT
private slots:
    void everyCheckPasses_data() {
        QTest::addColumn<EquivalenceSize>("size");
        const auto row = [](EquivalenceSize size) {
            QTest::addRow("D%d H%d T%d B%d seed %d", size.d_model, size.n_heads, size.context_length,
                          size.batch_rows, int(size.seed))
                << size;
        };
        row({});
        row({.seed = 2});
        row({8, 1, 2, 1, 1});
        row({6, 6, 5, 3, 4});
        row({15, 5, 20, 1, 5});
        row({1, 1, 3, 2, 6});
        row({16, 2, 150, 1, 7});
    }

    void everyCheckPasses() {
        QFETCH(EquivalenceSize, size);
        const auto checks = checkEquivalences(size);
        QCOMPARE(checks.size(), std::size(kNames));
        for (std::size_t i = 0; i < checks.size(); ++i) {
            QCOMPARE(int(checks[i].what), int(i));
            QVERIFY2(checks[i].passed(), qPrintable(QString("%1: %2, allowed %3")
                                                        .arg(kNames[i])
                                                        .arg(checks[i].error)
                                                        .arg(checks[i].allowed)));
        }
    }

    void theSameSeedGivesTheSameTable() {
        const auto once = checkEquivalences({}), again = checkEquivalences({});
        for (std::size_t i = 0; i < once.size(); ++i) QCOMPARE(once[i].error, again[i].error);
    }

    void eachCheckFailsWhenItsOwnResultIsBroken_data() {
        QTest::addColumn<int>("broken");
        QTest::addColumn<double>("by");
        for (int i = 0; i < int(std::size(kNames)); ++i)
            for (const double by : {1e-6, double(NAN)}) QTest::addRow("%s by %g", kNames[i], by) << i << by;
    }

    /// One number of what a check judges is another: that check fails, and no other does.
    void eachCheckFailsWhenItsOwnResultIsBroken() {
        QFETCH(int, broken);
        QFETCH(double, by);
        const auto checks = checkEquivalences({}, [&](Equivalence what, Matrix<double>& computed) {
            if (int(what) != broken) return;
            // A parameter that no gradient reaches is one whose gradient is 0.
            if (what == Equivalence::GradientsReachEveryParameter && !std::isnan(by))
                computed(0, 5) = 0;
            else
                computed(0, computed.cols() / 2) += by;
        });
        for (const EquivalenceCheck& check : checks) QCOMPARE(check.passed(), int(check.what) != broken);
    }

    void everyGradientCounts() {
        for (const auto broken :
             {Equivalence::SeparateProjections, Equivalence::PerHeadLoops, Equivalence::Blockwise})
            for (int which = 0; which < 6; ++which) {  // attn_out and five gradients
                int judged = 0;
                const auto checks = checkEquivalences({}, [&](Equivalence what, Matrix<double>& computed) {
                    if (what == broken && judged++ == which) computed(0, 0) += 1e-6;
                });
                QCOMPARE(judged, 6);
                QVERIFY(!checks[std::size_t(broken)].passed());
            }
    }

    void aLaterTokenThatChangesNothingFails() {
        for (const auto what : {Equivalence::CausalByPerturbation, Equivalence::CausalByGradient}) {
            const auto checks = checkEquivalences({}, [&](Equivalence at, Matrix<double>& computed) {
                if (at == what) computed(1, 3) = 0;
            });
            QVERIFY(!checks[std::size_t(what)].passed());
        }
    }

    void sizesThatCannotBeAreRefused() {
        QCOMPARE(refusalOf({}), QString("accepted"));
        QCOMPARE(refusalOf({.n_heads = 5}), QString("n_heads 5 does not divide d_model 32"));
        QCOMPARE(refusalOf({.context_length = 1}), QString("context_length is 1: it must be from 2 to 256"));
        QCOMPARE(refusalOf({.batch_rows = 0}), QString("batch_rows is 0: it must be from 1 to 64"));
        QCOMPARE(refusalOf({.d_model = 1024}), QString("d_model is 1024: it must be from 1 to 256"));
        QCOMPARE(
            refusalOf({.d_model = 256, .n_heads = 256, .context_length = 256}),
            QString("checking 33554432 attention weights takes too long: at most 4194304, so fewer rows, "
                    "heads or tokens"));
    }
};

QTEST_APPLESS_MAIN(TestEquivalence)
#include "test_equivalence.moc"
