#include <cmath>
#include <limits>

#include <QAccessible>
#include <QTest>
#include <QWheelEvent>
#include <qcustomplot.h>

#include "ui/loss_chart.h"
#include "ui/theme.h"

using namespace headscope;

namespace {

Experiment experiment(int heads = 4, int steps = 100) {
    Experiment e;
    e.model.n_heads = heads;
    e.steps = steps;
    return e;
}

std::vector<LossPoint> falling(int steps) {
    std::vector<LossPoint> points;
    for (int i = 0; i < steps; ++i) points.push_back({i, 4.0f / static_cast<float>(1 + i), 0.5f});
    return points;
}

QCustomPlot& plotOf(const LossChart& chart) { return *chart.findChild<QCustomPlot*>(); }

QVector<double> values(const QCPGraph& graph) {
    QVector<double> values;
    for (const QCPGraphData& point : *graph.data()) values << point.value;
    return values;
}

int pixelsOf(const QImage& image, const QColor& color) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == color.rgb();
    return count;
}

QImage painted(const LossChart& chart, const QSize& size, const Theme& theme) {
    QImage image(size, QImage::Format_RGB32);
    image.fill(theme.card);
    QCPPainter painter(&image);
    chart.paint(painter, image.rect(), theme, chart.font());
    return image;
}

}  // namespace

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

    void aClickChoosesItsStepAndADragDoesNot() {
        LossChart chart;
        chart.resize(600, 200);
        chart.beginRun(experiment());
        chart.append(falling(100));
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        std::vector<std::int64_t> chosen;
        connect(&chart, &LossChart::stepChosen, this, [&](std::int64_t step) { chosen.push_back(step); });
        QCustomPlot& plot = plotOf(chart);
        plot.replot(QCustomPlot::rpImmediateRefresh);
        const QPoint at(int(std::lround(plot.xAxis->coordToPixel(40))), plot.height() / 2);
        QTest::mouseClick(&plot, Qt::LeftButton, {}, at);
        QCOMPARE(chosen, std::vector<std::int64_t>{40});
        QTest::mousePress(&plot, Qt::LeftButton, {}, at);
        QTest::mouseMove(&plot, at + QPoint(80, 20));
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, at + QPoint(80, 20));
        QCOMPARE(chosen.size(), std::size_t{1});
    }

    void theCursorRestsAtTheStepGoneBackTo() {
        LossChart chart;
        chart.beginRun(experiment());
        chart.append(falling(100));
        chart.restCursorAt(30);
        QVERIFY(chart.cursorText().startsWith(QStringLiteral("step 30 ")));
        chart.setCursorStep(50);  // the pointer passes
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&plotOf(chart), &leave);
        QVERIFY(chart.cursorText().startsWith(QStringLiteral("step 30 ")));
        chart.restCursorAt({});
        QVERIFY(chart.cursorText().isEmpty());
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

    void axesSpanTheRunFromZero() {
        LossChart chart;
        chart.resize(600, 200);
        chart.beginRun(experiment(4, 400));
        chart.append(falling(10));
        plotOf(chart).replot();
        QCOMPARE(plotOf(chart).xAxis->range(), QCPRange(0, 400));
        QCOMPARE(plotOf(chart).yAxis->range().lower, 0);
        QVERIFY(plotOf(chart).yAxis->range().upper > std::log(64));
        chart.append({{1000, 1, 0}});
        plotOf(chart).replot();
        QCOMPARE(plotOf(chart).xAxis->range(), QCPRange(0, 1100));
    }

    void chanceIsWrittenAndDrawn() {
        LossChart chart;
        chart.setPalette(Theme::light().palette());
        chart.resize(600, 200);
        chart.beginRun(experiment());
        chart.append(falling(10));
        chart.show();
        plotOf(chart).replot();
        QStringList texts;
        for (int i = 0; i < plotOf(chart).itemCount(); ++i)
            if (auto* text = qobject_cast<QCPItemText*>(plotOf(chart).item(i))) texts << text->text();
        QVERIFY(texts.contains("chance ln 64 = 4.16"));
        QVERIFY(texts.contains("4 heads"));
        const QImage image = painted(chart, {600, 200}, Theme::light());
        QVERIFY(pixelsOf(image, Theme::light().warning) > 100);
    }

    void labelsNeverCoverEachOther() {
        LossChart chart;
        chart.resize(600, 200);
        chart.show();
        for (int heads : {1, 2, 4, 8, 16}) {  // all end at the same loss
            chart.beginRun(experiment(heads));
            chart.append(falling(100));
        }
        plotOf(chart).replot();
        std::vector<double> heights;
        for (int i = 0; i < plotOf(chart).itemCount(); ++i) {
            auto* text = qobject_cast<QCPItemText*>(plotOf(chart).item(i));
            if (!text || !text->visible() || !text->text().contains("head")) continue;
            heights.push_back(text->position->coords().y());
            QVERIFY(text->right->pixelPosition().x() <= plotOf(chart).width());
        }
        QCOMPARE(heights.size(), 5u);
        std::sort(heights.begin(), heights.end());
        for (std::size_t i = 1; i < heights.size(); ++i)
            QVERIFY(heights[i] - heights[i - 1] >=
                    QFontMetricsF(plotOf(chart).xAxis->tickLabelFont()).height() - 1);
    }

    /// However early a run was ended, and however little room there is.
    void ghostsAreLabeledBesideTheCurvesNotOverThem() {
        for (const QSize size : {QSize(640, 200), QSize(480, 110), QSize(220, 80)}) {
            LossChart chart;
            chart.resize(size);
            chart.show();
            for (int run = 0; run < 10; ++run) {
                Experiment e = experiment(1 << run % 4);
                e.model.scale_scores = run % 2 == 0;
                e.learning_rate = 0.001f * static_cast<float>(1 + run);
                chart.beginRun(e);
                chart.append(falling(10 + 9 * run));
            }
            QCustomPlot& plot = plotOf(chart);
            plot.replot();
            std::vector<QRectF> boxes;
            for (int i = 0; i < plot.itemCount(); ++i) {
                const auto* text = qobject_cast<QCPItemText*>(plot.item(i));
                if (!text || !text->visible() || text->color() != Theme::light().mutedText) continue;
                if (text->text().isEmpty() || text->layer()->name() != "labels") continue;
                boxes.emplace_back(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
                QVERIFY(QRectF(plot.rect()).contains(boxes.back()));
                QVERIFY(boxes.back().left() >= plot.axisRect()->right());
                for (std::size_t j = 0; j + 1 < boxes.size(); ++j)
                    QVERIFY(!boxes[j].intersects(boxes.back().adjusted(0, 1, 0, -1)));
            }
            if (size.height() > 80) QCOMPARE(boxes.size(), std::size_t{LossChart::kGhosts});
            if (size.height() == 80) QVERIFY(boxes.size() >= 3);
            QCOMPARE(chart.ghostLabels().size(), qsizetype{LossChart::kGhosts});
        }
    }

    void whatChanceIsNeverLiesUnderTheEndOfACurve() {
        LossChart chart;
        chart.resize(600, 200);
        chart.show();
        chart.beginRun(experiment(4, 12));
        for (std::int64_t step = 0; step < 12; ++step) {
            chart.append({{step, static_cast<float>(std::log(64)), 0}});
            plotOf(chart).replot();
            QRectF chance, label;
            for (int i = 0; i < plotOf(chart).itemCount(); ++i) {
                auto* text = qobject_cast<QCPItemText*>(plotOf(chart).item(i));
                if (!text || !text->visible()) continue;
                QRectF& box = text->text().startsWith("chance") ? chance : label;
                if (text->text().startsWith("chance") || text->text().contains("heads"))
                    box = {text->topLeft->pixelPosition(), text->bottomRight->pixelPosition()};
            }
            QVERIFY(chance.width() > 50 && label.width() > 20);
            QVERIFY2(!chance.intersects(label), qPrintable(QString::number(step)));
        }
    }

    void wheelZoomsInsideWhatThereIs() {
        LossChart chart;
        chart.resize(600, 200);
        chart.show();
        chart.beginRun(experiment());
        chart.append(falling(100));
        QCustomPlot& plot = plotOf(chart);
        plot.replot();
        const QCPRange home = plot.xAxis->range();
        const auto wheel = [&](int delta) {
            const QPointF at = plot.axisRect()->center();
            QWheelEvent event(at, plot.mapToGlobal(at), {}, {0, delta}, {}, {}, Qt::NoScrollPhase, false);
            QCoreApplication::sendEvent(&plot, &event);
        };
        wheel(240);
        plot.replot();
        QVERIFY(plot.xAxis->range().size() < home.size());
        const QCPRange zoomed = plot.xAxis->range();
        chart.append({{100, 0.01f, 1}});
        plot.replot();
        QCOMPARE(plot.xAxis->range(), zoomed);  // new points do not move it
        for (int i = 0; i < 20; ++i) wheel(-240);
        plot.replot();
        QCOMPARE(plot.xAxis->range().lower, 0);
        QVERIFY(plot.xAxis->range().upper <= 110.1);
        for (int i = 0; i < 60; ++i) wheel(240);
        QVERIFY(plot.xAxis->range().size() >= 4 - 1e-9);
        QTest::mouseDClick(&plot, Qt::LeftButton, {}, plot.axisRect()->center());
        plot.replot();
        QCOMPARE(plot.xAxis->range().lower, 0);
        QVERIFY(plot.xAxis->range().upper >= 100);
    }

    void dragZoomsToARectangle() {
        LossChart chart;
        chart.resize(600, 200);
        chart.show();
        chart.beginRun(experiment());
        chart.append(falling(100));
        QCustomPlot& plot = plotOf(chart);
        plot.replot();
        const QPoint from(static_cast<int>(plot.xAxis->coordToPixel(20)), plot.axisRect()->top() + 20);
        const QPoint to(static_cast<int>(plot.xAxis->coordToPixel(40)), plot.axisRect()->top() + 80);
        QTest::mousePress(&plot, Qt::LeftButton, {}, from);
        QTest::mouseMove(&plot, from + QPoint(20, 20));
        QTest::mouseMove(&plot, to);
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, to);
        QVERIFY(std::abs(plot.xAxis->range().lower - 20) < 0.5);
        QVERIFY(std::abs(plot.xAxis->range().upper - 40) < 0.5);
    }

    void cursorTellsStepLossAndAccuracy() {
        LossChart chart;
        chart.resize(600, 200);
        chart.beginRun(experiment());
        chart.append({{0, 4, 0}, {1, 2, 0.5f}, {2, 0.01234f, 1}});
        chart.setCursorStep(1);
        QCOMPARE(chart.cursorText(), "step 1 · loss 2 · accuracy 50 %");
        chart.setCursorStep(99);
        QCOMPARE(chart.cursorText(), "step 2 · loss 0.0123 · accuracy 100 %");
        chart.setCursorStep({});
        QCOMPARE(chart.cursorText(), QString());
        QTest::keyClick(&chart, Qt::Key_End);
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(chart.cursorText(), "step 1 · loss 2 · accuracy 50 %");
        QTest::keyClick(&chart, Qt::Key_Home);
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(chart.cursorText(), "step 0 · loss 4 · accuracy 0 %");
        QTest::keyClick(&chart, Qt::Key_Escape);
        QCOMPARE(chart.cursorText(), QString());
    }

    void theBubbleCoversNoLabel() {
        LossChart chart;
        chart.resize(640, 200);
        chart.show();
        Experiment twin = experiment();
        twin.model.scale_scores = false;
        chart.beginRun(experiment(), twin);
        chart.append(falling(60));
        chart.appendTwin(falling(60));
        chart.mark(20, [] { return QStringLiteral("head 2 muted"); });
        QCustomPlot& plot = plotOf(chart);
        const auto boxesOn = [&plot](const char* layer) {
            std::vector<QRectF> boxes;
            for (int i = 0; i < plot.itemCount(); ++i) {
                const auto* text = qobject_cast<QCPItemText*>(plot.item(i));
                if (text && text->visible() && text->layer()->name() == layer && !text->text().isEmpty())
                    boxes.emplace_back(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
            }
            return boxes;
        };
        for (int step = 0; step < 60; step += 2) {
            chart.setCursorStep(step);
            plot.replot();
            const auto bubbles = boxesOn("overlay");
            QCOMPARE(bubbles.size(), 1u);
            QVERIFY(QRectF(plot.rect()).contains(bubbles[0]));
            for (const QRectF& label : boxesOn("labels")) QVERIFY(!label.intersects(bubbles[0]));
        }
    }

    void pointerMovesTheCursor() {
        LossChart chart;
        chart.resize(600, 200);
        chart.show();
        chart.beginRun(experiment());
        chart.append(falling(100));
        QCustomPlot& plot = plotOf(chart);
        plot.replot();
        const QPoint at(static_cast<int>(std::lround(plot.xAxis->coordToPixel(30))),
                        plot.axisRect()->center().y());
        QTest::mouseMove(&plot, at);
        QTRY_VERIFY(chart.cursorText().startsWith("step 30 "));
    }

    void marksSpeakTheLanguageOfThePicture() {
        QString language = "muted";
        LossChart chart;
        chart.beginRun(experiment());
        chart.append(falling(50));
        chart.mark(20, [&language] { return language; });
        language = "stumm";
        const auto copy = chart.frozenCopy();
        QVERIFY(copy->description().contains("Step 20: stumm."));
        const auto labels = plotOf(*copy).findChildren<QCPItemText*>();
        QVERIFY(
            std::any_of(labels.begin(), labels.end(), [](auto* label) { return label->text() == "stumm"; }));
        QEvent change(QEvent::LanguageChange);
        QCoreApplication::sendEvent(&chart, &change);
        const auto own = plotOf(chart).findChildren<QCPItemText*>();
        QVERIFY(std::any_of(own.begin(), own.end(), [](auto* label) { return label->text() == "stumm"; }));
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

    void screenReadersHearTheLoss() {
        LossChart chart;
        chart.beginRun(experiment(1));
        chart.append(falling(3));
        chart.beginRun(experiment(4));
        chart.append({{0, 4, 0.125f}});
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(&chart);
        QCOMPARE(accessible->text(QAccessible::Description),
                 "Loss 4 at step 0, smoothed 4, accuracy 13 %; chance is 4.16. Earlier runs: 1 head.");
    }

    void paletteChangesEverything() {
        LossChart chart;
        chart.resize(600, 200);
        chart.beginRun(experiment(1));
        chart.append(falling(100));
        chart.beginRun(experiment());
        chart.append(falling(100));
        for (const Theme& theme : {Theme::darkTheme(), Theme::light()}) {
            chart.setPalette(theme.palette());
            const QImage image = chart.grab().toImage();
            QCOMPARE(image.pixel(5, 5), theme.card.rgb());
            const QCustomPlot& plot = plotOf(chart);
            QCOMPARE(chart.findChild<QCustomPlot*>()->graph(2)->pen().color(), theme.accent);
            QCOMPARE(chart.findChild<QCustomPlot*>()->graph(1)->pen().color(), theme.ghost);
            QCOMPARE(plot.xAxis->tickLabelColor(), theme.mutedText);
        }
    }

    void pictureIsIndependentOfTheWidget() {
        LossChart chart;
        chart.resize(300, 100);
        chart.setPalette(Theme::light().palette());
        chart.beginRun(experiment());
        chart.append(falling(100));
        const QImage image = painted(chart, {1200, 700}, Theme::darkTheme());
        QCOMPARE(image.size(), QSize(1200, 700));
        QCOMPARE(image.pixel(0, 0), Theme::darkTheme().card.rgb());
        QVERIFY(pixelsOf(image, Theme::darkTheme().accent) > 500);
        QCOMPARE(plotOf(chart).xAxis->tickLabelColor(), Theme::light().mutedText);
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
