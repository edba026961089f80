#include "ui/menu_entry.h"

#include <QCoreApplication>

#include "ui/colormap.h"

namespace headscope {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(MenuEntry)
};

}  // namespace

QActionGroup* addColormaps(QMenu* menu) {
    return addChoices<Colormap>(menu,
                                {
                                    {Text::tr("&Viridis"), Colormap::Viridis},
                                    {Text::tr("&Cividis (same for color-blind eyes)"), Colormap::Cividis},
                                    {Text::tr("&Magma"), Colormap::Magma},
                                    {Text::tr("&Grays"), Colormap::Grays},
                                });
}

void keepShortcuts(QWidget& window) {
    for (QAction* action : window.findChildren<QAction*>())
        if (!action->shortcut().isEmpty()) window.addAction(action);
}

}  // namespace headscope
