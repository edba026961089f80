#include "ui/sheet.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <QBuffer>
#include <QClipboard>
#include <QCoreApplication>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QPageSize>
#include <QPdfWriter>
#include <qcustomplot.h>

#include "engine/numeric/refusal.h"
#include "ui/svg_device.h"

namespace headscope {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(Sheet)
};

constexpr std::pair<PictureFormat, const char*> kSuffixes[] = {
    {PictureFormat::Png, "png"}, {PictureFormat::Svg, "svg"}, {PictureFormat::Pdf, "pdf"}};

/// Type as large as a slide needs: about 32 lines of it fill the picture.
QFont fontFor(const PictureOptions& options) {
    QFont font = QGuiApplication::font();
    font.setStyleStrategy(QFont::NoSubpixelAntialias);  // colored fringes suit one screen only
    const double shorter = std::min(options.size.height(), options.size.width() * 3 / 4);
    font.setPixelSize(std::max(7, static_cast<int>(std::lround(shorter / 32.0 * options.text_scale))));
    return font;
}

/// Lines break between the facts of a caption, not inside one.
QString keptTogether(const QString& caption) {
    const QString separator = QStringLiteral(" · ");
    QStringList facts = caption.split(separator);
    for (QString& fact : facts)
        if (facts.size() > 1 && fact.size() < 40) fact.replace(QLatin1Char(' '), QChar::Nbsp);
    return facts.join(QChar(QChar::Nbsp) + QStringLiteral("· "));
}

HeadGridStyle styleFor(const PictureOptions& options, bool vector) {
    HeadGridStyle style;
    style.theme = options.theme;
    if (options.transparent) style.theme.card.setAlpha(0);
    style.colormap = options.colormap;
    style.font = fontFor(options);
    style.vector = vector;
    style.titles = options.titles;
    style.color_bar = options.color_bar;
    style.own_scales = options.own_scales;
    return style;
}

/// Writes the caption at the bottom of `room`; returns the room above it.
QRect paintCaption(QPainter& painter, const QRect& room, const QString& caption, const HeadGridStyle& style) {
    if (caption.isEmpty()) return room;
    QFont small = style.font;
    small.setPixelSize(std::max(6, static_cast<int>(std::lround(style.font.pixelSize() * 0.8))));
    painter.setFont(small);
    painter.setPen(style.theme.mutedText);
    // A caption may wrap, but leaves the picture three quarters of the height.
    constexpr int kFlags = Qt::AlignHCenter | Qt::AlignBottom | Qt::TextWordWrap;
    const QString text = keptTogether(caption);
    const QRect box = room.adjusted(0, room.height() * 3 / 4, 0, 0);
    const QRect whole = painter.boundingRect(box, kFlags, text);
    const int line = painter.boundingRect(box, kFlags, text.left(1)).height();  // of its script
    const int height = std::min(whole.height(), std::max(1, box.height() / line) * line);
    const QRect used(whole.left(), room.bottom() + 1 - height, whole.width(), height);
    painter.save();
    if (height < whole.height()) painter.setClipRect(used);  // whole lines, from the first on
    painter.drawText(QRect(used.left(), used.top(), used.width(), whole.height()),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, text);
    painter.restore();
    return QRect(room.topLeft(), QPoint(room.right(), used.top() - style.font.pixelSize() / 2));
}

/// The ground, the caption, and in the room that is left the picture.
void paintSheet(QCPPainter& painter, const Picture& picture, const PictureOptions& options, bool vector) {
    const QRect sheet(QPoint(), options.size);
    const HeadGridStyle style = styleFor(options, vector);
    if (!options.transparent) painter.fillRect(sheet, options.theme.card);
    const int margin = style.font.pixelSize();
    const QRect room =
        paintCaption(painter, sheet.adjusted(margin, margin, -margin, -margin), options.caption, style);
    if (vector) painter.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
    picture(painter, room, style);
}

QByteArray svgOf(const Picture& picture, const PictureOptions& options) {
    SvgDevice device(options.size, options.dpi);
    QCPPainter painter(&device);
    paintSheet(painter, picture, options, true);
    painter.end();
    return device.file(options.caption);
}

QByteArray pdfOf(const Picture& picture, const PictureOptions& options) {
    QBuffer file;
    file.open(QIODevice::WriteOnly);
    QPdfWriter writer(&file);
    writer.setCreator(QStringLiteral("Headscope"));
    writer.setTitle(options.caption);
    writer.setResolution(options.dpi);
    writer.setPageSize(
        QPageSize(QSizeF(options.size) / options.dpi, QPageSize::Inch, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    QCPPainter painter(&writer);
    // A page is a whole number of points.
    painter.scale(static_cast<double>(writer.width()) / options.size.width(),
                  static_cast<double>(writer.height()) / options.size.height());
    paintSheet(painter, picture, options, true);
    painter.end();
    return file.data();
}

QByteArray pngOf(const QImage& image) {
    QBuffer png;
    image.save(&png, "PNG");
    return png.data();
}

}  // namespace

QString suffixOf(PictureFormat format) {
    for (const auto& [known, suffix] : kSuffixes)
        if (known == format) return QString::fromLatin1(suffix);
    return {};
}

PictureFormat formatOf(const QString& path) {
    for (const auto& [format, suffix] : kSuffixes)
        if (QFileInfo(path).suffix().compare(QLatin1String(suffix), Qt::CaseInsensitive) == 0) return format;
    throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                    "cannot write %1: the name of a picture must end in .png, .svg or .pdf"),
                  {path.toStdString()});
}

QString pictureFilter() {
    return QStringList{Text::tr("PNG picture (*.png)"), Text::tr("SVG drawing (*.svg)"),
                       Text::tr("PDF document (*.pdf)")}
        .join(QStringLiteral(";;"));
}

QImage imageOf(const Picture& picture, const PictureOptions& options) {
    [[maybe_unused]] const auto inRange = [](int n) { return n >= kSmallestPicture && n <= kLargestPicture; };
    assert(inRange(options.size.width()) && inRange(options.size.height()));
    QImage image(options.size,
                 options.transparent ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
    image.fill(Qt::transparent);
    const int dots_per_meter = static_cast<int>(std::lround(options.dpi / 0.0254));
    image.setDotsPerMeterX(dots_per_meter);
    image.setDotsPerMeterY(dots_per_meter);
    QCPPainter painter(&image);
    paintSheet(painter, picture, options, false);
    painter.end();
    return image;
}

QByteArray fileOf(const Picture& picture, const PictureOptions& options, PictureFormat format) {
    switch (format) {
        case PictureFormat::Svg:
            return svgOf(picture, options);
        case PictureFormat::Pdf:
            return pdfOf(picture, options);
        case PictureFormat::Png:
            break;
    }
    return pngOf(imageOf(picture, options));
}

void copyToClipboard(const Picture& picture, const PictureOptions& options) {
    auto* both = new QMimeData;
    both->setImageData(imageOf(picture, options));
    both->setData(QStringLiteral("image/svg+xml"), svgOf(picture, options));
    QGuiApplication::clipboard()->setMimeData(both);
}

}  // namespace headscope
