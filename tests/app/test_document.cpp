#include <QMenu>
#include <QMimeData>

#include "app/panel_json.h"
#include "engine/training/trainer.h"
#include "tests/app/document_window.h"
#include "ui/card.h"
#include "ui/loss_chart.h"

using namespace headscope;

namespace {

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestDocument : public QObject, DocumentWindow {
    Q_OBJECT
private slots:
    void init() { setUp(); }
    void cleanup() { close(); }

    void aSavedRunOpensAsItWas() {
        begin();
        QTest::keyClick(m_window.get(), Qt::Key_2);  // mutes head 2
        QTRY_VERIFY(m_window->record().changes.size() == 1);
        pause();
        const QString file = m_place->filePath("a run.headscope");
        saveAs(file);
        const auto curve = m_window->record().curve;
        const auto weights = grid()->snapshot()->weights;
        reopen();
        emit m_window->openRequested(file);
        QTRY_COMPARE(m_window->windowTitle(), "a run.headscope[*]");
        QVERIFY(m_window->record().curve == curve);
        QVERIFY(grid()->snapshot()->weights == weights);
        QTRY_VERIFY(grid()->snapshot()->modes[1] == HeadMode::Muted);
        QCOMPARE(find<QPushButton>("startButton")->text(), "Start");
        QCOMPARE(find<LossChart>("lossChart")->ghostCount(), 0);
        QVERIFY(find<LossChart>("lossChart")->description().contains("head 2 muted"));
        QVERIFY(!m_window->isWindowModified());
        QTest::mouseClick(find<QPushButton>("startButton"), Qt::LeftButton);
        QTRY_VERIFY(m_window->record().curve.size() > curve.size());
        QTRY_VERIFY(m_window->isWindowModified());
    }

    void carryingOnInTheWindowGivesTheSameBits() {
        m_experiment.steps = 400;
        begin(200);  // time to pause it
        pause();
        const QString file = m_place->filePath("x.headscope");
        saveAs(file);
        finish();
        const QString whole = m_place->filePath("whole.headscope");
        saveAs(whole);
        reopen();
        emit m_window->openRequested(file);
        QTRY_COMPARE(m_window->windowTitle(), "x.headscope[*]");
        finish();
        const QString resumed = m_place->filePath("resumed.headscope");
        saveAs(resumed);
        const StoredSession a = readSession(whole.toStdString()), b = readSession(resumed.toStdString());
        QVERIFY(a.record.curve == b.record.curve);
        QCOMPARE(a.record.curve.size(), std::size_t{400});
        QVERIFY(std::ranges::equal(a.checkpoint.first.parameters.values(),
                                   b.checkpoint.first.parameters.values()));
        QVERIFY(a.checkpoint.first.batches == b.checkpoint.first.batches);
    }

    void anotherWindowCarriesARunOnWithTheSameBits() {
        m_experiment.steps = 2000;
        begin(800);                                  // time to hand it over
        QTest::keyClick(m_window.get(), Qt::Key_2);  // mutes head 2
        QTRY_VERIFY(m_window->record().changes.size() == 1);
        Document::Handover handover = m_document->handOver();
        QVERIFY(handover.is_running);
        const std::size_t made = handover.session->record.curve.size();
        close();
        open();
        m_document->takeOver(std::move(handover));
        QVERIFY(m_window->record().curve.size() >= made);
        QTRY_COMPARE_WITH_TIMEOUT(m_window->record().curve.size(), std::size_t(m_experiment.steps),
                                  60'000);  // nobody pressed Start

        Trainer alone(m_experiment);
        const HeadChange muting = std::get<HeadChange>(m_window->record().changes.front().what);
        LossCurve expected;
        while (alone.stepsDone() < m_experiment.steps) {
            if (alone.stepsDone() == muting.step)
                alone.setHeadModes(
                    {HeadMode::Trained, HeadMode::Muted, HeadMode::Trained, HeadMode::Trained});
            expected.add({alone.step()});
        }
        QVERIFY(m_window->record().curve == expected);
    }

    void aPausedRunStaysPausedInAnotherWindow() {
        begin();
        pause();
        const QString file = m_place->filePath("x.headscope");
        saveAs(file);
        Document::Handover handover = m_document->handOver();
        const auto curve = handover.session->record.curve;
        close();
        open();
        m_document->takeOver(std::move(handover));
        QVERIFY(m_window->record().curve == curve);
        QCOMPARE(m_window->windowTitle(), "x.headscope[*]");
        QVERIFY(!m_window->isWindowModified());
        QTRY_COMPARE(find<QPushButton>("startButton")->text(), "Start");
    }

    void anotherWindowShowsWhatWasSeenBefore() {
        m_experiment.model.n_heads = 8;
        begin();
        m_experiment.model.n_heads = 4;
        begin();  // and the one before is a ghost
        QTRY_COMPARE(grid()->snapshot()->modes.size(), std::size_t{4});
        const std::vector<HeadMode> none(4, HeadMode::Trained);
        for (const int head : {2, 3}) {
            QTest::mouseClick(find<QPushButton>(qPrintable(QStringLiteral("muteHead%1").arg(head))),
                              Qt::LeftButton);
            QTRY_COMPARE(m_window->record().changes.size(), std::size_t(head - 1));
        }
        pause();
        QTest::keyClick(find<QWidget>("timeline"), Qt::Key_Home);
        QCOMPARE(grid()->snapshot()->steps_done, std::int64_t{0});
        const QStringList ghosts = find<LossChart>("lossChart")->ghostLabels();
        QCOMPARE(ghosts.size(), 1);

        Document::Handover handover = m_document->handOver();
        close();
        open();
        m_document->takeOver(std::move(handover));
        QCOMPARE(find<LossChart>("lossChart")->ghostLabels(), ghosts);
        QCOMPARE(grid()->snapshot()->steps_done, std::int64_t{0});
        auto* undo = find<QPushButton>("undoHeadModes");
        QTest::mouseClick(undo, Qt::LeftButton);
        QTest::mouseClick(undo, Qt::LeftButton);
        QVERIFY(!undo->isEnabled());
        QTest::mouseClick(find<QPushButton>("startButton"), Qt::LeftButton);
        QTest::mouseClick(find<QPushButton>("liveButton"), Qt::LeftButton);
        QTRY_VERIFY(grid()->snapshot()->steps_done > 0 && grid()->snapshot()->modes == none);
    }

    void thePanelIsAsItWas() {
        QVERIFY(m_window->chooseLesson("causality"));  // which has a ripple
        QTRY_VERIFY(m_window->record().curve.size() > 0);
        pause();
        find<QAction>("probeAction")->setChecked(true);
        m_window->setColormap(Colormap::Magma);
        auto* title = find<Card>("headsCard")->findChild<CardTitle*>();
        QVERIFY(title);
        title->click();
        const PanelState panel = m_window->panelState();
        QCOMPARE(panel.lesson, "causality");
        QCOMPARE(panel.folded, QStringList{"headsCard"});
        const QString file = m_place->filePath("x.headscope");
        saveAs(file);
        const auto probe = grid()->snapshot()->probe;
        QVERIFY(probe.ripple.has_value());
        reopen();
        QVERIFY(m_window->panelState() != panel);
        emit m_window->openRequested(file);
        QTRY_COMPARE(m_window->windowTitle(), "x.headscope[*]");
        QCOMPARE(toJson(m_window->panelState()), toJson(panel));
        QTRY_VERIFY(grid()->snapshot()->probe == probe);
    }

    void aTwinIsThereAgain() {
        Experiment twin = m_experiment;
        twin.model.scale_scores = false;
        emit m_window->compareRequested(m_experiment, twin);
        QTRY_VERIFY(m_window->record().twin_curve.size() > 3);
        pause();
        const QString file = m_place->filePath("twins.headscope");
        saveAs(file);
        const auto curve = m_window->record().twin_curve;
        reopen();
        emit m_window->openRequested(file);
        QTRY_COMPARE(m_window->windowTitle(), "twins.headscope[*]");
        QVERIFY(m_window->record().twin_curve == curve);
        QCOMPARE(find<LossChart>("lossChart")->runLabels().size(), 2);
        QVERIFY(find<HeadGrid>("twinGrid")->snapshot() != nullptr);
    }

    void savingAgainAsksNothing() {
        begin();
        const QString file = m_place->filePath("x.headscope");
        saveAs(file);
        QTRY_VERIFY(m_window->isWindowModified());
        const QByteArray before = read(file);
        find<QAction>("saveAction")->trigger();
        QVERIFY(!m_window->findChild<QFileDialog*>("saveDialog"));
        QTRY_VERIFY(read(file) != before);
        readSession(file.toStdString());
    }

    void anotherRunIsNoLongerTheFile() {
        begin();
        saveAs(m_place->filePath("x.headscope"));
        const QByteArray before = read(m_place->filePath("x.headscope"));
        find<QAction>("restartAction")->trigger();
        QTRY_COMPARE(m_window->windowTitle(), "Headscope[*]");
        QVERIFY(!m_window->isWindowModified());
        find<QAction>("saveAction")->trigger();
        QTRY_VERIFY(m_window->findChild<QFileDialog*>("saveDialog"));  // it asks where to
        QTest::keyClick(m_window->findChild<QFileDialog*>("saveDialog"), Qt::Key_Escape);
        QTRY_VERIFY(!m_window->findChild<QFileDialog*>("saveDialog"));
        QCOMPARE(read(m_place->filePath("x.headscope")), before);
    }

    void recentFilesAreRememberedWithoutThoseThatAreGone() {
        begin();
        const QString one = m_place->filePath("one & two.headscope"),
                      gone = m_place->filePath("gone.headscope");
        saveAs(gone);
        saveAs(one);
        QCOMPARE(m_settings->value(setting::kRecentFiles), (QStringList{one, gone}));
        QVERIFY(QFile::remove(gone));
        reopen();
        const auto recent = [&] { return find<QMenu>("recentMenu")->actions(); };
        QCOMPARE(recent().size(), 2);
        QCOMPARE(recent()[0]->text(), "one && two.headscope");
        recent()[1]->trigger();
        QTRY_COMPARE(recent().size(), 1);
        QTRY_VERIFY(problem().contains("gone.headscope: there is no such file"));
        recent()[0]->trigger();
        QTRY_COMPARE(m_window->windowTitle(), "one & two.headscope[*]");
    }

    void aFileIsDroppedOnTheWindow() {
        begin();
        saveAs(m_place->filePath("x.headscope"));
        reopen();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(m_place->filePath("x.headscope"))});
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &drop);
        QTRY_COMPARE(m_window->windowTitle(), "x.headscope[*]");
    }

    void whatCannotBeOpenedIsSaidAndChangesNothing_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("reason");
        QTest::newRow("another kind") << "x.txt" << QByteArray("x") << "its name must end with .headscope";
        QTest::newRow("no attention") << "x.npy" << QByteArray("x") << "x.npy: ";
        QTest::newRow("empty") << "x.headscope" << QByteArray() << "the file is empty";
        QTest::newRow("a few bytes") << "x.headscope" << QByteArray("garbage")
                                     << "this is no session of Headscope";
        QTest::newRow("garbage") << "x.headscope" << QByteArray("garbage, garbage")
                                 << "this is no session of Headscope";
    }

    void whatCannotBeOpenedIsSaidAndChangesNothing() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(QString, reason);
        begin();
        const RunId run = m_window->record().run;
        writeFile(m_place->filePath(name), content);
        emit m_window->openRequested(m_place->filePath(name));
        QTRY_VERIFY2(problem().contains(reason), qPrintable(problem()));
        QCOMPARE(m_window->record().run, run);
        QCOMPARE(m_window->windowTitle(), "Headscope[*]");
    }

    void aFileThatCannotBeWrittenIsSaid() {
        begin();
        const QString file = m_place->filePath("none/x.headscope");
        emit m_window->saveRequested(file);
        QTRY_VERIFY2(problem().contains(file + ": No such file or directory"), qPrintable(problem()));
        pause();
        QVERIFY(problem().contains(file));  // stands until it has been read
        find<OfferBar>("problemBar")->findChild<QPushButton*>("offerDecline")->click();
        QCOMPARE(problem(), "");
        QCOMPARE(m_window->windowTitle(), "Headscope[*]");
    }

    void theSittingIsKeptAndOpensAgain() {
        begin();
        end();
        const auto curve = m_window->record().curve;
        QVERIFY(curve.size() > 0);
        QVERIFY(readSession(m_place->filePath("sittings/last.headscope").toStdString()).record.curve ==
                curve);
        reopen();
        QVERIFY(find<QWidget>("offerBar")->isHidden());  // it ended well
        QVERIFY(find<QAction>("lastSittingAction")->isEnabled());
        find<QAction>("lastSittingAction")->trigger();
        QTRY_VERIFY(m_window->record().curve == curve);
        QCOMPARE(m_window->windowTitle(), "Headscope[*]");  // it is of no file
    }

    void theRunThatAnOpenedOneReplacesIsKept() {
        begin();
        saveAs(m_place->filePath("x.headscope"));
        find<QAction>("restartAction")->trigger();
        QTRY_COMPARE(m_window->windowTitle(), "Headscope[*]");
        QTRY_VERIFY(m_window->record().curve.size() > 10);
        pause();
        const auto curve = m_window->record().curve;
        emit m_window->openRequested(m_place->filePath("x.headscope"));
        QTRY_COMPARE(m_window->windowTitle(), "x.headscope[*]");
        QVERIFY(m_window->record().curve != curve);
        find<QAction>("lastSittingAction")->trigger();
        QTRY_VERIFY(m_window->record().curve == curve);
        QCOMPARE(m_window->windowTitle(), "Headscope[*]");
    }

    void whatACrashLeftIsRestored() {
        leaveASitting();
        reopen();
        QVERIFY(find<QWidget>("offerBar")->isVisible());
        QTest::mouseClick(find<QPushButton>("offerAccept"), Qt::LeftButton);
        QTRY_COMPARE(m_window->record().curve.size(), m_left);
        QVERIFY(find<QWidget>("offerBar")->isHidden());
        reopen();
        QVERIFY(find<QWidget>("offerBar")->isHidden());
    }

    void whatACrashLeftIsDiscarded() {
        leaveASitting();
        reopen();
        QTest::mouseClick(find<QPushButton>("offerDecline"), Qt::LeftButton);
        QVERIFY(find<QWidget>("offerBar")->isHidden());
        reopen();
        QVERIFY(find<QWidget>("offerBar")->isHidden());
    }

    void whatACrashLeftWaitsForAnAnswer() {
        leaveASitting();
        reopen();
        reopen();
        QVERIFY(find<QWidget>("offerBar")->isVisible());
    }
};

QTEST_MAIN(TestDocument)
#include "test_document.moc"
