#include "ui/head_titles.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QCoreApplication>
#include <QFontMetricsF>

#include "engine/training/head_labels.h"
#include "ui/mute_log.h"
#include "ui/pill.h"

namespace headscope {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(HeadGrid)
};

QString lossText(float loss) { return QString::number(static_cast<double>(loss), 'g', 2); }

QString withoutText(const Snapshot& snapshot, int head, const MuteLog& log) {
    if (const auto loss = log.at(head, snapshot.steps_done))
        return Text::tr("loss %1 → %2 without it").arg(lossText(loss->before), lossText(loss->after));
    return Text::tr("loss %1 without it").arg(lossText(snapshot.probe_loss));
}

QString pillText(const HeadTitle& title, bool brief) {
    switch (title.mode) {
        case HeadMode::Muted:
            return Text::tr("muted");
        case HeadMode::Uniform:
            return Text::tr("held uniform");
        case HeadMode::Frozen:
            if (brief || title.label.isEmpty()) return Text::tr("frozen");
            return Text::tr("frozen · %1").arg(title.label);
        case HeadMode::Trained:
            break;
    }
    return brief ? title.shortLabel : title.label;
}

/// How titles are written: the fullest way in which every one has room.
struct Writing {
    HeadGridLayout::Titles name;
    bool pills = true, brief = false;
};

double gapOf(const HeadGridLayout& layout) { return 0.5 * QFontMetricsF(layout.titleFont).height(); }

QFont pillFont(const HeadGridLayout& layout) {
    QFont font = layout.tickFont;
    font.setWeight(QFont::DemiBold);
    return font;
}

constexpr Writing kWritings[] = {{HeadGridLayout::Titles::Full},
                                 {HeadGridLayout::Titles::Number},
                                 {HeadGridLayout::Titles::Full, true, true},
                                 {HeadGridLayout::Titles::Number, true, true}};

}  // namespace

int titleBrevity(const HeadGridLayout& layout, const std::vector<HeadTitle>& titles) {
    using Titles = HeadGridLayout::Titles;
    const QFontMetricsF names(layout.titleFont);
    const auto fits = [&](const Writing& writing) {
        for (int head = layout.first_head; head < layout.first_head + layout.n_heads; ++head) {
            const QString pill = pillText(titles[static_cast<std::size_t>(head)], writing.brief);
            const double width = names.horizontalAdvance(layout.name(writing.name, head)) + gapOf(layout) +
                                 pillWidth(pillFont(layout), pill);
            if (width > titleRect(layout, head).width()) return false;
        }
        return true;
    };
    int brevity = 0;
    for (const Writing& writing : kWritings) {
        if ((writing.name == Titles::Number || layout.titles == Titles::Full) && fits(writing)) break;
        ++brevity;
    }
    return brevity;
}

QString patternText(const HeadLabel& label) {
    switch (label.pattern) {
        case Pattern::Copy:
            return Text::tr("lag %1").arg(label.lag);
        case Pattern::PreviousToken:
            return Text::tr("previous token");
        case Pattern::NextToken:
            return Text::tr("next token");
        case Pattern::SameToken:
            return Text::tr("same token");
        case Pattern::FirstToken:
            return Text::tr("first token");
        case Pattern::Uniform:
            return Text::tr("uniform");
        case Pattern::Mixed:
            break;
    }
    return Text::tr("mixed");
}

QString HeadTitle::sentence(int head) const {
    const QString text = label.isEmpty() ? Text::tr("some weights are not numbers") : label;
    switch (mode) {
        case HeadMode::Muted:
            return Text::tr("Head %1 is muted: %2.").arg(head + 1).arg(withoutIt);
        case HeadMode::Uniform:
            return Text::tr("Head %1 is held uniform.").arg(head + 1);
        case HeadMode::Frozen:
            return Text::tr("Head %1 is frozen: %2.").arg(head + 1).arg(text);
        case HeadMode::Trained:
            break;
    }
    return Text::tr("Head %1: %2.").arg(head + 1).arg(text);
}

std::vector<HeadTitle> headTitles(const Snapshot& snapshot, const MuteLog& log) {
    std::vector<HeadTitle> titles;
    for (const HeadLabel& label : headLabels(snapshot)) {
        const std::size_t head = titles.size();
        HeadTitle title;
        if (head < snapshot.modes.size()) title.mode = snapshot.modes[head];
        if (std::isfinite(label.score)) {
            title.named = label.pattern != Pattern::Mixed;
            title.shortLabel = patternText(label);
            title.label = title.named ? Text::tr("%1 · %2").arg(title.shortLabel).arg(label.score, 0, 'f', 2)
                                      : title.shortLabel;
        }
        if (title.mode == HeadMode::Muted)
            title.withoutIt = withoutText(snapshot, static_cast<int>(head), log);
        titles.push_back(title);
    }
    return titles;
}

QRectF titleRect(const HeadGridLayout& layout, int head) {
    const QRectF tile = layout.tile(head);
    const double em = layout.colorBar.width() / 0.8;
    const double room = layout.columns > 1 ? layout.pitch.width() - 0.5 * em : layout.side + em;
    const double width = std::min(room, layout.colorBar.left() - 0.5 * em - tile.left());
    return {tile.left(), tile.top() - layout.titleHeight, width, layout.titleHeight};
}

void paintHeadTitles(QPainter& painter, const HeadGridLayout& layout, const std::vector<HeadTitle>& titles,
                     const HeadGridStyle& style, int brevity) {
    if (!layout.columns || layout.titles == HeadGridLayout::Titles::None) return;
    const auto level = static_cast<std::size_t>(std::max(brevity, titleBrevity(layout, titles)));
    Writing writing = level < std::size(kWritings) ? kWritings[level] : Writing{layout.titles, false};
    if (layout.titles == HeadGridLayout::Titles::Number) writing.name = layout.titles;
    const QFontMetricsF names(layout.titleFont);
    for (int head = layout.first_head; head < layout.first_head + layout.n_heads; ++head) {
        const HeadTitle& title = titles[static_cast<std::size_t>(head)];
        const QRectF room = titleRect(layout, head);
        const QString name = layout.name(writing.name, head);
        painter.fillRect(room, style.theme.card);
        painter.setFont(layout.titleFont);
        painter.setPen(title.mode == HeadMode::Muted ? style.theme.mutedText : style.theme.text);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, name);
        const QString text = writing.pills ? pillText(title, writing.brief) : QString();
        if (text.isEmpty()) continue;
        painter.setFont(pillFont(layout));
        const bool plain = title.mode == HeadMode::Muted || !title.named;
        paintPill(painter, room.adjusted(names.horizontalAdvance(name) + gapOf(layout), 1, 0, -1),
                  plain ? Pill::quiet(text, style.theme) : Pill::accent(text, style.theme));
    }
}

void paintMutedHeads(QPainter& painter, const HeadGridLayout& layout, const std::vector<HeadTitle>& titles,
                     const HeadGridStyle& style) {
    QColor veil = style.theme.card;
    veil.setAlphaF(0.78f);
    constexpr int kFlags = Qt::AlignCenter | Qt::TextWordWrap;
    for (int head = layout.first_head; layout.columns && head < layout.first_head + layout.n_heads; ++head) {
        const HeadTitle& title = titles[static_cast<std::size_t>(head)];
        if (title.mode != HeadMode::Muted) continue;
        const QRectF tile = layout.tile(head);
        painter.fillRect(tile, veil);
        painter.setFont(pillFont(layout));
        const double pad = 0.4 * QFontMetricsF(painter.font()).height();
        const QRectF room = tile.adjusted(2 * pad, pad, -2 * pad, -pad);
        const QRectF used = QFontMetricsF(painter.font()).boundingRect(room, kFlags, title.withoutIt);
        if (used.width() > room.width() || used.height() > room.height()) continue;
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(style.theme.border, 1));
        painter.setBrush(QColor(style.theme.card.rgb()));  // it is written on, whatever the ground
        painter.drawRoundedRect(used.adjusted(-2 * pad, -pad, 2 * pad, pad), pad, pad);
        painter.setPen(style.theme.text);
        painter.drawText(used.adjusted(-1, 0, 1, 0), kFlags, title.withoutIt);
        painter.restore();
    }
}

}  // namespace headscope
