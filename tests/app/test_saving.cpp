#include <cstdint>
#include <cstdlib>
#include <new>

#include "engine/training/trainer.h"
#include "tests/app/document_window.h"
#include "tests/app/no_threads.h"

using namespace headscope;

namespace {

std::size_t largestBlock = SIZE_MAX;

}  // namespace

/// Memory of which there is no larger block.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return size > largestBlock ? nullptr : std::malloc(size);
}
void* operator new(std::size_t size) {
    if (void* block = operator new(size, std::nothrow)) return block;
    throw std::bad_alloc();
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

/// What becomes of a save, and of a file that is being read, whatever else happens.
class TestSaving : public QObject, DocumentWindow {
    Q_OBJECT
private slots:
    void init() { setUp(); }
    void cleanup() { close(); }

    void aSaveJustBeforeTheEndIsMade() {
        begin();
        emit m_window->saveRequested(m_place->filePath("x.headscope"));
        emit m_window->saveRequested(m_place->filePath("none/x.headscope"));
        QVERIFY(m_document->isSaving());
        const std::vector<Refusal> refused = m_document->end();
        m_document->keepLast();
        QCOMPARE(refused.size(), std::size_t{1});
        QVERIFY(QString::fromUtf8(refused[0].what()).contains("none/x.headscope"));
        readSession(m_place->filePath("x.headscope").toStdString());
        readSession(m_place->filePath("sittings/last.headscope").toStdString());
    }

    void aSaveIsMadeThoughARestartFollowsAtOnce() {
        begin();
        const QString first = m_place->filePath("first.headscope"), second = m_place->filePath("2.headscope");
        emit m_window->saveRequested(first);
        find<QAction>("restartAction")->trigger();
        m_experiment.seed = 7;
        m_bridge->start(m_experiment, kUnlimitedPace);
        emit m_window->saveRequested(second);
        m_experiment.model.n_heads = 8;
        m_bridge->start(m_experiment, kUnlimitedPace);
        QTRY_VERIFY(QFile::exists(first) && QFile::exists(second));
        QTRY_VERIFY(!m_document->isSaving());
        const StoredSession a = readSession(first.toStdString()), b = readSession(second.toStdString());
        QCOMPARE(a.checkpoint.first.experiment.seed, Experiment{}.seed);
        QCOMPARE(std::size_t(a.checkpoint.first.steps_done), a.record.curve.size());
        QVERIFY(a.record.curve.size() > 3);
        QCOMPARE(b.checkpoint.first.experiment.seed, 7);
        QCOMPARE(b.checkpoint.first.experiment.model.n_heads, 4);
        QTRY_COMPARE(m_window->record().experiment.model.n_heads, 8);
        QCOMPARE(m_window->windowTitle(), "Headscope[*]");  // the run there is was not saved
        QCOMPARE(problem(), "");
    }

    void aSaveThatNoCheckpointComesForIsSaid() {
        begin();
        Update update;
        update.run = m_window->record().run;
        for (const bool failed : {true, false}) {
            emit m_window->saveRequested(m_place->filePath("x.headscope"));
            update.state = failed ? RunState::Failed : RunState::Running;
            update.checkpoint_failed = !failed;
            emit m_bridge->passed(update);
            QVERIFY2(problem().contains("x.headscope was not saved: "), qPrintable(problem()));
            QVERIFY(!m_document->isSaving());
        }
        const Trainer trainer(m_experiment);
        update.checkpoint_failed = false;
        update.checkpoint = std::make_shared<const Checkpoint>(Checkpoint{trainer.state(), std::nullopt, {}});
        emit m_window->saveRequested(m_place->filePath("x.headscope"));
        largestBlock = 1000;
        emit m_bridge->passed(update);
        largestBlock = SIZE_MAX;
        QVERIFY2(problem().endsWith("there is not enough memory for it"), qPrintable(problem()));
        emit m_window->openRequested(
            QStringLiteral(HEADSCOPE_TEST_DATA "/reference/lesson_repeat.safetensors"));
        QTRY_VERIFY(m_window->findChild<QWidget*>("attentionWindow"));  // it does not wait for them
    }

    void aWindowThatIsClosedWaitsForASave() {
        begin();
        emit m_window->saveRequested(m_place->filePath("x.headscope"));
        QVERIFY(!m_window->close());
        QVERIFY(m_window->isVisible());
        QTRY_VERIFY(!m_window->isVisible());
        readSession(m_place->filePath("x.headscope").toStdString());
    }

    void aWindowStaysWhereASaveIsRefused() {
        begin();
        emit m_window->saveRequested(m_place->filePath("none/x.headscope"));
        QVERIFY(!m_window->close());
        QTRY_VERIFY(problem().contains("none/x.headscope"));
        QVERIFY(m_window->isVisible());
        emit m_window->saveRequested(m_place->filePath("none/x.headscope"));
        QCOMPARE(problem(), "");
        QVERIFY(!m_window->close());
        QVERIFY(m_window->close());  // whoever insists is told by end()
        QCOMPARE(m_document->end().size(), std::size_t{1});
    }

    void anotherWindowOpensWhatIsBeingRead() {
        begin();
        saveAs(m_place->filePath("x.headscope"));
        find<QAction>("restartAction")->trigger();
        QTRY_COMPARE(m_window->windowTitle(), "Headscope[*]");
        emit m_window->openRequested(m_place->filePath("x.headscope"));
        emit m_window->saveRequested(m_place->filePath("none/x.headscope"));
        Document::Handover handover = m_document->handOver();
        close();
        open();
        m_document->takeOver(std::move(handover));
        QVERIFY(problem().contains("none/x.headscope"));
        QTRY_COMPARE(m_window->windowTitle(), "x.headscope[*]");
    }

    void attentionIsReadBesideTheWindow() {
        begin();
        pause();
        const QString before = hint();
        const QString file = QStringLiteral(HEADSCOPE_TEST_DATA "/reference/lesson_repeat.safetensors");
        emit m_window->openRequested(file);
        QVERIFY(!m_window->findChild<QWidget*>("attentionWindow"));
        QCOMPARE(hint(), "Reading lesson_repeat.safetensors…");
        emit m_window->openRequested(m_place->filePath("x.headscope"));
        QVERIFY2(hint().contains("is still being read"), qPrintable(hint()));
        QTRY_VERIFY(m_window->findChild<QWidget*>("attentionWindow"));
        QCOMPARE(m_settings->value(setting::kRecentFiles), QStringList{file});
        QCOMPARE(hint(), before);
    }

    void aSystemThatStartsNoThreadIsSaid() {
        begin();
        pause();
        noThreads = true;
        emit m_window->openRequested(m_place->filePath("x.headscope"));
        QVERIFY2(problem().startsWith("the system starts no further thread: "), qPrintable(problem()));
        emit m_window->saveRequested(m_place->filePath("x.headscope"));
        QCOMPARE(problem(), "");
        QTRY_VERIFY(problem().startsWith("the system starts no further thread: "));
        noThreads = false;
        QVERIFY(!m_document->isSaving());
        saveAs(m_place->filePath("x.headscope"));
    }
};

QTEST_MAIN(TestSaving)
#include "test_saving.moc"
