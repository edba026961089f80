#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QFontMetricsF>

#include "ui/loss_plot.h"

namespace headscope {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(LossChart)
};

constexpr double kFewestSteps = 4;  // the deepest zoom
constexpr double kRounding = 1;     // QCustomPlot measures text in whole pixels

QRectF withPadding(const QCPItemText& label, const QRectF& box) {
    return box.adjusted(0, -label.padding().top(), 0, label.padding().bottom());
}

/// Moves labels up, then down, until none covers another and all lie between top and bottom as far as they
/// can.
template <typename Placed>
void spread(std::vector<Placed>& labels, double top, double bottom) {
    const auto settle = [&labels](std::size_t i, double direction) {
        QRectF& box = labels[i].box;
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t j = 0; j < i; ++j)
                if (const QRectF& other = labels[j].box; box.intersects(other)) {
                    box.moveTop(direction < 0 ? other.top() - box.height() : other.bottom());
                    moved = true;
                }
        }
    };
    std::stable_sort(labels.begin(), labels.end(),
                     [](const Placed& a, const Placed& b) { return a.box.top() > b.box.top(); });
    for (std::size_t i = 0; i < labels.size(); ++i) {
        labels[i].box.moveBottom(std::min(labels[i].box.bottom(), bottom));
        settle(i, -1);
    }
    std::reverse(labels.begin(), labels.end());
    for (std::size_t i = 0; i < labels.size(); ++i) {
        labels[i].box.moveTop(std::max(labels[i].box.top(), top));
        settle(i, +1);
    }
}

}  // namespace

QRectF labelBox(const QCPItemText& label, const QString& text, const QPointF& left_center) {
    const QFontMetricsF metrics(label.font());
    const double width = metrics.horizontalAdvance(text) + label.padding().left() + label.padding().right();
    return {left_center.x(), left_center.y() - metrics.height() / 2, width, metrics.height()};
}

QCPRange LossPlot::homeX() const {
    const double planned = runs.empty() ? 1 : std::max(1, runs[0].experiment.steps);
    if (raw->data()->isEmpty()) return {0, planned};
    const double last = (raw->data()->constEnd() - 1)->key;
    // By leaps, so that an endless run does not shift the axis at every step.
    return {0, last <= planned ? planned : last * 1.1};
}

QCPRange LossPlot::homeY() const {
    if (runs.empty()) return {0, 1};
    double top = chance();
    for (const Run* run : drawn()) top = std::max(top, run->largest);
    // The label of the dashed line stands above it.
    const double height =
        std::max(1, plot->viewport().height() - area()->margins().top() - area()->margins().bottom());
    const double label = std::min(0.5, 1.2 * QFontMetricsF(chanceLabel->font()).height() / height);
    return {0, std::max(top * 1.04, chance() / (1 - label))};
}

void LossPlot::fitRange() {
    if (zoomed) return;
    m_fitting = true;
    plot->xAxis->setRange(homeX());
    plot->yAxis->setRange(homeY());
    m_fitting = false;
}

/// A zoom never leaves what there is to see; one that shows all of it is none.
void LossPlot::boundRange() {
    if (m_fitting) return;
    m_fitting = true;
    const QCPRange home = homeX();
    QCPRange x = plot->xAxis->range();
    const double least = std::min(kFewestSteps, home.size());
    if (x.size() < least) x = {x.center() - least / 2, x.center() + least / 2};
    plot->xAxis->setRange(x.bounded(home.lower, home.upper));
    plot->yAxis->setRange(plot->yAxis->range().bounded(0, homeY().upper));
    zoomed = plot->xAxis->range() != home || plot->yAxis->range() != homeY();
    m_fitting = false;
}

/// Before the layout: the right margin holds the longest label, the ticks keep their distance.
void LossPlot::reserveMargins() {
    double longest = 0;
    for (const Run* run : drawn())
        longest = std::max(longest, labelGap(*run) + (isGhost(*run) ? sampleLength() : 0) +
                                        labelBox(*run->label, run->text, {}).width());
    const double limit = plot->viewport().width() / 3.0;
    const int right = static_cast<int>(std::ceil(std::max(12 * line, std::min(longest, limit) + kRounding)));
    area()->setMargins(QMargins(0, static_cast<int>(6 * line), right, 0));
    const QFontMetricsF metrics(plot->xAxis->tickLabelFont());
    const auto count = [](double pixels, double each) {
        return std::clamp(static_cast<int>(pixels / each), 2, 8);
    };
    const double widest = metrics.horizontalAdvance(QString::number(plot->xAxis->range().upper, 'f', 0));
    plot->xAxis->ticker()->setTickCount(
        count(plot->viewport().width() - right, widest + 3 * metrics.height()));
    plot->yAxis->ticker()->setTickCount(count(plot->viewport().height(), 2.2 * metrics.height()));
    fitRange();
}

void LossPlot::placeLabels() {
    const QRectF box = area()->rect();
    const bool drawn = !runs.empty();
    emptyText->setVisible(!drawn);
    emptyText->setText(drawn ? QString() : Text::tr("No run yet. Start one to see its loss fall."));
    emptyText->position->setCoords(box.center());
    chanceLine->setVisible(drawn);
    chanceLabel->setVisible(drawn && plot->yAxis->range().contains(chance()));
    for (const Run* run : this->drawn()) {
        run->label->setVisible(false);
        run->sample->setVisible(false);
    }
    std::vector<PlacedLabel> labels = wantedPlaces();
    const QRectF room = plot->viewport();
    double needed = 0;
    for (const PlacedLabel& label : labels) needed += label.box.height();
    const double bottom = std::clamp(box.top() + needed, box.bottom(), std::max(box.bottom(), room.bottom()));
    spread(labels, box.top(), bottom);
    for (const PlacedLabel& label : labels) {
        const double left = label.box.left(), y = label.box.center().y();
        const bool ghost = isGhost(*label.run);
        const double text_left = left + (ghost ? sampleLength() : 0);
        const QMargins padding = label.run->label->padding();
        label.run->label->setText(
            QFontMetricsF(label.run->label->font())
                .elidedText(label.run->text, Qt::ElideRight,
                            room.right() - kRounding - text_left - padding.left() - padding.right()));
        label.run->label->position->setCoords(text_left, y);
        label.run->label->setVisible(true);
        label.run->sample->start->setCoords(left, y);
        label.run->sample->end->setCoords(text_left, y);
        label.run->sample->setVisible(ghost);
    }
    if (drawn) placeChanceLabel(labels);
}

/// Of the labels that there is room for, the newest; they may cover each other.
std::vector<LossPlot::PlacedLabel> LossPlot::wantedPlaces() const {
    std::vector<PlacedLabel> labels;
    double height = 0;
    for (const Run* run : drawn()) {
        const QCPGraphDataContainer& points = *run->average->data();
        const auto end = points.findEnd(plot->xAxis->range().upper, false);
        if (end == points.constBegin() || (end - 1)->key < plot->xAxis->range().lower) continue;
        const bool ghost = isGhost(*run);
        const double x = ghost ? area()->rect().right() : plot->xAxis->coordToPixel((end - 1)->key);
        QRectF box = labelBox(*run->label, run->text,
                              {x + labelGap(*run), plot->yAxis->coordToPixel((end - 1)->value)});
        if (ghost) box.setRight(box.right() + sampleLength());
        height += box.height();
        if (ghost && height > plot->viewport().height()) break;
        labels.push_back({run, box});
    }
    return labels;
}

/// At the right, above its line; where a curve that is no better than chance ends there, left of its label.
void LossPlot::placeChanceLabel(const std::vector<PlacedLabel>& labels) {
    const QSizeF size = QFontMetricsF(chanceLabel->font()).size(0, chanceLabel->text());
    const double bottom = plot->yAxis->coordToPixel(chance()) - line;
    double right = area()->rect().right();
    for (const PlacedLabel& label : labels)
        if (label.box.intersects({QPointF(right - size.width(), bottom - size.height()), size}))
            right = label.box.left() - 4 * line;
    chanceLabel->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    chanceLabel->position->setCoords(right, bottom);
}

void LossPlot::placeMarks() {
    const QRectF box = area()->rect();
    double y = box.top() + box.height() / 3;  // each a line below the one before, as they may stand close
    for (const Mark& mark : marks) {
        const double x = plot->xAxis->coordToPixel(static_cast<double>(mark.step));
        const bool left = x > box.center().x();
        mark.label->setPositionAlignment((left ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        mark.label->position->setCoords(x + (left ? -2 : 2) * line, y);
        y += 1.3 * QFontMetricsF(mark.label->font()).height();
        if (y > box.bottom() - box.height() / 4) y = box.top() + box.height() / 3;
    }
}

void LossPlot::placeCursor() {
    const bool shown = cursor && !raw->data()->isEmpty();
    cursorLine->setVisible(shown);
    cursorDot->setVisible(shown);
    cursorLabel->setVisible(shown);
    if (!shown) return;
    const auto point = raw->data()->findBegin(static_cast<double>(*cursor), false);
    cursorLine->point1->setCoords(point->key, 0);
    cursorLine->point2->setCoords(point->key, 1);
    const QPointF at(plot->xAxis->coordToPixel(point->key), plot->yAxis->coordToPixel(point->value));
    const QPointF radius(4 * line, 4 * line);
    cursorDot->topLeft->setCoords(at - radius);
    cursorDot->bottomRight->setCoords(at + radius);
    cursorLabel->setText(cursorText());
    const QRectF bubble = placeOfBubble(at);
    cursorLabel->position->setCoords(bubble.left(), bubble.center().y());
}

/// Beside the cursor where it covers no label, else over its line.
QRectF LossPlot::placeOfBubble(const QPointF& at) const {
    std::vector<QRectF> taken;
    const auto take = [&taken](const QCPItemText& label) {
        const QPointF place = label.position->pixelPosition();
        QRectF box = labelBox(label, label.text(), place);
        if (label.positionAlignment() & Qt::AlignRight) box.moveRight(place.x());
        if (label.positionAlignment() & Qt::AlignBottom) box.moveBottom(place.y());
        if (label.visible()) taken.push_back(withPadding(label, box));
    };
    for (const Run* run : drawn()) take(*run->label);
    for (const Mark& mark : marks) take(*mark.label);
    take(*chanceLabel);
    const QRectF box = area()->rect();
    const double left = plot->viewport().left(), right = plot->viewport().right();
    const double width = labelBox(*cursorLabel, cursorLabel->text(), {}).width();
    const double over = std::max(left, std::min(at.x() - width / 2, right - width));
    for (const double x : {at.x() + 10, at.x() - 10 - width, over})
        for (const double height : {0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.15}) {
            const QRectF place =
                labelBox(*cursorLabel, cursorLabel->text(), {x, box.top() + height * box.height()});
            if (place.left() >= left && place.right() <= right &&
                std::none_of(taken.begin(), taken.end(), [&](const QRectF& label) {
                    return label.intersects(withPadding(*cursorLabel, place));
                }))
                return place;
        }
    return labelBox(*cursorLabel, cursorLabel->text(), {over, box.top() + box.height() / 4});
}

QString LossPlot::cursorText() const {
    if (!cursor || isEmpty()) return {};
    const auto point = raw->data()->findBegin(static_cast<double>(*cursor), false);
    const auto index = point - raw->data()->constBegin();
    QString text = Text::tr("step %1 · loss %2 · accuracy %3 %")
                       .arg(std::llround(point->key))
                       .arg(point->value, 0, 'g', 3)
                       .arg(std::lround(accuracy[static_cast<std::size_t>(index)] * 100));
    if (twin && !twin->average->data()->isEmpty()) {
        const auto average = [&](const Run& run) {
            return run.average->data()->findBegin(point->key, false)->value;
        };
        text += Text::tr(" · smoothed %1 against %2")
                    .arg(average(runs.front()), 0, 'g', 3)
                    .arg(average(*twin), 0, 'g', 3);
    }
    return text;
}

}  // namespace headscope
