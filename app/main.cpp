#include <QApplication>

#include "ui/main_window.h"

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("headscope"));
    QApplication::setApplicationVersion(QStringLiteral(HEADSCOPE_VERSION));
    headscope::MainWindow window;
    window.show();
    return QApplication::exec();
}
