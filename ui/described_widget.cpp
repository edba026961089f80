#include "ui/described_widget.h"

#include <QAccessible>
#include <QAccessibleWidget>

namespace headscope {
namespace {

class Interface : public QAccessibleWidget {
public:
    explicit Interface(DescribedWidget* widget) : QAccessibleWidget(widget, QAccessible::Graphic) {}

    QString text(QAccessible::Text which) const override {
        if (which == QAccessible::Description) return static_cast<DescribedWidget*>(widget())->description();
        return QAccessibleWidget::text(which);
    }
};

QAccessibleInterface* makeInterface(const QString& class_name, QObject* object) {
    if (class_name != QLatin1String(DescribedWidget::staticMetaObject.className())) return nullptr;
    auto* widget = qobject_cast<DescribedWidget*>(object);
    return widget ? new Interface(widget) : nullptr;
}

}  // namespace

DescribedWidget::DescribedWidget(QWidget* parent) : QWidget(parent) {
    QAccessible::installFactory(makeInterface);  // installs it once, however often it is asked to
}

void DescribedWidget::announce() {
    if (!QAccessible::isActive()) return;
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

}  // namespace headscope
