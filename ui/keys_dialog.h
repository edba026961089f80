#pragma once

#include <QDialog>

class QMenuBar;

namespace headscope {

/// Every key of the window, under the menu it is found in: read from the menus themselves.
class KeysDialog : public QDialog {
    Q_OBJECT
public:
    explicit KeysDialog(const QMenuBar& menus, QWidget* parent = nullptr);
};

}  // namespace headscope
