#pragma once

#include <QAction>
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

}  // namespace headscope
