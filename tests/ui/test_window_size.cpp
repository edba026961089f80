#include <QApplication>
#include <QScreen>
#include <QtTest>

#include "tests/ui/screens.h"
#include "ui/attention_window.h"
#include "ui/main_window.h"
#include "ui/style.h"

using namespace headscope;

namespace {

constexpr int kTitleBar = 38;  // GNOME's, the tallest of the usual ones

}  // namespace

/// The window and the title bar around it, on the screens of main().
class TestWindowSize : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyStyle(*qApp); }

    void fitsAtTheFirstStart_data() { addScreens(); }
    void fitsAtTheFirstStart() {
        QFETCH(QScreen*, screen);
        MainWindow window;
        window.setScreen(screen);
        window.move(screen->geometry().topLeft());
        window.resetWindowLayout();
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY2(fits(window, *screen), qPrintable(placeOf(window)));
        if (screen->size().width() > 1400) QCOMPARE(window.size(), QSize(1280, 800));
    }

    void comesBackFromALargerScreen_data() { addScreens(); }
    void comesBackFromALargerScreen() {
        QFETCH(QScreen*, screen);
        // What was stored when this screen was larger.
        MainWindow before;
        before.setScreen(screen);
        before.setGeometry(QRect(screen->geometry().topLeft() + QPoint(100, 100), QSize(3000, 1800)));
        const QByteArray layout = before.windowLayout();
        MainWindow window;
        QVERIFY(window.restoreWindowLayout(layout));
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(window.screen(), screen);
        QVERIFY2(fits(window, *screen), qPrintable(placeOf(window)));
        if (screen == QGuiApplication::screens().back()) QCOMPARE(window.size(), QSize(3000, 1800));
    }

    void attentionInAWindowOfItsOwnFits_data() { addScreens(); }
    void attentionInAWindowOfItsOwnFits() {
        QFETCH(QScreen*, screen);
        MainWindow beside;
        beside.setScreen(screen);
        beside.move(screen->geometry().topLeft());
        AttentionMaps maps;
        maps.n_heads = maps.length = 1;
        maps.weights = {1};
        AttentionWindow window(maps, QStringLiteral("one.npy"), &beside);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(window.screen(), screen);
        QVERIFY2(fits(window, *screen), qPrintable(placeOf(window)));
    }

    void staysWhereItFits() {
        const QScreen* screen = QGuiApplication::screens()[3];
        const QRect place(screen->geometry().topLeft() + QPoint(300, 120), QSize(1400, 850));
        MainWindow before, after;
        before.setGeometry(place);
        QVERIFY(after.restoreWindowLayout(before.windowLayout()));
        QCOMPARE(after.geometry(), place);
    }

private:
    static void addScreens() {
        QTest::addColumn<QScreen*>("screen");
        for (QScreen* screen : QGuiApplication::screens())
            QTest::addRow("%dx%d", screen->size().width(), screen->size().height()) << screen;
    }

    static bool fits(const QWidget& window, const QScreen& screen) {
        const QRect room = screen.availableGeometry();
        return room.contains(window.geometry()) && window.height() + kTitleBar <= room.height();
    }

    static QString placeOf(const QWidget& window) {
        QString place;
        QDebug(&place) << window.geometry() << window.minimumSizeHint();
        return place;
    }
};

int main(int argc, char** argv) {
    const TestScreens screens({{{1024, 700}}, {{1280, 800}}, {{1366, 768}}, {{1920, 1080}}, {{3840, 2160}}});
    QApplication application(argc, argv);
    TestWindowSize test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_window_size.moc"
