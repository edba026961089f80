#include <cmath>
#include <limits>

#include <QAccessible>
#include <QHelpEvent>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <qcustomplot.h>

#include "tests/ui/snapshots.h"
#include "ui/badge_list.h"
#include "ui/choice_box.h"
#include "ui/head_pen.h"
#include "ui/mechanism_card.h"
#include "ui/mechanism_chart.h"

using namespace headscope;

namespace {

const double kUniform = (std::log(2) + std::log(3) + std::log(4)) / 4;  // T = 4

HeadDiagnostics headWith(float score_std, double entropy_share, float jacobian_trace) {
    HeadDiagnostics head;
    head.score_std = score_std;
    head.uniform_entropy = static_cast<float>(kUniform);
    head.row_entropy = static_cast<float>(entropy_share * kUniform);
    head.jacobian_trace = jacobian_trace;
    head.grad_norm_q = score_std / 10;
    head.grad_norm_k = score_std / 20;
    return head;
}

HeadDiagnostics saturated() { return headWith(kSaturatedScoreStd, 0.1, 0.01f); }
HeadDiagnostics uniform() { return headWith(0.1f, 1, 0.48f); }
HeadDiagnostics sharp() { return headWith(4, 0.4, 0.2f); }
HeadDiagnostics plain() { return headWith(1, 0.7, 0.4f); }

std::shared_ptr<Snapshot> snapshotAt(std::int64_t step, std::vector<HeadDiagnostics> heads) {
    auto snapshot = uniformSnapshot(static_cast<int>(heads.size()), 4);
    snapshot->steps_done = step;
    snapshot->diagnostics = std::move(heads);
    return snapshot;
}

struct Shown {
    explicit Shown(int steps = 360) {
        Experiment experiment;
        experiment.steps = steps;
        experiment.model.context_length = 4;
        card.beginRun(experiment);
        card.resize(300, 420);
        card.show();
    }
    void live(const Snapshot& snapshot) {
        card.append(snapshot, nullptr);
        card.showSnapshot(snapshot, TwinSide::First, false, {});
    }
    QString text() const { return card.findChild<QLabel*>("mechanismText")->text(); }

    MechanismCard card;
    MechanismChart* chart = card.findChild<MechanismChart*>("mechanismChart");
    BadgeList* badges = card.findChild<BadgeList*>("mechanismBadges");
    ChoiceBox* measure = card.findChild<ChoiceBox*>("mechanismMeasure");
};

QCustomPlot* plotOf(MechanismChart* chart) {
    auto* plot = chart->findChild<QCustomPlot*>();
    plot->replot(QCustomPlot::rpImmediateRefresh);
    return plot;
}

}  // namespace

class TestMechanismCard : public QObject {
    Q_OBJECT
private slots:
    void referencesAreThoseOfUniformRows() {
        const auto entropy = referenceOf(Measure::RowEntropy, 4);
        QVERIFY(std::abs(entropy->value - kUniform) < 1e-12);
        QCOMPARE(entropy->text, "uniform = 0.79");
        const auto trace = referenceOf(Measure::JacobianTrace, 4);
        QVERIFY(std::abs(trace->value - (0 + 1 / 2.0 + 2 / 3.0 + 3 / 4.0) / 4) < 1e-12);
        QCOMPARE(referenceOf(Measure::RowEntropy, 1)->value, 0.0);
        QCOMPARE(referenceOf(Measure::ScoreStd, 4)->value, double{kSaturatedScoreStd});
        QVERIFY(referenceOf(Measure::ScoreStd, 4)->warning);
        QVERIFY(!referenceOf(Measure::GradientQ, 4));
        QVERIFY(!referenceOf(Measure::GradientK, 4));
    }

    void everyMeasureIsItsField() {
        HeadDiagnostics head;
        head.score_std = 1;
        head.row_entropy = 2;
        head.jacobian_trace = 3;
        head.grad_norm_q = 4;
        head.grad_norm_k = 5;
        QCOMPARE(valueOf(head, Measure::ScoreStd), 1.0f);
        QCOMPARE(valueOf(head, Measure::RowEntropy), 2.0f);
        QCOMPARE(valueOf(head, Measure::JacobianTrace), 3.0f);
        QCOMPARE(valueOf(head, Measure::GradientQ), 4.0f);
        QCOMPARE(valueOf(head, Measure::GradientK), 5.0f);
        for (const Measure measure : kMeasures) QVERIFY(!measureFormula(measure).isEmpty());
    }

    void badgeRulesQuoteTheirThresholds() {
        QVERIFY(badgeRule(HeadBadge::Saturated).contains(QString::number(kSaturatedScoreStd)));
        QVERIFY(badgeRule(HeadBadge::Saturated).contains("at most 20 %"));
        QVERIFY(badgeRule(HeadBadge::Uniform).contains("at least 95 %"));
        QVERIFY(badgeRule(HeadBadge::Sharp).contains("at most 50 %"));
    }

    void theStallIsExplainedBySaturation() {
        QCOMPARE(
            explanationOf({saturated()}),
            QString("Head 1 is saturated: scores spread so wide (σ = %1) that one key takes a whole row, and "
                    "the softmax passes next to no gradient (1 − Σa² = 0.01). Where it looks hardly changes "
                    "any more.")
                .arg(shortNumber(double{kSaturatedScoreStd})));
        QVERIFY(explanationOf({saturated(), plain(), saturated()}).startsWith("Heads 1, 3 are saturated:"));
        QVERIFY(explanationOf(std::vector(6, saturated())).startsWith("6 of 6 heads are saturated:"));
        QVERIFY(explanationOf({plain(), sharp()})
                    .startsWith("Head 2 is sharp: few keys have most of the weight (1 − Σa² = 0.20). None is "
                                "saturated"));
        QCOMPARE(explanationOf({plain(), uniform()}),
                 "No head is saturated: the softmax passes gradient to the scores (1 − Σa² = 0.44).");
        QCOMPARE(explanationOf({}), QString());
    }

    void numbersAreShort() {
        QCOMPARE(shortNumber(0), "0.00");
        QCOMPARE(shortNumber(1.92), "1.92");
        QCOMPARE(shortNumber(0.0004), "0.0004");
        QCOMPARE(shortNumber(26.31), "26.3");
        QCOMPARE(shortNumber(std::nan("")), "not a number");
        QCOMPARE(shortNumber(HUGE_VAL), "not a number");
    }

    void headsDifferInColorAndPattern() {
        const Theme theme = Theme::light();
        for (int a = 0; a < 32; ++a)
            for (int b = a + 1; b < 32; ++b) QVERIFY(headPen(theme, a, 2) != headPen(theme, b, 2));
        for (int a = 0; a + 1 < 32; ++a) {
            QVERIFY(headPen(theme, a, 2).style() != headPen(theme, a + 1, 2).style());
            QVERIFY(headPen(theme, a, 2).color() != headPen(theme, a + 1, 2).color());
        }
    }

    void everyHeadHasItsLine() {
        Shown shown;
        for (const int step : {0, 10, 20}) shown.live(*snapshotAt(step, {plain(), sharp()}));
        QCustomPlot* plot = plotOf(shown.chart);
        QCOMPARE(plot->graphCount(), 3);  // and the twin's, empty
        QCOMPARE(plot->graph(1)->data()->size(), 3);
        QCOMPARE(float(plot->graph(2)->data()->at(2)->value), sharp().row_entropy);
        QCOMPARE(plot->graph(2)->data()->at(2)->key, 20.0);
        QCOMPARE(plot->graph(1)->pen(),
                 headPen(Theme::of(shown.chart->palette()), 0, plot->graph(1)->pen().widthF()));
        QCOMPARE(plot->xAxis->range().upper, 360.0);
        QVERIFY(plot->yAxis->range().upper > kUniform);
    }

    void theSelectorChangesWhatIsDrawn() {
        Shown shown;
        shown.live(*snapshotAt(0, {plain(), saturated()}));
        QVERIFY(shown.chart->description().startsWith("Row entropy at step 0: head 1: 0.56"));
        QTest::keyClick(shown.measure, Qt::Key_Down);
        QCOMPARE(shown.chart->description(),
                 QString("Score standard deviation at step 0: head 1: 1.00, head 2: %1. saturated from %2.")
                     .arg(shortNumber(double{kSaturatedScoreStd}))
                     .arg(kSaturatedScoreStd));
        QCOMPARE(
            shown.badges->description(),
            QString("Head 1: 1.00.\nHead 2: %1, saturated.").arg(shortNumber(double{kSaturatedScoreStd})));
        QCOMPARE(float(plotOf(shown.chart)->graph(2)->data()->at(0)->value), kSaturatedScoreStd);
        shown.measure->setCurrentIndex(3);
        QCOMPARE(float(plotOf(shown.chart)->graph(2)->data()->at(0)->value), kSaturatedScoreStd / 10);
        QCOMPARE(shown.chart->accessibleName(), "Gradient norm of Q per head");
        QVERIFY(shown.chart->toolTip().contains("does not explain a stall"));
    }

    void whatIsNotFiniteLeavesAGap() {
        Shown shown;
        HeadDiagnostics broken = plain();
        broken.row_entropy = std::numeric_limits<float>::infinity();
        shown.live(*snapshotAt(0, {plain()}));
        shown.live(*snapshotAt(10, {broken}));
        QCustomPlot* plot = plotOf(shown.chart);
        QVERIFY(std::isnan(plot->graph(1)->data()->at(1)->value));
        QVERIFY(plot->yAxis->range().upper < 2);
        QVERIFY(shown.badges->description().startsWith("Head 1: not a number"));
    }

    void longRunsKeepAsManyPointsAsThereArePixels() {
        Shown shown(100'000);
        for (int step = 0; step <= 100'000; step += 50) shown.live(*snapshotAt(step, {plain()}));
        const auto& points = shown.chart->points();
        QVERIFY(points.size() > MechanismChart::kPoints / 2);
        QVERIFY(points.size() <= MechanismChart::kPoints + 2);
        QCOMPARE(points.front().step, std::int64_t{0});
        QCOMPARE(points.back().step, std::int64_t{100'000});
        for (std::size_t i = 1; i < points.size(); ++i) QVERIFY(points[i].step > points[i - 1].step);
    }

    void otherHeadsBeginAnew() {
        Shown shown;
        shown.live(*snapshotAt(0, {plain()}));
        shown.live(*snapshotAt(10, {plain(), sharp()}));
        QCOMPARE(shown.chart->points().size(), std::size_t{1});
        QCOMPARE(plotOf(shown.chart)->graphCount(), 3);
        Experiment experiment;
        shown.card.beginRun(experiment);
        QVERIFY(shown.chart->points().empty());
        QCOMPARE(shown.chart->description(), "No steps yet.");
        QCOMPARE(shown.text(), "Start a run to see what its heads do.");
        QCOMPARE(plotOf(shown.chart)->graphCount(), 1);
    }

    void theTwinIsTheGrayLine() {
        Shown shown;
        const auto first = snapshotAt(0, {plain()});
        const auto twin = snapshotAt(0, {saturated(), uniform()});
        shown.card.append(*first, twin.get());
        shown.card.showSnapshot(*first, TwinSide::First, false, "not scaled");
        auto* beside = shown.card.findChild<QLabel*>("mechanismBeside");
        QVERIFY(beside->isVisible());
        QCOMPARE(beside->text(), "gray: not scaled, mean of its heads");
        const auto gray = [&] { return plotOf(shown.chart)->graph(0)->data()->at(0)->value; };
        QVERIFY(std::abs(gray() - 0.55 * kUniform) < 1e-6);
        shown.card.showSnapshot(*twin, TwinSide::Twin, false, "scaled");
        QVERIFY(std::abs(gray() - 0.7 * kUniform) < 1e-6);
        QCOMPARE(plotOf(shown.chart)->graphCount(), 3);
        QVERIFY(shown.badges->description().startsWith("Head 1: 0.08, saturated.\nHead 2: 0.79, uniform."));
        shown.card.showSnapshot(*first, TwinSide::First, false, {});
        QVERIFY(!beside->isVisible());
    }

    void aRecordedStepIsShownAsItWas() {
        Shown shown;
        const auto early = snapshotAt(0, {uniform()});
        shown.live(*early);
        shown.live(*snapshotAt(100, {saturated()}));
        QVERIFY(shown.text().startsWith("Head 1 is saturated"));
        shown.card.showSnapshot(*early, TwinSide::First, true, {});
        QVERIFY(shown.text().startsWith("No head is saturated"));
        QVERIFY(shown.chart->description().startsWith("Row entropy at step 0: head 1: 0.79"));
        QCOMPARE(shown.badges->description(), "Head 1: 0.79, uniform.");
    }

    void stepsAreChosenByPointerAndKeys() {
        Shown shown;
        for (const int step : {0, 100, 360}) shown.live(*snapshotAt(step, {plain()}));
        QSignalSpy chosen(&shown.card, &MechanismCard::stepChosen);
        QCustomPlot* plot = plotOf(shown.chart);
        const QPoint at(static_cast<int>(plot->xAxis->coordToPixel(120)), plot->axisRect()->center().y());
        QTest::mouseClick(plot, Qt::LeftButton, {}, at);
        QTest::keyClick(shown.chart, Qt::Key_Left);
        QTest::keyClick(shown.chart, Qt::Key_Home);
        QTest::keyClick(shown.chart, Qt::Key_End);
        QCOMPARE(chosen.size(), 4);
        QCOMPARE(chosen[0][0].toLongLong(), 100);
        QCOMPARE(chosen[1][0].toLongLong(), 100);
        QCOMPARE(chosen[2][0].toLongLong(), 0);
        QCOMPARE(chosen[3][0].toLongLong(), 360);
        shown.card.showSnapshot(*snapshotAt(100, {plain()}), TwinSide::First, true, {});
        QTest::keyClick(shown.chart, Qt::Key_Left);
        QCOMPARE(chosen[4][0].toLongLong(), 0);
    }

    void badgesHaveRoomAndAreToldWithTheirRule() {
        for (const std::size_t n_heads : {1, 4, 5, 16, 17, 128}) {
            Shown shown;
            shown.live(*snapshotAt(0, std::vector(n_heads, saturated())));
            BadgeList& list = *shown.badges;
            list.resize(268, list.heightForWidth(268));
            for (int a = 0; a < static_cast<int>(n_heads); ++a) {
                QVERIFY(QRectF(list.rect()).contains(list.entryRect(a)));
                for (int b = 0; b < a; ++b) QVERIFY(!list.entryRect(a).intersects(list.entryRect(b)));
            }
            const int last = static_cast<int>(n_heads) - 1;
            const QPoint at = list.entryRect(last).center().toPoint();
            QHelpEvent help(QEvent::ToolTip, at, list.mapToGlobal(at));
            QCoreApplication::sendEvent(&list, &help);
            QCOMPARE(
                QToolTip::text(),
                QString("Head %1 · row entropy 0.08\n%2").arg(n_heads).arg(badgeRule(HeadBadge::Saturated)));
        }
    }

    void screenReadersHearTheState() {
        Shown shown;
        shown.live(*snapshotAt(0, {saturated()}));
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(shown.badges);
        QCOMPARE(accessible->text(QAccessible::Name), "State of each head");
        QCOMPARE(accessible->text(QAccessible::Description), "Head 1: 0.08, saturated.");
    }
};

QTEST_MAIN(TestMechanismCard)
#include "test_mechanism_card.moc"
