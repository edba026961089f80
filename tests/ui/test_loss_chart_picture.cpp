#include <algorithm>
#include <cmath>

#include "tests/ui/loss_charts.h"

using namespace headscope;

/// What it looks like: axes, labels, colors.
class TestLossChartPicture : public QObject {
    Q_OBJECT
private slots:
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
};

QTEST_MAIN(TestLossChartPicture)
#include "test_loss_chart_picture.moc"
