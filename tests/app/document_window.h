#pragma once

#include <memory>

#include <QAction>
#include <QFileDialog>
#include <QLabel>
#include <QPushButton>
#include <QtTest>

#include "app/document.h"
#include "app/lesson_library.h"
#include "ui/head_grid.h"
#include "ui/offer_bar.h"
#include "ui/output_files.h"

namespace headscope {

/// For tests of the whole program but its main(): a real session behind the real window, and real files.
class DocumentWindow {
protected:
    void setUp() {
        m_place = std::make_unique<QTemporaryDir>();
        QVERIFY(m_place->isValid());
        m_settings = std::make_unique<Settings>(m_place->filePath("settings.ini"), [](const Refusal&) {});
        open();
        m_experiment = Experiment{};
        m_experiment.steps = 1'000'000;
    }

    void open() {
        m_window = std::make_unique<MainWindow>();
        m_window->setLessons(builtInLessons(QStringLiteral("en")));
        m_bridge = std::make_unique<Bridge>(*m_window);
        m_document = std::make_unique<Document>(*m_window, *m_bridge, *m_settings,
                                                std::make_unique<Sitting>(m_place->filePath("sittings")));
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void close() {
        m_document.reset();
        m_bridge.reset();
        m_window.reset();
    }

    /// As by another program.
    void reopen() {
        if (m_document) end();
        close();
        open();
    }

    void begin(double pace = kUnlimitedPace) {
        m_window->showPace(pace);
        m_bridge->start(m_experiment, pace);
        QTRY_VERIFY(m_window->record().curve.size() > 3);
    }

    void pause() {
        auto* button = find<QPushButton>("startButton");
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_COMPARE(button->text(), "Start");
        // What there is of it is shown.
        QTRY_COMPARE(std::size_t(grid()->snapshot()->steps_done), m_window->record().curve.size());
    }

    void finish() {
        QTest::mouseClick(find<QPushButton>("startButton"), Qt::LeftButton);
        QTRY_COMPARE(m_window->record().curve.size(), std::size_t(m_experiment.steps));
    }

    void saveAs(const QString& path) {
        find<QAction>("saveAsAction")->trigger();
        auto* dialog = m_window->findChild<QFileDialog*>("saveDialog");
        QVERIFY(dialog);
        emit dialog->fileSelected(path);
        dialog->close();
        QTRY_VERIFY2(m_window->windowTitle() == QFileInfo(path).fileName() + "[*]", qPrintable(hint()));
    }

    /// A sitting of m_left steps that did not end well.
    void leaveASitting() {
        begin();
        end();
        m_left = m_window->record().curve.size();
        close();
        QVERIFY(QFile::rename(m_place->filePath("sittings/last.headscope"),
                              m_place->filePath("sittings/crashed.headscope")));
    }

    void end() {
        QVERIFY(m_document->end().empty());
        m_document->keepLast();
    }

    /// Nothing where none is shown.
    QString problem() const {
        const auto* bar = find<OfferBar>("problemBar");
        return bar->isHidden() ? QString() : bar->sentence();
    }
    QString hint() const { return m_window->findChild<QLabel*>("statusHint")->text(); }
    HeadGrid* grid() const { return find<HeadGrid>("headGrid"); }

    template <class T>
    T* find(const char* name) const {
        T* found = m_window->findChild<T*>(QLatin1String(name));
        if (!found) qFatal("there is no %s", name);
        return found;
    }

    std::unique_ptr<QTemporaryDir> m_place;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<Bridge> m_bridge;
    std::unique_ptr<Document> m_document;
    Experiment m_experiment;
    std::size_t m_left = 0;
};

}  // namespace headscope
