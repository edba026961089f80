#pragma once

#include <QWidget>

namespace headscope {

/// A drawing that says in words what it shows. Screen readers ask for description() when they want it, so a
/// picture that changes sixty times a second costs nothing until somebody listens.
class DescribedWidget : public QWidget {
    Q_OBJECT
public:
    explicit DescribedWidget(QWidget* parent = nullptr);
    virtual QString description() const = 0;

protected:
    /// Tells whoever listens that description() has changed.
    void announce();
};

}  // namespace headscope
