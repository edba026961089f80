#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QButtonGroup>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScreen>
#include <QWindow>
#include <QtTest>

#include "app/bridge.h"
#include "app/lesson_library.h"
#include "tests/ui/screens.h"
#include "ui/head_grid.h"
#include "ui/style.h"
#include "ui/theme.h"

using namespace headscope;

namespace {

/// Relative luminance and contrast as WCAG 2.1 defines them.
double luminance(const QColor& color) {
    const auto linear = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double one = luminance(a), other = luminance(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

/// Of the pixel that differs most from the commonest color: strokes wider than a pixel have one of full
/// color.
double contrastIn(const QImage& image) {
    std::map<QRgb, int> counts;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) ++counts[image.pixel(x, y)];
    const auto common = std::max_element(counts.begin(), counts.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
    double most = 1;
    for (const auto& [color, count] : counts)
        most = std::max(most, contrast(QColor(color), QColor(common->first)));
    return most;
}

QString textOf(const QWidget* widget) {
    if (const auto* label = qobject_cast<const QLabel*>(widget)) return label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) return button->text();
    if (const auto* box = qobject_cast<const QComboBox*>(widget)) return box->currentText();
    if (const auto* edit = qobject_cast<const QLineEdit*>(widget)) return edit->text();
    return {};
}

QString nameOf(const QWidget* widget) {
    return QStringLiteral("%1 %2 '%3'")
        .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(), textOf(widget));
}

}  // namespace

/// What every part of the running window owes to every eye, hand and screen.
class TestAppearance : public QObject {
    Q_OBJECT
private slots:
    void init() {
        applyStyle(*qApp);
        m_window = std::make_unique<MainWindow>();
        m_window->setLessons(builtInLessons(QStringLiteral("en")));
        m_window->showLesson("copy");
        m_bridge = std::make_unique<Bridge>(*m_window);
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        m_bridge->start(Experiment{}, kUnlimitedPace);
        QTRY_VERIFY(grid()->snapshot() && grid()->snapshot()->steps_done == Experiment{}.steps);
    }

    void cleanup() {
        m_bridge.reset();
        m_window.reset();
        QApplication::setPalette(QPalette());
        applyStyle(*qApp);
    }

    void textStandsOutInEveryTheme_data() {
        QTest::addColumn<Theme>("theme");
        QTest::newRow("light") << Theme::light();
        QTest::newRow("dark") << Theme::darkTheme();
        QTest::newRow("projector") << Theme::projector();
    }
    void textStandsOutInEveryTheme() {
        QFETCH(Theme, theme);
        for (const QColor& paper : {theme.ground, theme.card}) {
            for (const QColor& ink : {theme.text, theme.mutedText, theme.accent, theme.warning})
                QVERIFY2(contrast(ink, paper) >= 4.5, qPrintable(ink.name() + " on " + paper.name()));
            for (const QColor& line : theme.heads)
                QVERIFY2(contrast(line, paper) >= 3, qPrintable(line.name() + " on " + paper.name()));
        }
        QVERIFY(contrast(theme.accentText, theme.accent) >= 4.5);
        QVERIFY(contrast(theme.accent, theme.accentSoft) >= 4.5);
    }

    void textStandsOutOnTheScreen_data() {
        QTest::addColumn<Theme>("theme");
        QTest::newRow("light") << Theme::light();
        QTest::newRow("dark") << Theme::darkTheme();
    }
    void textStandsOutOnTheScreen() {
        QFETCH(Theme, theme);
        // While it runs, as a desktop does that goes dark in the evening.
        QApplication::setPalette(theme.palette());
        applyStyle(*qApp);
        QTRY_COMPARE(Theme::of(m_window->palette()).dark, theme.dark);
        const QImage screen = m_window->grab().toImage().convertToFormat(QImage::Format_RGB32);
        const double scale = screen.devicePixelRatio();
        int seen = 0;
        for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
            if (!widget->isEnabled() || textOf(widget).trimmed().isEmpty()) continue;
            const QRegion visible = widget->visibleRegion();
            if (!widget->isVisible() || visible.boundingRect().size() != widget->size()) continue;
            const QRect place(widget->mapTo(m_window.get(), QPoint()), widget->size());
            const QImage part = screen.copy(QRect(place.topLeft() * scale, place.size() * scale));
            QVERIFY2(contrastIn(part) >= 4.5,
                     qPrintable(nameOf(widget) + QStringLiteral(" has %1").arg(contrastIn(part))));
            ++seen;
        }
        QVERIFY(seen > 30);
    }

    void everyControlHasAName() {
        int seen = 0;
        for (QWidget* widget : m_window->findChildren<QWidget*>()) {
            if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisible()) continue;
            QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
            QVERIFY2(accessible && !accessible->text(QAccessible::Name).trimmed().isEmpty(),
                     qPrintable(nameOf(widget)));
            ++seen;
        }
        QVERIFY(seen > 20);
    }

    void theTabKeyReachesEveryControlAndComesBack() {
        // Of buttons that exclude each other the arrow keys choose: Tab comes to the one that is on.
        const auto waits = [](const QWidget* widget) {
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            return !button || !button->group() || !button->group()->exclusive() || button->isChecked();
        };
        std::set<QWidget*> expected;
        for (QWidget* widget : m_window->findChildren<QWidget*>())
            if ((widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus && widget->isVisible() &&
                widget->isEnabled() && waits(widget))
                expected.insert(widget);
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        std::set<QWidget*> reached;
        for (std::size_t i = 0; i < 2 * expected.size() && !std::includes(reached.begin(), reached.end(),
                                                                          expected.begin(), expected.end());
             ++i) {
            QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : m_window.get(),
                            Qt::Key_Tab);
            if (QApplication::focusWidget()) reached.insert(QApplication::focusWidget());
        }
        for (QWidget* widget : expected) QVERIFY2(reached.contains(widget), qPrintable(nameOf(widget)));
    }

    void everyDrawingSaysWhatItShows() {
        int seen = 0;
        for (DescribedWidget* drawing : m_window->findChildren<DescribedWidget*>()) {
            if (!drawing->isVisible()) continue;
            QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(drawing);
            QVERIFY2(!accessible->text(QAccessible::Name).isEmpty(), qPrintable(nameOf(drawing)));
            QVERIFY2(!accessible->text(QAccessible::Description).isEmpty(), qPrintable(nameOf(drawing)));
            ++seen;
        }
        QVERIFY(seen >= 5);
    }

    void theFocusCanBeSeen() {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        for (QWidget* widget : m_window->findChildren<QWidget*>()) {
            if ((widget->focusPolicy() & Qt::TabFocus) != Qt::TabFocus || !widget->isVisible() ||
                !widget->isEnabled())
                continue;
            if (widget->visibleRegion().boundingRect().size() != widget->size()) continue;
            m_window->setFocus();
            const QImage without = m_window->grab(placeOf(widget)).toImage();
            widget->setFocus(Qt::TabFocusReason);
            QTRY_VERIFY2(m_window->grab(placeOf(widget)).toImage() != without, qPrintable(nameOf(widget)));
        }
    }

    /// The screens are those of main(): 1, 1.5, 2 and 3 device pixels to one of the window's.
    void staysSharpOnEveryScreen_data() {
        QTest::addColumn<int>("screen");
        QTest::addColumn<double>("ratio");
        for (int i = 0; i < QGuiApplication::screens().size(); ++i)
            QTest::addRow("%g", QGuiApplication::screens()[i]->devicePixelRatio())
                << i << QGuiApplication::screens()[i]->devicePixelRatio();
    }
    void staysSharpOnEveryScreen() {
        QFETCH(int, screen);
        QFETCH(double, ratio);
        QCOMPARE(QGuiApplication::screens().size(), 4);
        // Moved there while it is open.
        m_window->windowHandle()->setScreen(QGuiApplication::screens()[screen]);
        m_window->move(QGuiApplication::screens()[screen]->availableGeometry().topLeft());
        QTRY_COMPARE(m_window->devicePixelRatio(), ratio);
        const QImage heads = grid()->grab().toImage().convertToFormat(QImage::Format_RGB32);
        QCOMPARE(heads.size(), (QSizeF(grid()->size()) * ratio).toSize());
        // A cell is of one color from edge to edge: nothing was drawn small and blown up.
        const QRectF cell = grid()->cellRect({0, 0, 0});
        const QRect pixels = QRectF(cell.topLeft() * ratio, cell.size() * ratio)
                                 .marginsRemoved(QMarginsF(2, 2, 2, 2) * ratio)
                                 .toRect();
        QVERIFY(pixels.width() > 4);
        const QRgb color = heads.pixel(pixels.center());
        for (int x = pixels.left(); x <= pixels.right(); ++x)
            QCOMPARE(heads.pixel(x, pixels.center().y()), color);
    }

private:
    HeadGrid* grid() { return m_window->findChild<HeadGrid*>("headGrid"); }
    QRect placeOf(const QWidget* widget) {
        return QRect(widget->mapTo(m_window.get(), QPoint()), widget->size()).adjusted(-4, -4, 4, 4);
    }

    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<Bridge> m_bridge;
};

int main(int argc, char** argv) {
    constexpr QSize kSize(1600, 1000);
    const TestScreens screens({{kSize, 1}, {kSize, 1.5}, {kSize, 2}, {kSize, 3}});
    QApplication application(argc, argv);
    TestAppearance test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_appearance.moc"
