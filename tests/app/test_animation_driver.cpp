#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include "app/animation_driver.h"
#include "tests/app/no_threads.h"
#include "tests/app/recorded_run.h"

using namespace headscope;

/// The dialog with the thread behind it.
class TestAnimationDriver : public QObject {
    Q_OBJECT
private slots:
    void init() {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        m_window = std::make_unique<QWidget>();
        openAnimation(recordedRun(250), m_window.get());
        m_dialog = m_window->findChild<AnimationDialog*>("animationDialog");
        QVERIFY(m_dialog);
    }
    void cleanup() { m_window.reset(); }

    void saysHowLongItWillBe() {
        // About a hundred frames of a long run, until another number is chosen.
        QCOMPARE(child<QSpinBox>("animationEvery").value(), 3);
        QCOMPARE(child<QLabel>("animationLength").text(), "84 frames, 10.5 seconds");
        child<QSpinBox>("animationEvery").setValue(100);
        QCOMPARE(child<QLabel>("animationLength").text(), "4 frames, 0.5 seconds");
    }

    void savesAndSaysSo() {
        const QTemporaryDir directory;
        child<QSpinBox>("animationEvery").setValue(100);
        child<QSpinBox>("animationWidth").setValue(320);
        child<QSpinBox>("animationHeight").setValue(200);
        save(directory.filePath("run.gif"));
        QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>("animationMessage").text().startsWith("Saved "), 60'000);
        QVERIFY(QFile::exists(directory.filePath("run.gif")));
        QVERIFY(child<QSpinBox>("animationEvery").isEnabled());
        save(directory.filePath("missing/run.gif"));
        QTRY_VERIFY_WITH_TIMEOUT(child<QLabel>("animationMessage").text().startsWith("cannot write "),
                                 60'000);
        save(directory.filePath("run.png"));
        QTRY_VERIFY(child<QLabel>("animationMessage").text().contains(".gif, .webp or .mp4"));
    }

    void aSystemThatStartsNoThreadIsSaid() {
        const QTemporaryDir directory;
        noThreads = true;
        save(directory.filePath("run.gif"));
        noThreads = false;
        const QString said = child<QLabel>("animationMessage").text();
        QVERIFY2(said.startsWith("the system starts no further thread: "), qPrintable(said));
        QVERIFY(QDir(directory.path()).isEmpty());
    }

    void cancelLeavesNoFile() {
        const QTemporaryDir directory;
        child<QSpinBox>("animationEvery").setValue(1);
        save(directory.filePath("run.webp"));
        QTRY_VERIFY_WITH_TIMEOUT(child<QProgressBar>("animationProgress").value() > 0, 60'000);
        QVERIFY(!child<QSpinBox>("animationEvery").isEnabled());
        child<QPushButton>("animationSave").click();
        QVERIFY(child<QLabel>("animationMessage").text().startsWith("Canceled"));
        QVERIFY(QDir(directory.path()).isEmpty());
    }

    void closingTheWindowEndsIt() {
        const QTemporaryDir directory;
        save(directory.filePath("run.gif"));
        QTRY_VERIFY_WITH_TIMEOUT(child<QProgressBar>("animationProgress").value() > 0, 60'000);
        m_window.reset();
        QVERIFY(QDir(directory.path()).isEmpty());
    }

private:
    template <typename T>
    T& child(const char* name) const {
        return *m_dialog->findChild<T*>(QString::fromLatin1(name));
    }

    void save(const QString& path) {
        child<QPushButton>("animationSave").click();
        auto* chooser = m_dialog->findChild<QFileDialog*>();
        QVERIFY(chooser);
        emit chooser->fileSelected(path);  // the directory may be missing, which the chooser would not have
        chooser->close();
        QTRY_VERIFY(!m_dialog->findChild<QFileDialog*>());
    }

    std::unique_ptr<QWidget> m_window;
    AnimationDialog* m_dialog = nullptr;
};

QTEST_MAIN(TestAnimationDriver)
#include "test_animation_driver.moc"
