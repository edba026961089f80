#pragma once

#include <utility>
#include <vector>

#include <QAction>
#include <QActionGroup>
#include <QMenu>

namespace headscope {

/// Adds an action that calls a function; the first of the keys is shown beside it.
template <class Function>
QAction* add(QMenu* menu, const QString& text, const char* objectName, const QList<QKeySequence>& keys,
             Function function) {
    QAction* action = menu->addAction(text);
    action->setObjectName(QLatin1String(objectName));
    action->setShortcuts(keys);
    QObject::connect(action, &QAction::triggered, menu, function);
    return action;
}

/// One action a choice, which carries it as its data; one at most is checked.
template <typename Choice>
QActionGroup* addChoices(QMenu* menu, const std::vector<std::pair<QString, Choice>>& choices) {
    auto* group = new QActionGroup(menu);
    for (const auto& [text, choice] : choices) {
        QAction* action = group->addAction(text);
        action->setCheckable(true);
        action->setData(static_cast<int>(choice));
        menu->addAction(action);
    }
    return group;
}

/// Checks the action of that choice.
template <typename Choice>
void check(const QActionGroup& group, Choice choice) {
    for (QAction* action : group.actions())
        if (action->data().toInt() == static_cast<int>(choice)) action->setChecked(true);
}

/// A choice for every Colormap.
QActionGroup* addColormaps(QMenu* menu);

/// Lets the keys of all a window's menus hold while its menu bar is hidden: they do only for what the window
/// itself has.
void keepShortcuts(QWidget& window);

}  // namespace headscope
