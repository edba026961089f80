#include "app/window_memory.h"

#include <algorithm>
#include <cmath>

#include "ui/main_window.h"
#include "ui/sheet.h"

namespace headscope {

WindowMemory::WindowMemory(MainWindow& window, Settings& settings) : m_window(window), m_settings(settings) {
    restoreLook();
    const QByteArray layout = settings.value(setting::kLayout);
    if (!layout.isEmpty() && !window.restoreWindowLayout(layout)) settings.refuse(setting::kLayout.key);
    connect(&window, &MainWindow::themeChosen, this,
            [this](ThemeChoice choice) { m_settings.setValue(setting::kTheme, choice); });
    connect(&window, &MainWindow::colormapChosen, this,
            [this](Colormap colormap) { m_settings.setValue(setting::kColormap, colormap); });
    connect(&window, &MainWindow::exportLookUsed, this, [this](const PictureOptions& look) {
        m_settings.setValue(setting::kExportWidth, look.size.width());
        m_settings.setValue(setting::kExportHeight, look.size.height());
        m_settings.setValue(setting::kExportDpi, look.dpi);
        m_settings.setValue(setting::kExportTextSize, static_cast<int>(std::lround(look.text_scale * 100)));
        m_settings.setValue(setting::kExportTransparent, look.transparent);
        m_settings.setValue(setting::kExportTitles, look.titles);
        m_settings.setValue(setting::kExportColorBar, look.color_bar);
        m_settings.setValue(setting::kExportOwnScales, look.own_scales);
    });
    connect(&window, &MainWindow::resetRequested, this, [this] {
        m_settings.reset();
        restoreLook();
        m_window.resetWindowLayout();
    });
}

void WindowMemory::restoreLook() {
    m_window.setTheme(m_settings.value(setting::kTheme));
    m_window.setColormap(m_settings.value(setting::kColormap));
    PictureOptions look;
    look.size = {m_settings.value(setting::kExportWidth), m_settings.value(setting::kExportHeight)};
    look.dpi = m_settings.value(setting::kExportDpi);
    look.text_scale = m_settings.value(setting::kExportTextSize) / 100.0;
    look.transparent = m_settings.value(setting::kExportTransparent);
    look.titles = m_settings.value(setting::kExportTitles);
    look.color_bar = m_settings.value(setting::kExportColorBar);
    look.own_scales = m_settings.value(setting::kExportOwnScales);
    m_window.setExportLook(look);
}

OpenWindow WindowMemory::lastOr(const OpenWindow& request, const std::vector<Lesson>& lessons) const {
    const auto experiment = m_settings.value(setting::kExperiment);
    if (request.asked || !experiment) return request;
    const QString id = m_settings.value(setting::kLesson);
    if (id.isEmpty()) return {id, request.pace, *experiment};  // none was in hand
    const auto lesson =
        std::find_if(lessons.begin(), lessons.end(), [&](const Lesson& l) { return l.id == id; });
    if (lesson == lessons.end()) {
        m_settings.refuse(setting::kLesson.key);
        return request;
    }
    return {id, lesson->pace, *experiment};
}

void WindowMemory::welcome() {
    if (m_settings.value(setting::kTourSeen)) return;
    m_settings.setValue(setting::kTourSeen, true);
    m_window.startTour();
}

void WindowMemory::keep() {
    m_settings.setValue(setting::kLayout, m_window.windowLayout());
    m_settings.setValue(setting::kLesson, m_window.lesson());
    m_settings.setValue(setting::kExperiment, std::optional(m_window.experiment()));
}

}  // namespace headscope
