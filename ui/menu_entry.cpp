#include "ui/menu_entry.h"

#include "ui/colormap.h"

namespace headscope {

QActionGroup* addColormaps(QMenu* menu) {
    std::vector<std::pair<QString, Colormap>> choices;
    for (const Colormap map : kColormaps) choices.emplace_back(colormapName(map), map);
    return addChoices(menu, choices);
}

void keepShortcuts(QWidget& window) {
    for (QAction* action : window.findChildren<QAction*>())
        if (!action->shortcut().isEmpty()) window.addAction(action);
}

}  // namespace headscope
