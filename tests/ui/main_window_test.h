#pragma once

#include <memory>

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QtTest>

#include "tests/ui/screens.h"
#include "ui/main_window.h"
#include "ui/style.h"

namespace headscope {

/// A window that is shown, and what it asks for, in order. The controls are found by their object names.
class MainWindowTest : public QObject {
protected:
    /// A new window, which has asked for nothing yet.
    void open() {
        m_window = std::make_unique<MainWindow>();
        m_asked.clear();
        m_experiment = m_twin = {};
        const auto note = [this](const char* what) { m_asked << QLatin1String(what); };
        connect(m_window.get(), &MainWindow::restartRequested, this, [=, this](const Experiment& e) {
            m_experiment = e;
            note("restart");
        });
        connect(m_window.get(), &MainWindow::compareRequested, this,
                [=, this](const Experiment& e, const Experiment& twin) {
                    m_experiment = e;
                    m_twin = twin;
                    note("compare");
                });
        connect(m_window.get(), &MainWindow::carryOnRequested, this, [=, this](const Experiment& e) {
            m_experiment = e;
            note("carry on");
        });
        connect(m_window.get(), &MainWindow::headModesRequested, this,
                [=, this](const std::vector<HeadMode>& modes) {
                    m_modes = modes;
                    note("modes");
                });
        connect(m_window.get(), &MainWindow::pauseRequested, this,
                [=](bool paused) { note(paused ? "pause" : "go on"); });
        connect(m_window.get(), &MainWindow::stepRequested, this, [=] { note("step"); });
        connect(m_window.get(), &MainWindow::paceRequested, this, [this](double pace) { m_pace = pace; });
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

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
    Experiment m_experiment, m_twin;  // last asked for
    std::vector<HeadMode> m_modes;
    double m_pace = 0;
};

/// What main() does: the window finds a screen on which it fits in its first size.
template <class Test>
int runOnALargeScreen(int argc, char** argv) {
    const TestScreens screens;
    QApplication application(argc, argv);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

}  // namespace headscope
