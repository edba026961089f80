// Lecture mode: what the last row of a lecture hall can read.

#include <QApplication>
#include <QLayout>
#include <QMenuBar>
#include <QTimer>

#include "ui/main_window.h"
#include "ui/right_column.h"
#include "ui/run_toolbar.h"
#include "ui/style.h"
#include "ui/theme.h"

namespace headscope {
namespace {

constexpr double kLargeType = 1.6;

}  // namespace

void MainWindow::setLectureMode(bool lecture) {
    if (lecture == m_lecture) return;
    QFont large = QApplication::font();
    if (lecture) {
        m_before = {windowLayout(), QApplication::font(), windowState(), size(), m_left->isVisibleTo(this)};
        large.setPixelSize(static_cast<int>(kLargeType * QFontInfo(large).pixelSize()));
    }
    m_lecture = lecture;
    QApplication::setFont(lecture ? large : m_before.font);
    QApplication::setPalette(lecture ? Theme::projector().palette() : paletteOf(m_theme));
    applyStyle(*qApp);
    menuBar()->setVisible(!lecture);
    m_toolbar->setVisible(!lecture);
    m_left->setVisible(!lecture && m_before.controls);
    setWindowState(lecture ? windowState() | Qt::WindowFullScreen : m_before.state);
    arrange(width());
    // The large type and the whole screen asked for more room than the small type needs in the window as it
    // was; that is known after its layout.
    if (!lecture && m_before.state == Qt::WindowNoState)
        QTimer::singleShot(0, this, [this] {
            if (m_lecture) return;
            arrange(m_before.size.width());
            centralWidget()->layout()->activate();
            layout()->activate();
            resize(m_before.size);
        });
    emit lectureModeChanged(lecture);
}

}  // namespace headscope
