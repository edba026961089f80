#pragma once

#include <QCheckBox>
#include <QVariantAnimation>

namespace headscope {

/// A check box drawn as a switch.
class ToggleSwitch : public QCheckBox {
    Q_OBJECT
public:
    explicit ToggleSwitch(QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool hitButton(const QPoint& point) const override { return rect().contains(point); }

private:
    QVariantAnimation m_slide;  ///< of the knob, from 0 (off) to 1 (on)
};

}  // namespace headscope
