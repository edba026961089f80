#include "ui/pictures.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <QBuffer>
#include <QClipboard>
#include <QGuiApplication>
#include <QPainter>

#include "ui/head_grid_layout.h"
#include "ui/head_titles.h"
#include "ui/loss_chart.h"
#include "ui/mute_log.h"

namespace headscope {
namespace {

/// Type as large as a slide needs: about 32 lines of it fill the picture.
QFont fontFor(const QSize& size) {
    QFont font = QGuiApplication::font();
    font.setStyleStrategy(QFont::NoSubpixelAntialias);  // colored fringes suit one screen only
    const double shorter = std::min(size.height(), size.width() * 3 / 4);
    font.setPixelSize(std::max(7, static_cast<int>(std::lround(shorter / 32.0))));
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

/// A ground with its caption, and the room left for the picture itself.
struct Sheet {
    explicit Sheet(const PictureOptions& options);

    QImage image;
    QFont font;
    QRect room;
};

Sheet::Sheet(const PictureOptions& options)
    : image(options.size, QImage::Format_RGB32), font(fontFor(options.size)) {
    [[maybe_unused]] const auto inRange = [](int n) { return n >= kSmallestPicture && n <= kLargestPicture; };
    assert(inRange(options.size.width()) && inRange(options.size.height()));
    image.fill(options.theme.card);
    const int dots_per_meter = static_cast<int>(std::lround(options.dpi / 0.0254));
    image.setDotsPerMeterX(dots_per_meter);
    image.setDotsPerMeterY(dots_per_meter);
    const int margin = font.pixelSize();
    room = image.rect().adjusted(margin, margin, -margin, -margin);
    if (options.caption.isEmpty()) return;

    QPainter painter(&image);
    QFont small = font;
    small.setPixelSize(std::max(6, static_cast<int>(std::lround(font.pixelSize() * 0.8))));
    painter.setFont(small);
    painter.setPen(options.theme.mutedText);
    // A caption may wrap, but leaves the picture three quarters of the height.
    constexpr int kFlags = Qt::AlignHCenter | Qt::AlignBottom | Qt::TextWordWrap;
    const QString caption = keptTogether(options.caption);
    const QRect box = room.adjusted(0, room.height() * 3 / 4, 0, 0);
    const QRect used = painter.boundingRect(box, kFlags, caption).intersected(box);
    painter.setClipRect(box);
    painter.drawText(used, kFlags, caption);
    room.setBottom(used.top() - margin / 2);
}

QImage gridPicture(const Snapshot& snapshot, int first_head, int n_heads, const PictureOptions& options) {
    Sheet sheet(options);
    HeadGridStyle style;
    style.theme = options.theme;
    style.colormap = options.colormap;
    style.font = sheet.font;
    const HeadGridLayout layout =
        layoutHeadGrid(sheet.room, first_head, n_heads, snapshot.experiment.model.context_length, style);
    QPainter painter(&sheet.image);
    paintHeadGridFrame(painter, layout, style);
    paintHeadGridCells(painter, layout, snapshot, style);
    const std::vector<HeadTitle> titles = headTitles(snapshot, {});
    paintHeadTitles(painter, layout, titles, style);
    paintMutedHeads(painter, layout, titles, style);
    painter.end();
    return sheet.image;
}

}  // namespace

QImage headsPicture(const Snapshot& snapshot, const PictureOptions& options) {
    return gridPicture(snapshot, 0, snapshot.experiment.model.n_heads, options);
}

QImage headPicture(const Snapshot& snapshot, int head, const PictureOptions& options) {
    assert(head >= 0 && head < snapshot.experiment.model.n_heads);
    return gridPicture(snapshot, head, 1, options);
}

QImage lossPicture(const LossChart& chart, const PictureOptions& options) {
    Sheet sheet(options);
    const QImage curve = chart.picture(sheet.room.size(), options.theme, sheet.font);
    QPainter(&sheet.image).drawImage(sheet.room.topLeft(), curve);
    return sheet.image;
}

QImage lossPicture(const Experiment& experiment, const std::vector<LossPoint>& points,
                   const PictureOptions& options) {
    LossChart chart;
    chart.beginRun(experiment);
    chart.append(points);
    return lossPicture(chart, options);
}

QByteArray pngOf(const QImage& image) {
    QBuffer png;
    image.save(&png, "PNG");
    return png.data();
}

void copyToClipboard(const QImage& image) { QGuiApplication::clipboard()->setImage(image); }

}  // namespace headscope
