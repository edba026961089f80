#include <memory>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QtTest>

#include "tests/ui/snapshots.h"
#include "ui/main_window.h"
#include "ui/style.h"
#include "ui/tour.h"

using namespace headscope;

class TestHelp : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QApplication::setApplicationVersion("1.2.3");
        applyStyle(*qApp);
    }

    void init() {
        m_window = std::make_unique<MainWindow>();
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    void cleanup() { m_window.reset(); }

    void theTourGoesFromStopToStopAndEnds() {
        m_window->startTour();
        QStringList titles;
        while (auto* tour = m_window->findChild<Tour*>()) {
            QVERIFY(tour->isVisible());
            QVERIFY2(m_window->rect().contains(tour->geometry()), qPrintable(tour->accessibleName()));
            QVERIFY(!tour->accessibleDescription().isEmpty());
            titles << tour->accessibleName();
            QVERIFY(titles.size() <= 4);
            tour->findChild<QPushButton*>("tourNext")->click();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        QCOMPARE(titles.size(), 4);
        QCOMPARE(QSet<QString>(titles.begin(), titles.end()).size(), 4);
    }

    void theTourCoversNothingItSpeaksOf_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280 × 800") << QSize(1280, 800);
        QTest::newRow("1024 × 700") << QSize(1024, 700);
    }

    void theTourCoversNothingItSpeaksOf() {
        QFETCH(QSize, size);
        m_window->resize(size);
        QCoreApplication::processEvents();
        m_window->startTour();
        for (const char* name : {"headGridCard", "lossCard", "scalingSwitch", "timeline"}) {
            auto* tour = m_window->findChild<Tour*>();
            QVERIFY(tour);
            const auto* what = m_window->findChild<QWidget*>(QLatin1String(name));
            QVERIFY2(!tour->geometry().intersects(QRect(what->mapTo(m_window.get(), QPoint()), what->size())),
                     name);
            tour->next();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
    }

    void theTourLeavesTheKeysToTheRun() {
        int starts = 0;
        connect(m_window.get(), &MainWindow::restartRequested, this, [&] { ++starts; });
        m_window->startTour();
        QTest::keyClick(m_window.get(), Qt::Key_Space);
        QCOMPARE(starts, 1);
        QVERIFY(m_window->findChild<Tour*>());
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(!m_window->findChild<Tour*>());
    }

    void aLectureEndsTheTour() {
        m_window->startTour();
        action("lectureAction")->trigger();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QVERIFY(!m_window->findChild<Tour*>());
        m_window->startTour();
        QVERIFY(!m_window->findChild<Tour*>());
        action("lectureAction")->trigger();
    }

    void f1ListsEveryKeyThereIs() {
        QTest::keyClick(m_window.get(), Qt::Key_F1);
        auto* dialog = m_window->findChild<QDialog*>("keysDialog");
        QVERIFY(dialog && dialog->isVisible());
        QString text;
        for (const QLabel* label : dialog->findChildren<QLabel*>()) text += label->text();
        int keys = 0;
        for (const QAction* action : m_window->findChildren<QAction*>())
            for (const QKeySequence& key : action->shortcuts()) {
                QVERIFY2(text.contains(key.toString(QKeySequence::NativeText).toHtmlEscaped()),
                         qPrintable(action->text()));
                ++keys;
            }
        QVERIFY(keys > 20);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!dialog->isVisible());
    }

    void aboutTellsVersionsAndLicenses() {
        m_window->setOtherLibraries({{"libother", "7.8.9", "MIT"}});
        action("aboutAction")->trigger();
        auto* dialog = m_window->findChild<QDialog*>("aboutDialog");
        QVERIFY(dialog && dialog->isVisible());
        QCOMPARE(dialog->findChild<QLabel*>("aboutName")->text(), "Headscope 1.2.3");
        const auto* libraries = dialog->findChild<QLabel*>("aboutLibraries");
        QCOMPARE(libraries->textFormat(), Qt::RichText);
        const QString table = libraries->text();
        for (const char* library : {"Qt", qVersion(), "QCustomPlot", "2.1", "Eigen", "3.4", "Highway",
                                    "GPL-3.0-or-later", "libother", "7.8.9"})
            QVERIFY2(table.contains(QLatin1String(library)), library);
        dialog->findChild<QPushButton*>("aboutCopy")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), m_window->diagnostics());
    }

    void diagnosticsTellVersionsScreensAndTheExperiment() {
        Update update;
        update.run = 7;
        update.state = RunState::Paused;
        update.steps_done = 41;
        update.experiment.seed = 4711;
        m_window->showUpdate(update);
        action("diagnosticsAction")->trigger();
        const QString text = QGuiApplication::clipboard()->text();
        for (const QString& fact : {QString("Headscope 1.2.3\n"), QStringLiteral("Qt %1\n").arg(qVersion()),
                                    QString("Matrices by "), QString("Screen "), QString("run 7 at step 41"),
                                    QString("\"seed\": 4711")})
            QVERIFY2(text.contains(fact), qPrintable(fact));
    }

private:
    QAction* action(const char* name) { return m_window->findChild<QAction*>(QLatin1String(name)); }

    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestHelp)
#include "test_help.moc"
