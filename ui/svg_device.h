#pragma once

#include <memory>

#include <QByteArray>
#include <QPaintDevice>
#include <QSize>
#include <QString>

namespace headscope {

/// A device whose painting becomes an SVG file: a rectangle is a rectangle, text is text, and clips hold.
/// Areas are crisp where the painter's Antialiasing is off. What no picture here has is not drawn (assert):
/// images, gradients and other brushes than plain colors.
/// https://www.w3.org/TR/SVG11/
class SvgDevice : public QPaintDevice {
public:
    SvgDevice(const QSize& pixels, int dpi);
    ~SvgDevice() override;

    /// The whole file, once all is painted; `title` is told to screen readers.
    QByteArray file(const QString& title) const;

    QPaintEngine* paintEngine() const override;

protected:
    int metric(PaintDeviceMetric metric) const override;

private:
    class Engine;
    QSize m_size;
    int m_dpi;
    std::unique_ptr<Engine> m_engine;
};

}  // namespace headscope
