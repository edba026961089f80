#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/ui/loss_charts.h"

using namespace headscope;

/// Which curves there are: the run, its twin and the ghosts, point by point.
class TestLossChart : public QObject {
    Q_OBJECT
private slots:
    void aTwinIsDrawnBesideTheRunAndBothAreNamed() {
        LossChart chart;
        Experiment unscaled = experiment();
        unscaled.model.scale_scores = false;
        chart.beginRun(experiment(), unscaled);
        QCOMPARE(chart.runLabels(), (QStringList{"scaled", "not scaled"}));
        QVERIFY(!chart.smoothedTwinLoss());
        chart.append(falling(3));
        chart.appendTwin(falling(2));
        chart.appendTwin({{2, 4.0f / 3, 0.5f}});
        QCOMPARE(*chart.smoothedTwinLoss(), *chart.smoothedLoss());  // the same losses
        chart.setCursorStep(1);
        QVERIFY2(chart.cursorText().endsWith(QStringLiteral("smoothed 3.8 against 3.8")),
                 qPrintable(chart.cursorText()));
        const auto shown = [](const QCPGraph* graph) { return graph->pen(); };
        const QCPGraph *run = nullptr, *twin = nullptr;
        for (int i = 0; i < plotOf(chart).graphCount(); ++i) {
            const QCPGraph* graph = plotOf(chart).graph(i);
            if (graph->pen().color() == Theme::light().heads[1]) twin = graph;
            if (graph->pen().color() == Theme::light().accent) run = graph;
        }
        QVERIFY(run && twin);
        QVERIFY(shown(run).style() != shown(twin).style());
    }

    void aRunWithItsTwinBecomesTwoGhosts() {
        LossChart chart;
        chart.beginRun(experiment(4), experiment(1));
        chart.append(falling(3));
        chart.appendTwin(falling(3));
        chart.beginRun(experiment(2));
        QCOMPARE(chart.ghostLabels(), (QStringList{"4 heads", "1 head"}));
        QCOMPARE(chart.runLabels(), QStringList{"2 heads"});
        chart.appendTwin(falling(3));  // there is none
        QVERIFY(!chart.smoothedTwinLoss());
        chart.beginRun(experiment(8), experiment(1));  // one without points leaves no ghost
        QCOMPARE(chart.ghostLabels().size(), 2);
        chart.beginRun(experiment(2));
        QCOMPARE(chart.ghostLabels(), (QStringList{"4 heads", "1 head"}));
    }

    void movingAverageIsExact() {
        LossChart chart;
        chart.beginRun(experiment());
        QVERIFY(!chart.smoothedLoss());
        chart.append({{0, 4, 0}, {1, 2, 0}});
        chart.append({{2, 1, 0.25f}});
        QCOMPARE(*chart.smoothedLoss(), 0.9 * (0.9 * 4 + 0.1 * 2) + 0.1 * 1);
        QCOMPARE(*chart.lastPoint(), (LossPoint{2, 1, 0.25f}));
        const QVector<double> raw = {4, 2, 1};
        const QVector<double> averages = {4, 3.8, 3.52};
        QCOMPARE(values(*plotOf(chart).graph(0)), raw);
        QCOMPARE(values(*plotOf(chart).graph(1)), averages);
    }

    void oneBatchOrManyIsTheSame() {
        LossChart whole, pieces;
        whole.beginRun(experiment());
        pieces.beginRun(experiment());
        whole.append(falling(50));
        for (const LossPoint& point : falling(50)) pieces.append({point});
        QCOMPARE(values(*plotOf(whole).graph(1)), values(*plotOf(pieces).graph(1)));
    }

    void lossesThatAreNotFiniteAreNotDrawn() {
        LossChart chart;
        chart.beginRun(experiment());
        chart.append({{0, 4, 0}, {1, std::numeric_limits<float>::quiet_NaN(), 0}, {2, 2, 1}});
        chart.append({{3, std::numeric_limits<float>::infinity(), 0}});
        const QVector<double> raw = {4, 2};
        QCOMPARE(values(*plotOf(chart).graph(0)), raw);
        QCOMPARE(*chart.smoothedLoss(), 3.8);
        QCOMPARE(chart.lastPoint()->accuracy, 1);
    }

    void newestFourRunsStayAsGhosts() {
        LossChart chart;
        for (int heads : {1, 2, 4, 8, 16, 32}) {
            chart.beginRun(experiment(heads));
            chart.append(falling(10));
        }
        QCOMPARE(chart.ghostCount(), 4);
        QCOMPARE(chart.ghostLabels(), QStringList({"16 heads", "8 heads", "4 heads", "2 heads"}));
        chart.clearGhosts();
        QCOMPARE(chart.ghostCount(), 0);
        QVERIFY(!chart.isEmpty());
        QCOMPARE(plotOf(chart).graphCount(), 2);
    }

    void ghostsGoOnInAnotherChart() {
        LossChart chart, other;
        for (int heads : {1, 2, 4, 8, 16, 32}) {
            chart.beginRun(experiment(heads));
            chart.append(falling(10));
        }
        other.beginRun(experiment(16));  // a ghost of its own, which gives way
        other.append(falling(4));
        other.beginRun(experiment(32));
        other.append(falling(10));
        other.setGhosts(chart.ghosts());
        QCOMPARE(other.ghostLabels(), QStringList({"16 heads", "8 heads", "4 heads", "2 heads"}));
        const auto curves = [](const LossChart& of) {
            std::vector<std::pair<QVector<double>, Qt::PenStyle>> drawn;
            for (int i = 0; i < plotOf(of).graphCount(); ++i)
                drawn.emplace_back(values(*plotOf(of).graph(i)), plotOf(of).graph(i)->pen().style());
            std::sort(drawn.begin(), drawn.end());
            return drawn;
        };
        QVERIFY(curves(other) == curves(chart));
        for (LossChart* each : {&chart, &other}) {  // and the next one gets the same dash
            each->beginRun(experiment(1));
            each->append(falling(10));
        }
        QVERIFY(curves(other) == curves(chart));
    }

    void runsWithoutPointsLeaveNoGhost() {
        LossChart chart;
        chart.beginRun(experiment(1));
        chart.beginRun(experiment(2));
        QCOMPARE(chart.ghostCount(), 0);
        QCOMPARE(chart.experiment()->model.n_heads, 2);
    }

    void sameExperimentAgainIsAnEarlierRun() {
        LossChart chart;
        for (int i = 0; i < 2; ++i) {
            chart.beginRun(experiment());
            chart.append(falling(3));
        }
        QCOMPARE(chart.ghostLabels(), QStringList("earlier run"));
    }

    void longGhostsAreThinnedToTheirExtremes() {
        LossChart chart;
        chart.beginRun(experiment(1, 100'000));
        auto points = falling(100'000);
        points[70'000].loss = 500;
        chart.append(points);
        chart.beginRun(experiment(2));
        const QCPGraph& ghost = *plotOf(chart).graph(1);
        QCOMPARE(ghost.data()->size(), 20'000);
        const QVector<double> kept = values(ghost);
        QVERIFY(*std::max_element(kept.begin(), kept.end()) > 50);
        QVERIFY(std::is_sorted(ghost.data()->constBegin(), ghost.data()->constEnd(),
                               [](const auto& a, const auto& b) { return a.key < b.key; }));
    }

    void endlessRunsStayBoundedAndKeepTheirNewestPoints() {
        LossChart chart;
        chart.beginRun(experiment(1, 4'000'000));
        double average = 0;
        for (int batch = 0; batch < 40; ++batch) {
            std::vector<LossPoint> points;
            for (int i = 0; i < 100'000; ++i) {
                const std::int64_t step = batch * 100'000 + i;
                const float loss = step == 12'345 ? 50.0f : static_cast<float>(1 + step % 7);
                average = step == 0 ? loss : 0.9 * average + 0.1 * loss;
                points.push_back({step, loss, static_cast<float>(step % 5) / 4});
            }
            chart.append(points);
            QVERIFY(plotOf(chart).graph(0)->data()->size() <= 400'000);
            QVERIFY(plotOf(chart).graph(1)->data()->size() <= 400'000);
        }
        QCOMPARE(*chart.smoothedLoss(), average);
        const auto& points = *plotOf(chart).graph(0)->data();
        for (const double from : {0.0, 2'000'000.0})  // old steps fade evenly
            QVERIFY(points.findBegin(from + 400'000) - points.findBegin(from) > 8'000);
        for (const std::int64_t step : {12'345, 3'999'998}) {  // a spike long ago, and one of the newest
            chart.setCursorStep(step);
            QCOMPARE(chart.cursorText(), QStringLiteral("step %1 · loss %2 · accuracy %3 %")
                                             .arg(step)
                                             .arg(step == 12'345 ? 50 : 1 + step % 7)
                                             .arg(std::lround(static_cast<double>(step % 5) / 4 * 100)));
        }
    }

    void changesAndEndsAreMarked() {
        LossChart chart;
        chart.resize(600, 200);
        chart.beginRun(experiment());
        chart.append(falling(50));
        Experiment e = experiment();
        e.model.scale_scores = false;
        chart.carryOn(e, 50);
        chart.markDiverged(80);
        QVERIFY(chart.description().contains("Step 50: not scaled. Step 80: diverged at step 80."));
        QCOMPARE(*chart.experiment(), e);
        QCOMPARE(chart.ghostCount(), 0);
        chart.beginRun(experiment());
        QCOMPARE(chart.ghostLabels(), QStringList("not scaled"));
        QCOMPARE(chart.description(), "No loss yet.");
    }

    void frozenCopyStaysAsItWas() {
        LossChart chart;
        chart.beginRun(experiment());
        chart.append(falling(10));
        const auto copy = chart.frozenCopy();
        chart.append({{10, 1, 1}});
        chart.beginRun(experiment(1));
        QCOMPARE(copy->lastPoint()->step, 9);
        QCOMPARE(copy->experiment()->model.n_heads, 4);
        QCOMPARE(copy->ghostCount(), 0);
    }
};

QTEST_MAIN(TestLossChart)
#include "test_loss_chart.moc"
