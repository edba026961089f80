#include <memory>

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>
#include <qcustomplot.h>

#include "tests/ui/main_window_test.h"
#include "tests/ui/snapshots.h"
#include "ui/export_dialog.h"
#include "ui/head_grid.h"
#include "ui/loss_chart.h"
#include "ui/right_column.h"
#include "ui/segmented_control.h"
#include "ui/theme.h"
#include "ui/timeline.h"
#include "ui/twin_choice.h"

using namespace headscope;

/// Replay, twins, muting, the probe and lecture mode, in the whole window. By object name: timeline,
/// replayButton, replaySpeed, replayMemory, liveButton, compareButton, comparePanel, twinField, twinValue,
/// twinTyped, twinMessage, twinStart, headCaption, twinCaption, headGrid, twinGrid, probeButton, probeCard,
/// lectureButton, leftTabs, rightColumn.
class TestLectureLab : public MainWindowTest {
    Q_OBJECT
private slots:
    void initTestCase() { applyStyle(*qApp); }
    void init() {
        open();
        m_run = 0;
        m_grid = find<HeadGrid>("headGrid");
        m_chart = find<LossChart>("lossChart");
    }
    void cleanup() { m_window.reset(); }

    void scrubbingMovesHeadsAndCursorTogether() {
        const auto first = feed(0), middle = feed(100), last = feed(200);
        auto* timeline = find<Timeline>("timeline");
        QTest::mouseClick(timeline, Qt::LeftButton, {}, timeline->placeOf(0));
        QCOMPARE(m_grid->snapshot().get(), first.get());
        QVERIFY(m_chart->cursorText().startsWith(QStringLiteral("step 0 ")));
        QCOMPARE(find<QLabel>("statusStep")->text(), QStringLiteral("0"));
        QCOMPARE(find<QLabel>("statusState")->text(), QStringLiteral("replay"));
        QTest::mouseClick(timeline, Qt::LeftButton, {}, timeline->placeOf(120));
        QCOMPARE(m_grid->snapshot().get(), middle.get());
        QVERIFY(m_chart->cursorText().startsWith(QStringLiteral("step 100 ")));
        const auto later = feed(210);  // goes on behind it
        QCOMPARE(m_grid->snapshot().get(), middle.get());
        QTest::mouseClick(find<QPushButton>("liveButton"), Qt::LeftButton);
        QCOMPARE(m_grid->snapshot().get(), later.get());
        QVERIFY(m_chart->cursorText().isEmpty());
        QCOMPARE(find<QLabel>("statusState")->text(), QStringLiteral("live"));
        QVERIFY(last);
    }

    void aClickOnTheCurveGoesToItsStep() {
        const auto first = feed(0);
        feed(100);
        emit m_chart->stepChosen(3);
        QCOMPARE(m_grid->snapshot().get(), first.get());
        m_chart->setCursorStep(99);
        QTest::keyClick(m_chart, Qt::Key_Return);
        QCOMPARE(m_grid->snapshot()->steps_done, 100);
    }

    void theMemoryIsShown() {
        feed(0);
        QVERIFY2(find<QLabel>("replayMemory")->text().endsWith(QStringLiteral("of 256 MB")),
                 qPrintable(find<QLabel>("replayMemory")->text()));
    }

    void aTwinIsChosenAndEndedByTheSameButton() {
        feed(5);
        click("compareButton");
        auto* panel = find<QWidget>("comparePanel");
        QVERIFY(panel->isVisible());
        QVERIFY(!find<QPushButton>("compareButton")->isChecked());
        QCOMPARE(find<QComboBox>("twinField")->currentText(), QStringLiteral("scaling"));
        QCOMPARE(find<QComboBox>("twinValue")->currentText(), QStringLiteral("not scaled"));
        click("twinStart");
        QVERIFY(!panel->isVisible());
        QCOMPARE(m_asked, QStringList{"compare"});
        Experiment expected = m_experiment;
        expected.model.scale_scores = false;
        QVERIFY(m_twin == expected);

        feedTwins(2, 50);
        QVERIFY(find<QPushButton>("compareButton")->isChecked());
        QVERIFY(find<HeadGrid>("twinGrid")->isVisible());
        QCOMPARE(find<QLabel>("headCaption")->text(), QStringLiteral("scaled · d_head 8, √8 = 2.83"));
        QCOMPARE(find<QLabel>("twinCaption")->text(), QStringLiteral("not scaled · d_head 8, √8 = 2.83"));
        QCOMPARE(m_chart->runLabels(), (QStringList{"scaled", "not scaled"}));
        QVERIFY(m_chart->smoothedTwinLoss());

        click("compareButton");
        QCOMPARE(m_asked, (QStringList{"compare", "restart"}));
        feed(0, 3);
        QVERIFY(!find<HeadGrid>("twinGrid")->isVisible());
        QVERIFY(!find<QPushButton>("compareButton")->isChecked());
    }

    void bothTwinsAreScrubbedTogether() {
        m_twin.model.n_heads = 1;
        const auto [first, twin] = feedTwins(1, 0);
        feedTwins(1, 80);
        auto* timeline = find<Timeline>("timeline");
        QTest::mouseClick(timeline, Qt::LeftButton, {}, timeline->placeOf(0));
        QCOMPARE(m_grid->snapshot().get(), first.get());
        QCOMPARE(find<HeadGrid>("twinGrid")->snapshot().get(), twin.get());
        QCOMPARE(find<QLabel>("headCaption")->text(), QStringLiteral("4 heads · d_head 8, √8 = 2.83"));
        QCOMPARE(find<QLabel>("twinCaption")->text(), QStringLiteral("1 head · d_head 32, √32 = 5.66"));
    }

    void whatIsChangedIsChangedInBothTwins() {
        m_twin = {};
        m_twin.model.scale_scores = false;
        feedTwins(1, 10);
        QTest::keyClick(m_window.get(), Qt::Key_Plus);
        QCOMPARE(m_asked, QStringList{"compare"});
        QCOMPARE(m_experiment.model.n_heads, 8);
        QCOMPARE(m_twin.model.n_heads, 8);
        QVERIFY(!m_twin.model.scale_scores);
        QTest::keyClick(m_window.get(), Qt::Key_S);  // now the two would be the same
        QCOMPARE(m_asked, (QStringList{"compare", "restart"}));
    }

    void aTypedTwinIsValidated() {
        click("compareButton");
        auto* field = find<QComboBox>("twinField");
        field->setCurrentIndex(field->findData(int(TwinField::LearningRate)));
        auto* typed = find<QLineEdit>("twinTyped");
        QVERIFY(typed->isVisible());
        for (const char* wrong : {"fast", "-1", "0.005"}) {
            typed->setText(QLatin1String(wrong));
            click("twinStart");
            QVERIFY2(find<QLabel>("twinMessage")->isVisible(), wrong);
            QVERIFY(m_asked.isEmpty());
        }
        typed->setText(QStringLiteral("0.1"));
        click("twinStart");
        QCOMPARE(m_asked, QStringList{"compare"});
        QCOMPARE(m_twin.learning_rate, 0.1);
    }

    void aNumberMutesItsHeadAndUndoTakesItBack() {
        feed(10);
        QTest::keyClick(m_window.get(), Qt::Key_2);
        QCOMPARE(m_asked, QStringList{"modes"});
        QVERIFY(m_modes == (std::vector<HeadMode>{HeadMode::Trained, HeadMode::Muted, HeadMode::Trained,
                                                  HeadMode::Trained}));
        Update u = update(11);
        u.modes = m_modes;
        u.head_changes = {{11, 1, HeadMode::Muted}};
        m_window->showUpdate(u);
        QVERIFY(m_chart->description().contains(QStringLiteral("Step 11: head 2 muted")));
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(m_asked, (QStringList{"modes", "modes"}));
        QVERIFY(m_modes == std::vector<HeadMode>(4, HeadMode::Trained));
        QTest::keyClick(m_window.get(), Qt::Key_9);  // there is no head 9
        QCOMPARE(m_asked.size(), 2);
    }

    void theProbeIsKeptFromRunToRunWhereItFits() {
        QSignalSpy probes(m_window.get(), &MainWindow::probeRequested);
        feed(10);
        click("probeButton");
        QVERIFY(find<QWidget>("probeCard")->isVisible());
        find<QComboBox>("probeRow")->setCurrentIndex(4);
        QCOMPARE(probes.count(), 1);
        click("restartButton");
        QCOMPARE(probes.count(), 2);
        QCOMPARE(probes.back().front().value<Probe>().row, 3);
    }

    void aLessonBringsItsTwinAndItsProbe() {
        QSignalSpy probes(m_window.get(), &MainWindow::probeRequested);
        Lesson lesson{"both", "Both", {}, {}, {}, 60};
        lesson.twin = Experiment{};
        lesson.twin->model.n_heads = 1;
        lesson.probe.ripple = Ripple{5, 7};
        m_window->setLessons({lesson});
        QVERIFY(m_window->chooseLesson(QStringLiteral("both")));
        QCOMPARE(m_asked, QStringList{"compare"});
        QCOMPARE(m_twin.model.n_heads, 1);
        QCOMPARE(probes.count(), 1);
        QVERIFY(probes.front().front().value<Probe>() == lesson.probe);
        QVERIFY(find<QWidget>("probeCard")->isVisible());
        QCOMPARE(find<QLineEdit>("rippleToken")->text(), QStringLiteral("7"));
    }

    void scoresAreShownInPlaceOfWeights() {
        auto snapshot = at(10, {});
        snapshot->scores.assign(snapshot->weights.size(), 0);
        snapshot->scores[0] = -3;  // head 1, query 0, key 0: the limit of the scale is 5
        Update u = update(10);
        u.snapshot = snapshot;
        m_window->showUpdate(u);
        click("probeButton");
        QCoreApplication::processEvents();
        const auto color = [this](const HeadGrid::Cell& cell) {
            const QPointF center = m_grid->cellRect(cell).center();
            return m_grid->grab().toImage().pixel(center.toPoint());
        };
        QCOMPARE(color({0, 0, 0}), colorOf(Colormap::Viridis, 1));
        find<SegmentedControl>("probeValues")->button(1)->click();
        QCOMPARE(color({0, 0, 0}), divergingTable()[51]);  // (1 − 3/5)/2 of the scale
        QCOMPARE(color({0, 3, 1}), divergingTable()[128]);
        m_grid->setCursorCell(HeadGrid::Cell{0, 0, 0});
        QVERIFY2(m_grid->cursorText().contains(QStringLiteral("score -3")), qPrintable(m_grid->cursorText()));
        find<SegmentedControl>("probeValues")->button(0)->click();
        m_grid->setCursorCell({});
        QCOMPARE(color({0, 0, 0}), colorOf(Colormap::Viridis, 1));
    }

    void lectureModeHidesTheControlsAndEscapeLeaves() {
        feed(10);
        const QFont font = QApplication::font();
        const QColor ground = QApplication::palette().color(QPalette::Window);
        for (const bool by_button : {true, false}) {
            if (by_button)
                click("lectureButton");
            else
                QTest::keyClick(m_window.get(), Qt::Key_F11);
            QVERIFY(!find<QWidget>("startButton")->isVisible());
            QVERIFY(!find<QWidget>("headsSlider")->isVisible());
            QVERIFY(!find<QWidget>("rightColumn")->isVisible());
            QVERIFY(!m_window->menuBar()->isVisible());
            QVERIFY(m_grid->isVisible() && m_chart->isVisible() && find<Timeline>("timeline")->isVisible());
            QVERIFY(m_window->isFullScreen());
            QVERIFY(QFontInfo(m_grid->font()).pixelSize() >= 1.5 * QFontInfo(font).pixelSize());
            QCOMPARE(Theme::of(m_grid->palette()).text, Theme::projector().text);
            QCOMPARE(Theme::of(m_grid->palette()).accent, Theme::projector().accent);
            QTest::keyClick(m_window.get(), Qt::Key_R);  // the keys still work
            QCOMPARE(m_asked.back(), QStringLiteral("restart"));
            QTest::keyClick(m_window.get(), by_button ? Qt::Key_Escape : Qt::Key_F11);
            QVERIFY(find<QWidget>("startButton")->isVisible());
            QVERIFY(find<QWidget>("headsSlider")->isVisible());
            QVERIFY(m_window->menuBar()->isVisible());
            QVERIFY(!m_window->isFullScreen());
            QCOMPARE(QApplication::font(), font);
            QCOMPARE(QApplication::palette().color(QPalette::Window), ground);
        }
    }

    void aHeadHasAMenu() {
        feed(10);
        openMenuAt(m_grid, m_grid->cellRect({2, 5, 1}).center());
        choose("headMenu", "Attend &Uniformly");
        QCOMPARE(m_asked, QStringList{"modes"});
        QCOMPARE(m_modes[2], HeadMode::Uniform);
        QCOMPARE(m_modes[1], HeadMode::Trained);

        openMenuAt(m_grid, m_grid->cellRect({1, 0, 0}).topLeft() + QPointF(4, -6));
        choose("headMenu", "&Export This Head…");
        QVERIFY(m_window->findChild<QDialog*>("exportDialog"));

        QApplication::clipboard()->clear();
        openMenuAt(m_grid, m_grid->cellRect({1, 0, 0}).center());
        choose("headMenu", "&Copy This Head");
        QVERIFY(!QApplication::clipboard()->image().isNull());
    }

    // The eight heads of the twin are none of the four that can be asked anything.
    void headsOfATwinWithOthersCanOnlyBeLookedAt() {
        m_twin.model.n_heads = 8;
        feedTwins(1, 10);
        auto* twin = find<HeadGrid>("twinGrid");
        openMenuAt(twin, twin->cellRect({6, 5, 1}).center());
        auto* menu = m_window->findChild<QMenu*>("headMenu");
        QVERIFY(menu);
        for (const QAction* action : menu->actions())
            if (action->isCheckable()) QVERIFY(!action->isEnabled());
        choose("headMenu", "&Export This Head…");
        auto* dialog = m_window->findChild<ExportDialog*>("exportDialog");
        QVERIFY(dialog);
        QTest::mouseClick(twin, Qt::LeftButton, {},
                          (twin->cellRect({1, 0, 0}).topLeft() + QPointF(4, -6)).toPoint());
        QVERIFY(m_asked.isEmpty());
        QVERIFY(find<QLabel>("statusHint")->text().startsWith("The twin has heads of its own"));
    }

    void theCurveHasAMenu() {
        feed(10);
        auto* plot = m_chart->findChild<QCustomPlot*>();
        const QPoint center = plot->rect().center();
        QTest::mousePress(plot, Qt::RightButton, {}, center);
        QContextMenuEvent asked(QContextMenuEvent::Mouse, center, plot->mapToGlobal(center));
        QApplication::sendEvent(plot, &asked);
        QTest::mouseMove(plot, center + QPoint(60, 30));
        QVERIFY(!plot->selectionRect() || !plot->selectionRect()->isActive());
        const auto* menu = m_window->findChild<QMenu*>("lossMenu");
        QVERIFY(menu);
        QStringList names;
        for (const QAction* action : menu->actions()) names << action->objectName();
        QCOMPARE(names, (QStringList{"exportLossAction", "copyLossAction", "showAllAction"}));
    }

    void aLectureLeavesTheWindowAsItWas() {
        feed(10);
        m_window->resize(1280, 800);
        for (int round = 0; round < 3; ++round) {
            QTest::keyClick(m_window.get(), Qt::Key_F11);
            QTRY_VERIFY(!find<QWidget>("startButton")->isVisible());
            QTest::keyClick(m_window.get(), Qt::Key_Escape);
            QTRY_COMPARE(m_window->size(), QSize(1280, 800));
            QVERIFY(m_window->minimumSizeHint().width() <= 1280);
        }
    }

    void theRightColumnMovesUnderATabWhereRoomIsShort() {
        auto* right = find<RightColumn>("rightColumn");
        auto* tabs = find<QWidget>("leftTabs");
        m_window->resize(1100, 700);
        QCoreApplication::processEvents();
        QVERIFY(right->isVisible() && !tabs->isVisible());
        QVERIFY(right->arrangement() == RightColumn::Arrangement::Column);
        m_window->resize(1024, 700);
        QCoreApplication::processEvents();
        QCOMPARE(m_window->width(), 1024);
        QVERIFY(!right->isVisible() && tabs->isVisible());
        QVERIFY(right->arrangement() == RightColumn::Arrangement::Tabs);
        QVERIFY(m_grid->width() > 500);
    }

private:
    static Update update(std::int64_t step, RunId run = 1) {
        Update u;
        u.run = run;
        u.state = RunState::Running;
        u.steps_done = step;
        u.modes.assign(4, HeadMode::Trained);
        return u;
    }
    std::vector<LossPoint> pointsUpTo(std::int64_t step) {
        std::vector<LossPoint> points;
        for (; m_points <= step; ++m_points) points.push_back({m_points, 4.f / float(m_points + 1), 0.5f});
        return points;
    }
    std::shared_ptr<Snapshot> at(std::int64_t step, const Experiment& experiment) {
        auto snapshot = uniformSnapshot(experiment.model.n_heads, experiment.model.context_length);
        snapshot->steps_done = step;
        snapshot->experiment = experiment;
        snapshot->modes.assign(std::size_t(experiment.model.n_heads), HeadMode::Trained);
        snapshot->diagnostics.resize(snapshot->modes.size());
        snapshot->loss_without.assign(snapshot->modes.size(), 1.f);
        return snapshot;
    }
    std::shared_ptr<const Snapshot> feed(std::int64_t step, RunId run = 1) {
        Update u = update(step, run);
        if (run != m_run) m_points = 0;
        m_run = run;
        u.points = pointsUpTo(step);
        u.snapshot = at(step, {});
        m_window->showUpdate(u);
        return u.snapshot;
    }
    std::pair<std::shared_ptr<const Snapshot>, std::shared_ptr<const Snapshot>> feedTwins(RunId run,
                                                                                          std::int64_t step) {
        Update u = update(step, run);
        if (run != m_run) m_points = 0;
        m_run = run;
        u.points = u.twin_points = pointsUpTo(step);
        u.twin = m_twin;
        u.snapshot = at(step, {});
        u.twin_snapshot = at(step, m_twin);
        m_window->showUpdate(u);
        return {u.snapshot, u.twin_snapshot};
    }
    void openMenuAt(QWidget* widget, const QPointF& position) {
        QContextMenuEvent event(QContextMenuEvent::Mouse, position.toPoint(),
                                widget->mapToGlobal(position.toPoint()));
        QApplication::sendEvent(widget, &event);
    }
    /// An entry of the open menu, which then closes.
    void choose(const char* name, const QString& text) {
        auto* menu = m_window->findChild<QMenu*>(QLatin1String(name));
        QVERIFY(menu);
        for (QAction* action : menu->actions())
            if (action->text() == text) action->trigger();
        menu->close();
        QCoreApplication::sendPostedEvents(menu, QEvent::DeferredDelete);
    }

    HeadGrid* m_grid = nullptr;
    LossChart* m_chart = nullptr;
    RunId m_run = 0;
    std::int64_t m_points = 0;
};

int main(int argc, char** argv) { return runOnALargeScreen<TestLectureLab>(argc, argv); }

#include "test_lecture_lab.moc"
