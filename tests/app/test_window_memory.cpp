#include <memory>

#include <QAction>
#include <QApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QTemporaryDir>
#include <QtTest>

#include "app/lesson_library.h"
#include "app/window_memory.h"
#include "tests/ui/screens.h"
#include "tests/ui/snapshots.h"
#include "ui/card.h"
#include "ui/export_dialog.h"
#include "ui/main_window.h"
#include "ui/style.h"
#include "ui/tour.h"

using namespace headscope;

/// What a window remembers, from one sitting to the next.
class TestWindowMemory : public QObject {
    Q_OBJECT
    struct Sitting {
        explicit Sitting(const QString& file, QStringList& warnings)
            : settings(file, [&](const Refusal& refusal) { warnings << refusal.what(); }),
              memory(window, settings) {
            window.setLessons(builtInLessons());
            window.show();
        }
        ~Sitting() { memory.keep(); }

        QAction* action(const char* name) const { return window.findChild<QAction*>(QLatin1String(name)); }
        void trigger(const QString& text) {
            for (QAction* found : window.findChildren<QAction*>())
                if (found->text().remove(u'&') == text) return found->trigger();
            QFAIL(qPrintable("no action " + text));
        }

        Settings settings;
        MainWindow window;
        WindowMemory memory;
    };

private slots:
    void initTestCase() {
        applyStyle(*qApp);
        m_font = QApplication::font();
    }

    void init() {
        QApplication::setFont(m_font);
        m_place = std::make_unique<QTemporaryDir>();
        m_warnings.clear();
        QApplication::setPalette(QPalette());
    }

    void theLookComesBack() {
        {
            const auto sitting = sit();
            QCOMPARE(QApplication::palette().color(QPalette::Window), Theme::light().ground);
            sitting->trigger("Dark");
            sitting->trigger("Cividis (same for color-blind eyes)");
            QCOMPARE(QApplication::palette().color(QPalette::Window), Theme::darkTheme().ground);
        }
        QApplication::setPalette(QPalette());
        const auto sitting = sit();
        QCOMPARE(QApplication::palette().color(QPalette::Window), Theme::darkTheme().ground);
        QVERIFY(sitting->settings.value(setting::kColormap) == Colormap::Cividis);
        QVERIFY(checked(*sitting, "Dark") && checked(*sitting, "Cividis (same for color-blind eyes)"));
        QVERIFY(!checked(*sitting, "Light") && !checked(*sitting, "Viridis"));
        QCOMPARE(m_warnings, QStringList());
    }

    void sizeAndPartsComeBack() {
        QList<int> sizes;
        {
            const auto sitting = sit();
            sitting->window.resize(1200, 740);
            sitting->action("controlsAction")->setChecked(false);
            sitting->action("probeAction")->setChecked(true);
            titleOf(*sitting, "mechanismCard")->click();
            QCoreApplication::processEvents();
            auto* middle = sitting->window.findChild<QSplitter*>();
            middle->setSizes({300, 150, 250});
            sizes = middle->sizes();
        }
        const auto sitting = sit();
        QCoreApplication::processEvents();
        QCOMPARE(sitting->window.size(), QSize(1200, 740));
        QVERIFY(!sitting->action("controlsAction")->isChecked());
        QVERIFY(sitting->action("probeAction")->isChecked());
        QCOMPARE(sitting->window.findChild<QSplitter*>()->sizes(), sizes);
        QVERIFY(!titleOf(*sitting, "mechanismCard")->isChecked());
        QVERIFY(titleOf(*sitting, "importanceCard")->isChecked());
        sitting->window.resetWindowLayout();
        QVERIFY(titleOf(*sitting, "mechanismCard")->isChecked());
        QCOMPARE(m_warnings, QStringList());
    }

    void aSittingThatEndsInALectureBeginsOutsideOne() {
        QSize size;
        {
            const auto sitting = sit();
            sitting->window.resize(1150, 730);
            QCoreApplication::processEvents();
            size = sitting->window.size();
            sitting->action("lectureAction")->trigger();
            QVERIFY(sitting->window.isFullScreen());
        }
        QApplication::setFont(m_font);  // a new program has no lecture's
        const auto sitting = sit();
        QVERIFY(!sitting->window.isFullScreen());
        QCOMPARE(sitting->window.size(), size);
        QVERIFY(sitting->action("controlsAction")->isChecked());
    }

    void theLastExperimentComesBack() {
        const OpenWindow first{"copy", 60, {}, false};
        Experiment changed;
        {
            const auto sitting = sit();
            QCOMPARE(sitting->memory.lastOr(first, builtInLessons()).lesson, QStringLiteral("copy"));
            sitting->window.showLesson("how-many-heads");
            changed = sitting->window.experiment();
            changed.seed = 77;
            sitting->window.begin(changed);
        }
        const auto sitting = sit();
        const OpenWindow last = sitting->memory.lastOr(first, builtInLessons());
        QCOMPARE(last.lesson, QStringLiteral("how-many-heads"));
        QVERIFY(last.experiment == changed);
        // A command line that asks for something gets that.
        const OpenWindow asked{"scaling-stall", 30, {}, true};
        QCOMPARE(sitting->memory.lastOr(asked, builtInLessons()).lesson, QStringLiteral("scaling-stall"));
        QCOMPARE(m_warnings, QStringList());
    }

    void exportsBeginWithWhatTheLastOneHad() {
        PictureOptions last;
        {
            const auto sitting = sit();
            auto* dialog = openExport(*sitting);
            QVERIFY(dialog);
            QCOMPARE(dialog->options().size, PictureOptions{}.size);
            last.size = {900, 700};
            last.dpi = 300;
            last.text_scale = 1.3;
            last.transparent = true;
            last.color_bar = false;
            last.own_scales = true;
            dialog->setLook(last);
            dialog->findChild<QPushButton*>("exportCopy")->click();
        }
        const auto sitting = sit();
        const auto* dialog = openExport(*sitting);
        QVERIFY(dialog);
        const PictureOptions options = dialog->options();
        QCOMPARE(options.size, last.size);
        QCOMPARE(options.dpi, last.dpi);
        QCOMPARE(options.text_scale, last.text_scale);
        QVERIFY(options.transparent && options.titles && !options.color_bar && options.own_scales);
        QVERIFY(!options.caption.isEmpty());
        QCOMPARE(m_warnings, QStringList());
    }

    void theTourIsShownOnce() {
        for (const bool first : {true, false}) {
            const auto sitting = sit();
            sitting->memory.welcome();
            QCOMPARE(sitting->window.findChild<Tour*>() != nullptr, first);
        }
    }

    void whatCannotBeUsedIsPassedOver() {
        const QSize first = sit()->window.size();
        {
            Settings settings(file(), [](const Refusal&) {});
            settings.setValue(setting::kLayout, QByteArray("no layout"));
            settings.setValue(setting::kExperiment, std::optional(Experiment{}));
            settings.setValue(setting::kLesson, QStringLiteral("a lesson of yesterday"));
        }
        const auto sitting = sit();
        QCOMPARE(sitting->window.size(), first);
        QCOMPARE(sitting->memory.lastOr({"copy", 60, {}, false}, builtInLessons()).lesson,
                 QStringLiteral("copy"));
        QCOMPARE(m_warnings.size(), 2);
        QVERIFY(m_warnings[0].startsWith("the setting window/layout in "));
        QVERIFY(m_warnings[1].contains("the setting run/lesson in ") &&
                m_warnings[1].contains("'a lesson of yesterday'"));
    }

    void resettingAsksAndThenForgets() {
        const auto sitting = sit();
        const QSize first = sitting->window.size();
        sitting->trigger("Dark");
        sitting->trigger("Magma");
        sitting->window.resize(1150, 730);
        for (const bool yes : {false, true}) {
            sitting->action("resetAction")->trigger();
            auto* box = sitting->window.findChild<QMessageBox*>("resetBox");
            QVERIFY(box);
            if (yes)
                for (QAbstractButton* button : box->buttons())
                    if (box->buttonRole(button) == QMessageBox::AcceptRole) button->click();
            if (!yes) box->reject();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QCOMPARE(checked(*sitting, "Dark"), !yes);
            QCOMPARE(checked(*sitting, "Magma"), !yes);
        }
        QVERIFY(sitting->settings.value(setting::kTheme) == ThemeChoice::System);
        QCOMPARE(QApplication::palette().color(QPalette::Window), Theme::light().ground);
        QCOMPARE(sitting->window.size(), first);
    }

private:
    static CardTitle* titleOf(const Sitting& sitting, const char* card) {
        return sitting.window.findChild<QWidget*>(QLatin1String(card))->findChild<CardTitle*>();
    }

    static ExportDialog* openExport(Sitting& sitting) {
        Update update;
        update.run = 1;
        update.state = RunState::Paused;
        update.snapshot = uniformSnapshot(4, 12);
        sitting.window.showUpdate(update);
        sitting.action("exportHeadsAction")->trigger();
        return sitting.window.findChild<ExportDialog*>();
    }

    QString file() const { return m_place->filePath("settings.ini"); }
    std::unique_ptr<Sitting> sit() { return std::make_unique<Sitting>(file(), m_warnings); }

    static bool checked(const Sitting& sitting, const QString& text) {
        for (const QAction* action : sitting.window.findChildren<QAction*>())
            if (action->text().remove(u'&') == text) return action->isChecked();
        return false;
    }

    QFont m_font;
    std::unique_ptr<QTemporaryDir> m_place;
    QStringList m_warnings;
};

int main(int argc, char** argv) {
    const TestScreens screens;
    QApplication application(argc, argv);
    TestWindowMemory test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_window_memory.moc"
