#include <QCheckBox>
#include <QDialog>
#include <QFileDialog>

#include "tests/ui/main_window_test.h"
#include "tests/ui/snapshots.h"
#include "ui/tick_slider.h"

using namespace headscope;

/// The window's keys and menus. Actions by object name: startAction, stepAction, restartAction,
/// scalingAction, moreHeadsAction, fewerHeadsAction, quitAction, export… and copy… Heads, Head and Loss,
/// …DataAction.
class TestMainWindowKeys : public MainWindowTest {
    Q_OBJECT
private slots:
    void initTestCase() { applyStyle(*qApp); }
    void init() { open(); }
    void cleanup() { m_window.reset(); }

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
};

int main(int argc, char** argv) { return runOnALargeScreen<TestMainWindowKeys>(argc, argv); }

#include "test_main_window_keys.moc"
