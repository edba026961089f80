#include "ui/main_window.h"

namespace headscope {

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent) { setWindowTitle(QStringLiteral("Headscope")); }

void MainWindow::showUpdate(const Update&) {}

}  // namespace headscope
