#include <cmath>
#include <functional>

#include <QtTest>

#include "engine/training/sweep_json.h"
#include "tests/engine/training/training_runs.h"
#include "tests/refusal_of.h"

using namespace headscope;

namespace {

/// Seconds of work.
Sweep smallSweep() {
    Sweep sweep;
    sweep.base = smallPrefixCopy();
    sweep.base.steps = 40;
    sweep.heads = {2, 4};
    sweep.scaling = {false, true};
    sweep.seeds = {7, 3, 5};
    return sweep;
}

}  // namespace

class TestSweep : public QObject {
    Q_OBJECT
private slots:
    void theGridIsHeadsThenScalingThenSeeds() {
        const Sweep sweep = smallSweep();
        const std::vector<Experiment> runs = runsOf(sweep);
        QCOMPARE(runs.size(), 12u);
        std::size_t i = 0;
        for (const int n_heads : {2, 4})
            for (const bool scaled : {false, true})
                for (const std::uint64_t seed : {7, 3, 5}) {
                    Experiment expected = sweep.base;
                    expected.model.n_heads = n_heads;
                    expected.model.scale_scores = scaled;
                    expected.seed = seed;
                    QVERIFY(runs[i++] == expected);
                }
    }

    // By the largest of its runs, which has the most heads.
    void runsAtOnceShareTheMemory() {
        Sweep sweep = smallSweep();
        QVERIFY(mostAtOnce(sweep) > 1000);
        sweep.base.model.context_length = 2048, sweep.base.batch_size = 64;
        sweep.heads = {1, 16};
        Experiment largest = sweep.base;
        largest.model.n_heads = 16;
        const int most = mostAtOnce(sweep);
        QVERIFY(most > 1 && most < 20);
        QVERIFY(most * gigabytesToTrain(largest) <= kMaxGigabytes);
        QVERIFY((most + 1) * gigabytesToTrain(largest) > kMaxGigabytes);
        std::swap(sweep.heads[0], sweep.heads[1]);
        QCOMPARE(mostAtOnce(sweep), most);
    }

    void partsShareTheGridOut() {
        const Sweep sweep = smallSweep();
        const std::vector<Experiment> all = runsOf(sweep);
        QVERIFY(runsOf(sweep, {1, 1}) == all);
        for (const int count : {2, 5, 12, 13}) {
            std::size_t runs = 0;
            for (int index = 1; index <= count; ++index) {
                const std::vector<Experiment> part = runsOf(sweep, {index, count});
                for (std::size_t i = 0; i < part.size(); ++i)
                    QVERIFY(part[i] == all[std::size_t(index - 1) + i * std::size_t(count)]);
                runs += part.size();
            }
            QCOMPARE(runs, all.size());
        }
    }

    void refusals_data() {
        QTest::addColumn<std::function<void(Sweep&)>>("change");
        QTest::addColumn<QString>("sentence");
        using Change = std::function<void(Sweep&)>;
        const auto row = [](const char* sentence, Change change) {
            QTest::newRow(sentence) << change << QString(sentence);
        };
        row("a sweep needs at least one of heads", [](Sweep& s) { s.heads.clear(); });
        row("a sweep needs at least one of scaling", [](Sweep& s) { s.scaling.clear(); });
        row("a sweep needs at least one of seeds", [](Sweep& s) { s.seeds.clear(); });
        row("a sweep has one of heads twice", [](Sweep& s) { s.heads = {2, 4, 2}; });
        row("a sweep has one of scaling twice", [](Sweep& s) { s.scaling = {true, true}; });
        row("a sweep has one of seeds twice", [](Sweep& s) { s.seeds = {1, 1}; });
        row("threshold 0 is not a positive finite number", [](Sweep& s) { s.threshold = 0; });
        row("threshold nan is not a positive finite number", [](Sweep& s) { s.threshold = std::nan(""); });
        row("n_heads 3 does not divide d_model 16", [](Sweep& s) { s.heads = {2, 3}; });
    }

    void refusals() {
        QFETCH(std::function<void(Sweep&)>, change);
        QFETCH(QString, sentence);
        Sweep sweep = smallSweep();
        QVERIFY(refusalOf([&] { requireValid(sweep); }).isEmpty());
        change(sweep);
        QCOMPARE(refusalOf([&] { requireValid(sweep); }), sentence);
    }

    // By the average as it is defined, from the losses of a trainer of its own.
    void aRunHasLearnedAtTheFirstStepBelowTheThreshold() {
        Experiment run = smallSweep().base;
        run.steps = 300;
        const SweepRow row = *sweepRun(run, 1.5);
        QVERIFY(row.outcome == SweepOutcome::Learned);
        QVERIFY(isRowOf(row, run));
        Trainer trainer(run);
        double average = 0;
        for (int step = 0; step <= row.step; ++step) {
            const double loss = double(trainer.step().loss);
            average = step == 0 ? loss : 0.9 * average + 0.1 * loss;
            QCOMPARE(average < 1.5, step == row.step);
        }
        QCOMPARE(row.least_loss, average);
        QVERIFY(*sweepRun(run, 1.5) == row);
    }

    void aThresholdAboveTheFirstLossIsReachedAtOnce() { QCOMPARE(sweepRun(smallSweep().base, 10)->step, 0); }

    void neverIsNotWithinTheSteps() {
        const SweepRow row = *sweepRun(smallSweep().base, 1e-6);
        QVERIFY(row.outcome == SweepOutcome::Never);
        QCOMPARE(row.step, 40);
        QVERIFY(row.least_loss > 1e-6 && row.least_loss < std::log(8.0) + 0.5);
    }

    void aRunThatDivergesSaysWhere() {
        Experiment run = smallSweep().base;
        run.learning_rate = 1e30;
        const SweepRow row = *sweepRun(run, 1e-6);
        QVERIFY(row.outcome == SweepOutcome::Diverged);
        QVERIFY(row.step > 0 && row.step < 40);
    }

    void nothingComesOfARunThatIsStopped() {
        int asked = 0;
        QVERIFY(!sweepRun(smallSweep().base, 1e-6, [&] { return ++asked == 5; }));
        QCOMPARE(asked, 5);
    }

    void aRowIsALineAndBack() {
        const SweepRow learned{4, 32, true, 18446744073709551615u, SweepOutcome::Learned, 82, 0.1};
        const SweepRow never{1, 128, false, 1, SweepOutcome::Never, 1000, 3.6900000000000004};
        const SweepRow diverged{1, 128, false, 1, SweepOutcome::Diverged, 0, HUGE_VAL};
        QCOMPARE(toCsvLine(learned), "4,32,on,18446744073709551615,learned,82,0.1\n");
        QCOMPARE(toCsvLine(never), "1,128,off,1,never,1000,3.6900000000000004\n");
        for (const SweepRow& row : {learned, never, diverged}) {
            std::string line = toCsvLine(row);
            line.pop_back();
            QVERIFY(fromCsvLine(line) == row);
        }
        QCOMPARE(sweepCsvHead(), std::string_view("n_heads,d_head,scaling,seed,outcome,step,least_loss\n"));
    }

    void linesThatAreNoRows_data() {
        QTest::addColumn<QByteArray>("line");
        for (const char* line :
             {"", "4,32,on,1,learned,82", "4,32,on,1,learned,82,0.1,", "x,32,on,1,learned,82,0.1",
              "4,32,yes,1,learned,82,0.1", "4,32,on,-1,learned,82,0.1", "4,32,on,1,soon,82,0.1",
              "4,32,on,1,learned,82,0.1 "})
            QTest::newRow(line) << QByteArray(line);
    }

    void linesThatAreNoRows() {
        QFETCH(QByteArray, line);
        QVERIFY(!fromCsvLine(line.toStdString()));
    }

    void rowsComeIntoTheOrderOfTheGrid() {
        const std::vector<Experiment> runs = runsOf(smallSweep());
        std::vector<SweepRow> rows;
        for (const std::size_t i : {5u, 0u, 3u}) {
            const ModelConfig& model = runs[i].model;
            rows.push_back({model.n_heads, model.d_head(), model.scale_scores, runs[i].seed});
        }
        const SweepRow foreign{16, 1, true, 7};
        const std::vector<SweepRow> given{rows[0], foreign, rows[1], rows[2]};
        QVERIFY(inOrder(given, runs) == (std::vector<SweepRow>{rows[1], rows[2], rows[0]}));
    }

    void aSweepIsJsonAndBack() {
        SweepPart part{smallSweep(), {2, 5}};
        part.sweep.seeds.push_back(18446744073709551615u);
        const SweepPart read = sweepPartFromJson(toJson(part));
        QVERIFY(runsOf(read.sweep) == runsOf(part.sweep));
        QVERIFY(read.shard == part.shard);
        QCOMPARE(read.sweep.threshold, 1.0);
        QCOMPARE(toJson(read), toJson(part));
        for (const char* text : {"", "[]", "{}", "{\"heads\": 4}"})
            QCOMPARE(refusalOf([&] { sweepPartFromJson(text); }), "it describes no sweep");
        const QString written = QString::fromStdString(toJson({smallSweep(), {1, 1}}));
        const auto refusalWith = [&](const QString& before, const QString& after) {
            QString changed = written;
            if (changed.replace(before, after) == written) return QString("nothing was changed");
            return refusalOf([&] { sweepPartFromJson(changed.toStdString()); });
        };
        QCOMPARE(refusalWith("        7,\n", "        7.5,\n"), "it describes no sweep");
        QCOMPARE(refusalWith("        7,\n", "        -7,\n"), "it describes no sweep");
        QCOMPARE(refusalWith("\"seeds\"", "\"more\": 1, \"seeds\""), "it describes no sweep");
    }

    void parts() {
        QVERIFY(shardFromText("2/5") == (Shard{2, 5}));
        for (const char* text : {"", "2", "/", "2/", "/5", "2/5x", "2 /5", "a/b"})
            QCOMPARE(refusalOf([&] { shardFromText(text); }),
                     QStringLiteral("'%1' is no part of a sweep: it must be such as 2/5").arg(text));
        for (const char* text : {"0/5", "6/5", "1/0", "-1/5"})
            QVERIFY(refusalOf([&] { shardFromText(text); }).startsWith("part "));
    }
};

QTEST_APPLESS_MAIN(TestSweep)
#include "test_sweep.moc"
