#include <cmath>

#include <QComboBox>

#include "tests/ui/main_window_test.h"
#include "ui/shapes_card.h"
#include "ui/tick_slider.h"

using namespace headscope;

/// What the controls of the window ask for. By object name: paceSlider, paceText, headsSlider, headsCount,
/// headsWidth, scalingSwitch, scalingMatters, onChangeRestart, onChangeCarryOn, and those of
/// test_experiment_card.
class TestMainWindowControls : public MainWindowTest {
    Q_OBJECT
private slots:
    void initTestCase() { applyStyle(*qApp); }
    void init() { open(); }
    void cleanup() { m_window.reset(); }

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
};

int main(int argc, char** argv) { return runOnALargeScreen<TestMainWindowControls>(argc, argv); }

#include "test_main_window_controls.moc"
