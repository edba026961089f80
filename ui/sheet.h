#pragma once

#include <functional>

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QString>

#include "ui/head_grid_layout.h"

class QCPPainter;

namespace headscope {

/// How a picture is to look. Type and lines grow with the picture, so that it reads the same at any size.
struct PictureOptions {
    QSize size{1920, 1080};  ///< in pixels, at least kSmallestPicture and at most kLargestPicture each way
    int dpi = 144;           ///< 36 … 2400; how large a pixel is: stored in PNG, the size of SVG and PDF
    QString caption;         ///< below the picture; none when empty
    Theme theme = Theme::light();
    bool transparent = false;  ///< no ground: text and lines in the colors of the theme
    Colormap colormap = Colormap::Viridis;
    double text_scale = 1;  ///< of all type, 0.5 … 2
    bool titles = true;     ///< above the heads
    bool color_bar = true;
    bool own_scales = false;  ///< every head's colors reach to its own largest value
};

inline constexpr int kSmallestPicture = 64;
inline constexpr int kLargestPicture = 8192;

/// Something that can be shown in a file: paints itself into a room, in a style. `style.vector` asks for
/// shapes, without images.
using Picture = std::function<void(QCPPainter& painter, const QRectF& room, const HeadGridStyle& style)>;

/// PNG: pixels. SVG and PDF: shapes and text, a cell a rectangle.
enum class PictureFormat { Png, Svg, Pdf };

/// What file names end in, without the dot: "png", "svg", "pdf".
QString suffixOf(PictureFormat format);
/// The format of a file's name, in whatever case; throws Refusal where it has none of the suffixes.
PictureFormat formatOf(const QString& path);

/// What a file dialog offers: "PNG picture (*.png);;…".
QString pictureFilter();

// These need a QGuiApplication and its thread; the offscreen platform does.
QImage imageOf(const Picture& picture, const PictureOptions& options);
/// The bytes of a file.
QByteArray fileOf(const Picture& picture, const PictureOptions& options, PictureFormat format);
/// Both the pixels and, for those who take it, SVG.
void copyToClipboard(const Picture& picture, const PictureOptions& options);

}  // namespace headscope
