#pragma once

#include <QByteArray>
#include <QImage>
#include <QSize>
#include <QString>

#include "engine/training/update.h"
#include "ui/colormap.h"
#include "ui/run_text.h"
#include "ui/theme.h"

namespace headscope {

class LossChart;

/// How a picture is to look. Type and lines grow with the picture, so that it reads the same at any size.
struct PictureOptions {
    QSize size{1920, 1080};  ///< in pixels, at least kSmallestPicture and at most kLargestPicture each way
    int dpi = 144;           ///< stored in the file; does not change the pixels
    QString caption;         ///< below the picture; none when empty
    Theme theme = Theme::light();
    Colormap colormap = Colormap::Viridis;
};

inline constexpr int kSmallestPicture = 64;
inline constexpr int kLargestPicture = 8192;

/// All need a QGuiApplication (lossPicture a QApplication) and its thread; the offscreen platform does.
QImage headsPicture(const Snapshot& snapshot, const PictureOptions& options);
/// `head` from 0.
QImage headPicture(const Snapshot& snapshot, int head, const PictureOptions& options);
/// The chart as it stands, with its ghosts, marks and zoom.
QImage lossPicture(const LossChart& chart, const PictureOptions& options);
/// A run by itself.
QImage lossPicture(const Experiment& experiment, const std::vector<LossPoint>& points,
                   const PictureOptions& options);

/// The bytes of a PNG file.
QByteArray pngOf(const QImage& image);

void copyToClipboard(const QImage& image);

}  // namespace headscope
