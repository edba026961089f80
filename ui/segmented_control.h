#pragma once

#include <QStringList>
#include <QWidget>

class QAbstractButton;
class QButtonGroup;

namespace headscope {

/// A choice between a few words that stand side by side.
class SegmentedControl : public QWidget {
    Q_OBJECT
public:
    explicit SegmentedControl(const QStringList& words, QWidget* parent = nullptr);

    int current() const;
    void setCurrent(int index);
    QAbstractButton* button(int index) const;

signals:
    void currentChanged(int index);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QButtonGroup* m_buttons;
};

}  // namespace headscope
