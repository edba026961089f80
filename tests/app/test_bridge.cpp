#include <set>

#include <QAction>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QtTest>

#include "app/bridge.h"
#include "app/lesson_library.h"
#include "engine/training/weights_file.h"
#include "ui/export_dialog.h"
#include "ui/head_grid.h"
#include "ui/loss_chart.h"

using namespace headscope;

/// The whole program but its main(): a real session behind the real window.
class TestBridge : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_window = std::make_unique<MainWindow>();
        m_window->setLessons(builtInLessons());
        m_window->showLesson("copy");
        m_bridge = std::make_unique<Bridge>(*m_window);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_grid = find<HeadGrid>("headGrid");
        m_chart = find<LossChart>("lossChart");
        m_experiment = Experiment{};
        m_experiment.steps = 1'000'000'000;
    }

    void cleanup() {
        m_bridge.reset();
        m_window.reset();
    }

    void theCurveGrowsAndTheHeadsForm() {
        m_bridge->start(m_experiment, 1000);
        QTRY_COMPARE(tiles(), 4);
        QTRY_VERIFY(step() > 3);
        const auto before = step();
        const auto snapshot = m_grid->snapshot();
        QTRY_VERIFY(step() > before);
        QTRY_VERIFY(m_grid->snapshot()->steps_done > snapshot->steps_done);
        QVERIFY(m_grid->snapshot()->experiment == m_experiment);
    }

    void startAndPause() {
        m_bridge->start(m_experiment, kUnlimitedPace);
        auto* button = find<QPushButton>("startButton");
        QTRY_VERIFY(step() > 0);
        QTRY_COMPARE(button->text(), "Pause");
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(button->text(), "Start");
        const auto paused = step();
        QTest::mouseClick(find<QPushButton>("stepButton"), Qt::LeftButton);
        QTRY_COMPARE(step(), paused + 1);
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY(step() > paused + 1);
    }

    void weightsAreSavedWhileItTrains() {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        const QTemporaryDir directory;
        const QString path = directory.filePath("weights.safetensors");
        m_bridge->start(m_experiment, kUnlimitedPace);
        QTRY_VERIFY(step() > 0);
        m_window->findChild<QAction*>("weightsDataAction")->trigger();
        QTRY_VERIFY(m_window->findChild<QFileDialog*>());
        auto* chooser = m_window->findChild<QFileDialog*>();
        chooser->selectFile(path);
        QMetaObject::invokeMethod(chooser, "accept");
        QTRY_VERIFY(QFile::exists(path));
        const Safetensors file = Safetensors::read(path.toStdString());
        QCOMPARE(file.tensor("token_emb.embedding.weight").shape, (std::vector<std::size_t>{64, 32}));
        QVERIFY(std::holds_alternative<ModelWeights>(weightsFrom(file)));
    }

    void draggingToEightHeadsShowsEightTiles() {
        m_bridge->start(m_experiment, kUnlimitedPace);
        QTRY_COMPARE(tiles(), 4);
        QTRY_VERIFY(step() > 0);
        dragHeadsFrom(2, 3);
        QTRY_COMPARE(tiles(), 8);
        QCOMPARE(m_chart->ghostCount(), 1);
        QCOMPARE(m_chart->ghostLabels(), QStringList{"4 heads"});
        QVERIFY(m_grid->cellRect({7, 11, 0}).isValid());
    }

    void theScalingSwitchBeginsANewRunBesideAGhost() {
        m_bridge->start(m_experiment, kUnlimitedPace);
        QTRY_VERIFY(step() > 0);
        click("scalingSwitch");
        QTRY_VERIFY(m_grid->snapshot() && !m_grid->snapshot()->experiment.model.scale_scores);
        QCOMPARE(m_chart->ghostCount(), 1);
        QVERIFY(!m_chart->experiment()->model.scale_scores);
    }

    void carryingOnKeepsTheRun() {
        m_bridge->start(m_experiment, kUnlimitedPace);
        QTRY_VERIFY(step() > 0);
        click("onChangeCarryOn");
        const auto before = step();
        click("scalingSwitch");
        QTRY_VERIFY(!m_grid->snapshot()->experiment.model.scale_scores);
        QVERIFY(m_grid->snapshot()->steps_done >= before);
        QCOMPARE(m_chart->ghostCount(), 0);
    }

    void aMutedHeadIsMutedAndUndone() {
        m_bridge->start(m_experiment, kUnlimitedPace);
        QTRY_VERIFY(step() > 0);
        QTest::keyClick(m_window.get(), Qt::Key_2);
        QTRY_COMPARE(m_grid->snapshot()->modes[1], HeadMode::Muted);
        QTRY_VERIFY(m_chart->description().contains("head 2 muted"));
        QTest::keyClick(m_window.get(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(m_grid->snapshot()->modes[1], HeadMode::Trained);
    }

    void aProbeOfOneRowIsShown() {
        m_bridge->start(m_experiment, kUnlimitedPace);
        QTRY_VERIFY(step() > 0);
        Probe probe;
        probe.row = 3;
        probe.ripple = Ripple{5, 7};
        emit m_window->probeRequested(probe);
        QTRY_VERIFY(m_grid->snapshot()->probe == probe);
        const std::vector<float>& ripple = m_grid->snapshot()->ripple;
        QCOMPARE(ripple.size(), std::size_t{12});
        for (std::size_t t = 0; t < 5; ++t) QCOMPARE(ripple[t], 0.f);  // none to the left
        QVERIFY(ripple[5] > 0);
    }

    void twinsLearnInLockstep() {
        m_experiment.steps = 40;
        m_bridge->start(m_experiment, kUnlimitedPace);
        Experiment twin = m_experiment;
        twin.model.scale_scores = false;
        emit m_window->compareRequested(m_experiment, twin);
        auto* twinGrid = find<HeadGrid>("twinGrid");
        QTRY_VERIFY(twinGrid->snapshot() && twinGrid->snapshot()->steps_done == 40);
        QCOMPARE(m_grid->snapshot()->steps_done, 40);
        QVERIFY(!twinGrid->snapshot()->experiment.model.scale_scores);
        QVERIFY(*m_chart->smoothedTwinLoss() != *m_chart->smoothedLoss());
        emit m_window->compareRequested(m_experiment, m_experiment);  // the same: the same curve
        QTRY_COMPARE(m_chart->runLabels(), (QStringList{"the same", "the same"}));
        QTRY_VERIFY(m_chart->lastPoint() && m_chart->lastPoint()->step == 39);
        QCOMPARE(*m_chart->smoothedTwinLoss(), *m_chart->smoothedLoss());
    }

    void aFinishedRunStartsAgain() {
        m_experiment.steps = 5;
        m_bridge->start(m_experiment, kUnlimitedPace);
        QTRY_COMPARE(find<QLabel>("statusState")->text(), "finished");
        QCOMPARE(step(), 4);
        QCOMPARE(m_grid->snapshot()->steps_done, 5);
        QTest::mouseClick(find<QPushButton>("startButton"), Qt::LeftButton);
        QTRY_COMPARE(m_chart->ghostCount(), 1);
        QTRY_COMPARE(step(), 4);
    }

    void aRunThatDivergesCanBeRestarted() {
        m_experiment.learning_rate = 1e30;
        m_bridge->start(m_experiment, kUnlimitedPace);
        QTRY_VERIFY(find<QLabel>("statusState")->text().startsWith("diverged"));
        m_experiment.learning_rate = 5e-3;
        emit m_window->restartRequested(m_experiment);
        QTRY_VERIFY(step() > 10);
    }

    void aRefusalIsSaidAndTheRunGoesOn() {
        m_bridge->start(m_experiment, kUnlimitedPace);
        QTRY_VERIFY(step() > 0);
        Experiment impossible = m_experiment;
        impossible.model.n_heads = 5;
        emit m_window->restartRequested(impossible);
        QTRY_VERIFY(shownSomewhere("n_heads 5 does not divide d_model 32"));
        impossible = m_experiment;
        impossible.model.context_length = 13;
        emit m_window->carryOnRequested(impossible);
        const auto before = step();
        QTRY_VERIFY(step() > before);
        QCOMPARE(m_chart->ghostCount(), 0);
    }

    void whatIsExportedIsTheCausalTriangle() {
        m_experiment.steps = 20;
        m_bridge->start(m_experiment, kUnlimitedPace);
        QTRY_VERIFY(m_grid->snapshot() && m_grid->snapshot()->steps_done == 20);
        find<QAction>("exportHeadAction")->trigger();
        auto* dialog = find<ExportDialog>("exportDialog");
        const QTemporaryDir place;
        QVERIFY(dialog->saveTo(place.filePath("head.png")));
        dialog->close();

        const std::vector<int> widths = cellWidths(QImage(place.filePath("head.png")));
        QCOMPARE(widths.size(), 12u);
        for (std::size_t row = 0; row < widths.size(); ++row)
            QVERIFY2(std::abs(widths[row] - widths[0] * int(row + 1)) <= 3 * int(row + 1),
                     qPrintable(QStringLiteral("row %1 is %2 wide").arg(row).arg(widths[row])));
    }

private:
    template <typename T>
    T* find(const char* name) const {
        T* found = m_window->findChild<T*>(QLatin1String(name));
        if (!found) qFatal("there is no %s", name);
        return found;
    }

    void click(const char* name) {
        auto* widget = find<QWidget>(name);
        QTest::mouseClick(widget, Qt::LeftButton, {}, QPoint(widget->height() / 2, widget->height() / 2));
    }

    std::int64_t step() const { return m_chart->lastPoint() ? m_chart->lastPoint()->step : -1; }
    int tiles() const { return m_grid->snapshot() ? m_grid->snapshot()->experiment.model.n_heads : 0; }

    bool shownSomewhere(const QString& text) const {
        for (const QLabel* label : m_window->findChildren<QLabel*>())
            if (label->text().contains(text) && label->isVisible()) return true;
        return false;
    }

    /// Drags the handle between two places of the six that d_model 32 has.
    void dragHeadsFrom(int from, int to) {
        auto* slider = find<QWidget>("headsSlider");
        const auto place = [&](int i) { return QPoint(10 + i * (slider->width() - 20) / 5, 10); };
        QTest::mousePress(slider, Qt::LeftButton, {}, place(from));
        QTest::mouseMove(slider, place(to));
        QTest::mouseRelease(slider, Qt::LeftButton, {}, place(to));
    }

    static std::vector<int> cellWidths(const QImage& picture);

    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<Bridge> m_bridge;
    HeadGrid* m_grid = nullptr;
    LossChart* m_chart = nullptr;
    Experiment m_experiment;
};

/// The widths of the rows of cells in the picture of one head, from the top. A cell is what has a color of
/// the scale; a row is what begins where the cell in the top left begins.
std::vector<int> TestBridge::cellWidths(const QImage& picture) {
    std::set<QRgb> scale;
    for (int i = 0; i < 256; ++i) scale.insert(colorOf(Colormap::Viridis, i / 255.0f));
    const auto isCell = [&](int x, int y) { return scale.contains(picture.pixel(x, y)); };

    int left = -1;
    std::vector<int> widths;
    bool inside = false;
    for (int y = 0; y < picture.height(); ++y) {
        int x = left;
        for (int first = 0; left < 0 && first < picture.width() && x < 0; ++first)
            if (isCell(first, y)) x = left = first;
        const bool row = x >= 0 && isCell(x, y);
        if (row && !inside) {
            int right = x;
            for (int gap = 0; gap <= 6 && right + gap < picture.width(); ++gap)
                if (isCell(right + gap, y + 2)) right += gap, gap = 0;
            widths.push_back(right - x + 1);
        }
        inside = row;
    }
    return widths;
}

QTEST_MAIN(TestBridge)
#include "test_bridge.moc"
