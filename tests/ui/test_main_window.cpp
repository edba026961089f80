#include <cmath>
#include <memory>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

#include "tests/ui/screens.h"
#include "tests/ui/snapshots.h"
#include "ui/head_grid.h"
#include "ui/loss_chart.h"
#include "ui/main_window.h"
#include "ui/shapes_card.h"
#include "ui/style.h"
#include "ui/theme.h"
#include "ui/tick_slider.h"

using namespace headscope;

/// The controls by object name: startButton, stepButton, restartButton, paceSlider, paceText, lessonChoice,
/// exportButton; headsSlider, headsCount, headsWidth; scalingSwitch, scalingMatters, onChangeRestart,
/// onChangeCarryOn; those of test_experiment_card and test_status_strip; lookForCard, lessonStory,
/// lookForText; headGrid, lossChart. Actions: startAction, stepAction, restartAction, scalingAction,
/// moreHeadsAction, fewerHeadsAction, quitAction, export… and copy… Heads, Head and Loss.
class TestMainWindow : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyStyle(*qApp); }

    void init() {
        m_window = std::make_unique<MainWindow>();
        m_asked.clear();
        const auto note = [this](QString what) { m_asked << what; };
        connect(m_window.get(), &MainWindow::restartRequested, this, [=, this](const Experiment& e) {
            m_experiment = e;
            note(QStringLiteral("restart"));
        });
        connect(m_window.get(), &MainWindow::carryOnRequested, this, [=, this](const Experiment& e) {
            m_experiment = e;
            note(QStringLiteral("carry on"));
        });
        connect(m_window.get(), &MainWindow::pauseRequested, this,
                [=](bool paused) { note(paused ? QStringLiteral("pause") : QStringLiteral("go on")); });
        connect(m_window.get(), &MainWindow::stepRequested, this, [=] { note(QStringLiteral("step")); });
        connect(m_window.get(), &MainWindow::paceRequested, this, [=, this](double pace) {
            m_pace = pace;
            note(QStringLiteral("pace"));
        });
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
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

    void theHeadSliderStepsThroughTheDivisors() {
        show(RunState::Running);
        QCOMPARE(text("headsWidth"), QStringLiteral("heads of d_head 8, √8 = 2.83"));
        auto* slider = find<TickSlider>("headsSlider");
        QCOMPARE(slider->labels(), (QStringList{"1", "2", "4", "8", "16", "32"}));
        QTest::mousePress(slider, Qt::LeftButton, {}, slider->placeOf(2));
        QTest::mouseMove(slider, slider->placeOf(3));
        QCOMPARE(text("headsCount"), QStringLiteral("8"));  // seen while it is dragged
        QVERIFY(text("scalingMatters").startsWith("d_head 4, √4 = 2:"));
        QVERIFY(find<StagesView>("shapesView")->description().contains("scores ÷ √4: (16, 8, 12, 12)"));
        QVERIFY(m_asked.isEmpty());
        QTest::mouseRelease(slider, Qt::LeftButton, {}, slider->placeOf(3));
        QCOMPARE(m_asked, QStringList{"restart"});
        QCOMPARE(m_experiment.model.n_heads, 8);
    }

    void thePaceGoesFromOneToUnlimited() {
        auto* slider = find<TickSlider>("paceSlider");
        QCOMPARE(text("paceText"), QStringLiteral("60 steps/s"));
        QTest::mouseClick(slider, Qt::LeftButton, {}, {slider->width() - 1, 10});
        QVERIFY(std::isinf(m_pace));
        QCOMPARE(text("paceText"), QStringLiteral("unlimited"));
        QTest::mouseClick(slider, Qt::LeftButton, {}, {0, 10});
        QCOMPARE(m_pace, 1.0);
        m_asked.clear();
        m_window->showPace(250);
        QCOMPARE(text("paceText"), QStringLiteral("250 steps/s"));
        QVERIFY(m_asked.isEmpty());
    }

    void scalingRestartsOrCarriesOnAsTheSwitchHasIt() {
        show(RunState::Running);
        click("scalingSwitch");
        QCOMPARE(m_asked, QStringList{"restart"});
        QVERIFY(!m_experiment.model.scale_scores);
        click("onChangeCarryOn");
        QCOMPARE(m_asked.size(), 1);  // the switch alone changes nothing
        click("scalingSwitch");
        QCOMPARE(m_asked, (QStringList{"restart", "carry on"}));
        QVERIFY(m_experiment.model.scale_scores);
    }

    void carryingOnHoldsForHeadsAndRateButNotForShapes() {
        show(RunState::Running);
        click("onChangeCarryOn");
        QTest::keyClick(m_window.get(), Qt::Key_Plus);
        QCOMPARE(m_asked, QStringList{"carry on"});
        QCOMPARE(m_experiment.model.n_heads, 8);
        type("learningRateField", "0.01");
        QCOMPARE(m_asked, (QStringList{"carry on", "carry on"}));
        QCOMPARE(m_experiment.learning_rate, 0.01);
        QCOMPARE(m_experiment.model.n_heads, 8);
        type("contextField", "16");
        QCOMPARE(m_asked, (QStringList{"carry on", "carry on", "restart"}));
        show(RunState::Diverged);  // weights that are not finite cannot go on
        m_asked.clear();
        click("scalingSwitch");
        QCOMPARE(m_asked, QStringList{"restart"});
    }

    void invalidInputAsksForNothing() {
        show(RunState::Running);
        type("batchField", "0");
        QVERIFY(m_asked.isEmpty());
        auto* message = find<QLabel>("batchFieldMessage");
        QVERIFY(message->isVisible());
        QCOMPARE(message->text(), QStringLiteral("batch_size is 0: it must be from 1 to 4096"));
        const QRect field(find<QLineEdit>("batchField")->mapTo(m_window.get(), QPoint()),
                          find<QLineEdit>("batchField")->size());
        QCoreApplication::processEvents();
        const int below = message->mapTo(m_window.get(), QPoint()).y() - field.bottom();
        QVERIFY(below > 0 && below < 12);
    }

    void keys_data() {
        QTest::addColumn<Qt::Key>("key");
        QTest::addColumn<QStringList>("asked");
        QTest::newRow("space") << Qt::Key_Space << QStringList{"pause"};
        QTest::newRow("right") << Qt::Key_Right << QStringList{"pause", "step"};
        QTest::newRow("n") << Qt::Key_N << QStringList{"pause", "step"};
        QTest::newRow("r") << Qt::Key_R << QStringList{"restart"};
        QTest::newRow("s") << Qt::Key_S << QStringList{"restart"};
        QTest::newRow("plus") << Qt::Key_Plus << QStringList{"restart"};
        QTest::newRow("minus") << Qt::Key_Minus << QStringList{"restart"};
    }

    void keys() {
        QFETCH(Qt::Key, key);
        QFETCH(QStringList, asked);
        show(RunState::Running);
        QTest::keyClick(m_window.get(), key);
        QCOMPARE(m_asked, asked);

        // A click on a button leaves the keys to the window; a field does not.
        m_asked.clear();
        click("onChangeCarryOn");
        click("onChangeRestart");
        QTest::keyClick(QApplication::focusWidget(), key);
        QCOMPARE(m_asked, asked);
        m_asked.clear();
        auto* field = find<QLineEdit>("tokenStdField");
        QTest::mouseClick(field, Qt::LeftButton);
        QVERIFY(field->hasFocus());
        QTest::keyClick(field, key);
        QVERIFY2(m_asked.isEmpty(), qPrintable(m_asked.join(' ')));
    }

    void aFocusedControlKeepsItsOwnKeys() {
        show(RunState::Running);
        auto* toggle = find<QCheckBox>("scalingSwitch");
        toggle->setFocus(Qt::TabFocusReason);
        QTest::keyClick(toggle, Qt::Key_Space);
        QCOMPARE(m_asked, QStringList{"restart"});
        QVERIFY(!m_experiment.model.scale_scores);
        auto* slider = find<TickSlider>("headsSlider");
        slider->setFocus(Qt::TabFocusReason);
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(m_asked, (QStringList{"restart", "restart"}));
        QCOMPARE(m_experiment.model.n_heads, 8);
    }

    void everyControlHasANameForTheEarAndATip() {
        for (const char* name :
             {"startButton",     "stepButton",       "restartButton",     "paceSlider",
              "lessonChoice",    "exportButton",     "headsSlider",       "scalingSwitch",
              "onChangeRestart", "onChangeCarryOn",  "taskChoice",        "lagsField",
              "contextField",    "vocabularyField",  "dModelField",       "batchField",
              "seedField",       "stepsField",       "learningRateField", "learningRateSlider",
              "positionsChoice", "positionStdField", "tokenStdField"}) {
            auto* control = m_window->findChild<QWidget*>(QLatin1String(name));
            QVERIFY2(control, name);
            const auto* pressed = qobject_cast<QAbstractButton*>(control);
            QVERIFY2(!control->accessibleName().isEmpty() || (pressed && !pressed->text().isEmpty()), name);
            if (control != find<QComboBox>("lessonChoice")) QVERIFY2(!control->toolTip().isEmpty(), name);
            QVERIFY2(control->focusPolicy() & Qt::TabFocus, name);
        }
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

    void dataIsSavedFromTheMenu() {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        const QTemporaryDir directory;
        m_window->findChild<QAction*>("lossDataAction")->trigger();
        QVERIFY(!m_window->findChild<QFileDialog*>());
        QVERIFY(text("statusHint").contains(QStringLiteral("no picture yet")));
        Update u = update(RunState::Finished);
        u.snapshot = uniformSnapshot(4, 12);
        u.points = {{0, 4, 0}, {1, 3, 0.5f}};
        m_window->showUpdate(u);
        u.snapshot.reset();
        u.points = {{2, 2, 1}};
        m_window->showUpdate(u);
        const std::pair<const char*, QByteArray> kinds[] = {
            {"lossDataAction", "step,loss,accuracy\n0,4,0\n1,3,0.5\n2,2,1\n"},
            {"mechanismDataAction", "step,head,score_std"},
            {"attentionDataAction", "\x93NUMPY"},
            {"recordedDataAction", "PK"}};
        for (const auto& [name, start] : kinds) {
            m_window->findChild<QAction*>(QLatin1String(name))->trigger();
            auto* chooser = m_window->findChild<QFileDialog*>();
            QVERIFY(chooser);
            const QString path =
                directory.filePath(QFileInfo(chooser->selectedFiles().constFirst()).fileName());
            chooser->selectFile(path);
            QMetaObject::invokeMethod(chooser, "accept");
            QTRY_VERIFY(!m_window->findChild<QFileDialog*>());
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(file.readAll().startsWith(start), name);
        }
    }

    void theMenusOfferExportAndQuit() {
        for (const char* name : {"exportHeadsAction", "exportHeadAction", "exportLossAction",
                                 "copyHeadsAction", "copyHeadAction", "copyLossAction", "quitAction"}) {
            const auto* action = m_window->findChild<QAction*>(QLatin1String(name));
            QVERIFY2(action && !action->shortcut().isEmpty(), name);
        }
        m_window->findChild<QAction*>("exportHeadsAction")->trigger();
        QVERIFY(!m_window->findChild<QDialog*>("exportDialog"));
        QVERIFY(text("statusHint").contains(QStringLiteral("no picture yet")));
        Update u = update(RunState::Finished);
        u.snapshot = uniformSnapshot(4, 12);
        m_window->showUpdate(u);
        QTest::keyClick(m_window.get(), Qt::Key_E);
        QTRY_VERIFY(m_window->findChild<QDialog*>("exportDialog"));
        m_window->findChild<QDialog*>("exportDialog")->reject();
        QTRY_VERIFY(!m_window->findChild<QDialog*>("exportDialog"));
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keyClick(m_window.get(), Qt::Key_E, Qt::ControlModifier);
        QVERIFY(m_window->findChild<QDialog*>("exportDialog"));
        QTest::keyClick(m_window.get(), Qt::Key_Q, Qt::ControlModifier);
        QVERIFY(!m_window->isVisible());
    }

private:
    static Update update(RunState state) {
        Update u;
        u.run = 1;
        u.state = state;
        u.steps_done = 5;
        return u;
    }
    void show(RunState state) { m_window->showUpdate(update(state)); }

    template <class Widget>
    Widget* find(const char* name) const {
        return m_window->findChild<Widget*>(QLatin1String(name));
    }
    QAbstractButton* button(const char* name) const { return find<QAbstractButton>(name); }
    QString text(const char* name) const { return find<QLabel>(name)->text(); }
    void click(const char* name) { QTest::mouseClick(button(name), Qt::LeftButton); }
    void type(const char* name, const QString& text) {
        auto* field = find<QLineEdit>(name);
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Return);
    }

    std::unique_ptr<MainWindow> m_window;
    QStringList m_asked;
    Experiment m_experiment;
    double m_pace = 0;
};

int main(int argc, char** argv) {
    const TestScreens screens;
    QApplication application(argc, argv);
    TestMainWindow test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_main_window.moc"
