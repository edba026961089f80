#include <QComboBox>

#include "tests/ui/main_window_test.h"
#include "tests/ui/snapshots.h"
#include "ui/head_grid.h"
#include "ui/loss_chart.h"
#include "ui/theme.h"

using namespace headscope;

/// What the whole window shows of runs, lessons and themes. By object name: startButton, stepButton,
/// restartButton, lookForCard, lessonStory, lookForText, headGrid, lossChart, and those of test_status_strip.
class TestMainWindow : public MainWindowTest {
    Q_OBJECT
private slots:
    void initTestCase() { applyStyle(*qApp); }
    void init() {
        open();
        connect(m_window.get(), &MainWindow::paceRequested, this,
                [this] { m_asked << QStringLiteral("pace"); });
    }
    void cleanup() { m_window.reset(); }

    void opensAtAGoodSizeAndSaysWhatToDo() {
        QCOMPARE(m_window->size(), QSize(1280, 800));
        QVERIFY(text("statusHint").contains(QStringLiteral("Press Start")));
        click("startButton");
        QCOMPARE(m_asked, QStringList{"restart"});
        QVERIFY(m_experiment == Experiment{});
    }

    void theStartButtonFollowsTheUpdates() {
        auto* start = button("startButton");
        QCOMPARE(start->text(), QStringLiteral("Start"));
        show(RunState::Running);
        QCOMPARE(start->text(), QStringLiteral("Pause"));
        click("startButton");
        QCOMPARE(m_asked, QStringList{"pause"});
        QCOMPARE(start->text(), QStringLiteral("Pause"));  // a click only asks
        show(RunState::Paused);
        QCOMPARE(start->text(), QStringLiteral("Start"));
        click("startButton");
        QCOMPARE(m_asked, (QStringList{"pause", "go on"}));
        for (const RunState ended : {RunState::Finished, RunState::Diverged, RunState::Failed}) {
            m_asked.clear();
            show(ended);
            QCOMPARE(start->text(), QStringLiteral("Start"));
            click("startButton");
            QCOMPARE(m_asked, QStringList{"restart"});
        }
    }

    void aStepPausesARunFirst() {
        QVERIFY(!button("stepButton")->isEnabled());
        show(RunState::Running);
        click("stepButton");
        QCOMPARE(m_asked, (QStringList{"pause", "step"}));
        show(RunState::Paused);
        m_asked.clear();
        click("stepButton");
        QCOMPARE(m_asked, QStringList{"step"});
        show(RunState::Finished);
        QVERIFY(!button("stepButton")->isEnabled());
    }

    void restartsWithWhatIsShown() {
        Update u = update(RunState::Running);
        u.experiment.seed = 7;
        m_window->showUpdate(u);
        click("restartButton");
        QCOMPARE(m_asked, QStringList{"restart"});
        QCOMPARE(m_experiment.seed, 7u);
    }

    void aRunGrowsACurveAndTheOneBeforeStaysAsAGhost() {
        auto* chart = m_window->findChild<LossChart*>("lossChart");
        Update u = update(RunState::Running);
        u.points = {{0, 4.1f, 0.f}, {1, 4.0f, 0.f}};
        m_window->showUpdate(u);
        QCOMPARE(chart->lastPoint()->step, 1);
        u.points = {{2, 3.9f, 0.1f}};
        m_window->showUpdate(u);
        QCOMPARE(chart->lastPoint()->step, 2);
        QCOMPARE(chart->ghostCount(), 0);
        u.run = 2;
        u.experiment.model.n_heads = 1;
        u.points = {{0, 4.2f, 0.f}};
        m_window->showUpdate(u);
        QCOMPARE(chart->ghostCount(), 1);
        QCOMPARE(chart->lastPoint()->step, 0);
        QCOMPARE(text("headsCount"), QStringLiteral("1"));
    }

    void theGridShowsTheSnapshotOfTheUpdate() {
        Update u = update(RunState::Running);
        auto snapshot = uniformSnapshot(8, 12);
        snapshot->steps_done = 41;
        u.snapshot = snapshot;
        m_window->showUpdate(u);
        auto* grid = m_window->findChild<HeadGrid*>("headGrid");
        QCOMPARE(grid->snapshot().get(), snapshot.get());
        m_window->showUpdate(update(RunState::Paused));
        QCOMPARE(grid->snapshot().get(), snapshot.get());
    }

    void aRefusalIsSaidAndTheControlsGoBack() {
        show(RunState::Running);
        QTest::keyClick(m_window.get(), Qt::Key_Plus);
        QCOMPARE(text("headsCount"), QStringLiteral("8"));
        m_window->showRefusal(Refusal("n_heads %1 does not divide d_model %2", {"8", "30"}));
        QCOMPARE(text("headsCount"), QStringLiteral("4"));
        QCOMPARE(text("statusHint"), QStringLiteral("n_heads 8 does not divide d_model 30"));
    }

    void aLessonSetsEveryControlAndStarts() {
        auto* choice = find<QComboBox>("lessonChoice");
        QVERIFY(!choice->isVisible());
        Lesson lesson{"lags", "How many heads?", "A story", "Look for stripes", {}, 30};
        lesson.experiment.task = Task::LagCopy;
        lesson.experiment.model.context_length = 16;
        m_window->setLessons({Lesson{"copy", "Copy", {}, {}, {}, 60}, lesson});
        QVERIFY(choice->isVisible());
        QVERIFY(!m_window->findChild<QWidget*>("lookForCard")->isVisible());
        type("batchField", "none");
        choice->setFocus();
        QTest::keyClick(choice, Qt::Key_End);
        QCOMPARE(m_asked, (QStringList{"pace", "restart"}));
        QVERIFY(m_experiment == lesson.experiment);
        QCOMPARE(m_pace, 30.0);
        QCOMPARE(text("lessonStory"), QStringLiteral("A story"));
        QCOMPARE(text("lookForText"), QStringLiteral("Look for stripes"));
        QVERIFY(m_window->findChild<QWidget*>("lookForCard")->isVisibleTo(m_window.get()));
        QCOMPARE(find<QLineEdit>("batchField")->text(), QStringLiteral("16"));
        QCOMPARE(find<QComboBox>("taskChoice")->currentText(), QStringLiteral("lag-copy"));
        m_asked.clear();
        QVERIFY(m_window->showLesson("copy"));
        QVERIFY(!m_window->chooseLesson("unknown"));
        QVERIFY(m_asked.isEmpty());
    }

    void themesFollowThePaletteWhileRunning() {
        const QPalette before = QApplication::palette();
        const auto cardPixel = [this] {
            QCoreApplication::processEvents();
            auto* card = m_window->findChild<QWidget*>("headGridCard");
            return card->grab().toImage().pixelColor(card->width() / 2, 4);
        };
        QCOMPARE(cardPixel(), Theme::light().card);
        QApplication::setPalette(Theme::darkTheme().palette());
        QCOMPARE(cardPixel(), Theme::darkTheme().card);
        QCOMPARE(m_window->findChild<QWidget*>("headGrid")->palette().color(QPalette::WindowText),
                 Theme::darkTheme().text);
        QApplication::setPalette(before);
        QCOMPARE(cardPixel(), Theme::light().card);
    }

    void nothingIsClipped_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<Experiment>("experiment");
        Experiment lags;
        lags.task = Task::LagCopy;
        lags.model.context_length = 16;
        lags.model.d_model = 128;
        lags.model.n_heads = 128;
        lags.model.positions = Positions::Learned;
        for (const QSize size : {QSize(1024, 700), QSize(1280, 800), QSize(1440, 900)}) {
            const QByteArray name = QByteArray::number(size.width());
            QTest::newRow(name + " lesson") << size << Experiment{};
            QTest::newRow(name + " lags") << size << lags;
        }
    }

    void nothingIsClipped() {
        QFETCH(QSize, size);
        QFETCH(Experiment, experiment);
        m_window->setLessons(
            {Lesson{"lags", "How many heads does it take?", {}, "Look for stripes", experiment, 1000}});
        m_window->showLesson("lags");
        Update u = update(RunState::Diverged);
        u.experiment = experiment;
        u.steps_done = 359;
        for (int step = 0; step < 359; ++step) u.points.push_back({step, 1234.5678f, 1.f});
        m_window->showUpdate(u);
        m_window->resize(size);
        QCoreApplication::processEvents();
        QCOMPARE(m_window->size(), size);
        for (const auto* label : m_window->findChildren<QLabel*>()) {
            if (!label->isVisible() || label->text().isEmpty() || label->objectName() == "statusHint")
                continue;
            const int needed =
                label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
            QVERIFY2(label->height() >= needed, qPrintable(label->text()));
            if (!label->wordWrap())
                QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
        }
        for (const auto* pressed : m_window->findChildren<QAbstractButton*>())
            if (pressed->isVisible())
                QVERIFY2(pressed->width() >= pressed->sizeHint().width() &&
                             pressed->height() >= pressed->sizeHint().height(),
                         qPrintable(pressed->text()));
        for (const auto* choice : m_window->findChildren<QComboBox*>())
            if (choice->isVisible())
                QVERIFY2(
                    choice->width() >= choice->fontMetrics().horizontalAdvance(choice->currentText()) + 25,
                    qPrintable(choice->currentText()));
        const QRect window = m_window->rect();
        for (const char* name : {"exportButton", "statusState", "headGridCard", "lossCard"}) {
            const auto* widget = m_window->findChild<QWidget*>(QLatin1String(name));
            QVERIFY2(window.contains(QRect(widget->mapTo(m_window.get(), QPoint()), widget->size())), name);
        }
        const auto* hint = find<QLabel>("statusHint");
        QVERIFY(hint->width() >= hint->fontMetrics().horizontalAdvance(hint->text()));
    }
};

int main(int argc, char** argv) { return runOnALargeScreen<TestMainWindow>(argc, argv); }

#include "test_main_window.moc"
