#include <cmath>

#include <QAccessible>
#include <QWheelEvent>

#include "tests/ui/loss_charts.h"

using namespace headscope;

/// Pointer, keys and ears.
class TestLossChartCursor : public QObject {
    Q_OBJECT
private slots:
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

    void wheelZoomsInsideWhatThereIs() {
        LossChart chart;
        QCustomPlot& plot = shown(chart);
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
        QCustomPlot& plot = shown(chart);
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

    void pointerMovesTheCursor() {
        LossChart chart;
        QCustomPlot& plot = shown(chart);
        const QPoint at(static_cast<int>(std::lround(plot.xAxis->coordToPixel(30))),
                        plot.axisRect()->center().y());
        QTest::mouseMove(&plot, at);
        QTRY_VERIFY(chart.cursorText().startsWith("step 30 "));
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

private:
    /// A run of 100 steps, in a window.
    static QCustomPlot& shown(LossChart& chart) {
        chart.resize(600, 200);
        chart.show();
        chart.beginRun(experiment());
        chart.append(falling(100));
        QCustomPlot& plot = plotOf(chart);
        plot.replot();
        return plot;
    }
};

QTEST_MAIN(TestLossChartCursor)
#include "test_loss_chart_cursor.moc"
