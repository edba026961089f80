#pragma once

#include <vector>

#include <QString>

#include "engine/inspection/head_patterns.h"
#include "ui/head_grid_layout.h"

namespace headscope {

class MuteLog;

/// What the tile of a head says of it, beside its number.
struct HeadTitle {
    QString label;       ///< "lag 4 · 0.98"; empty where its weights are no numbers
    QString shortLabel;  ///< "lag 4"
    bool named = false;  ///< the head does one thing more than all else
    HeadMode mode = HeadMode::Trained;
    QString withoutIt;  ///< of a muted head: what its muting did to the loss; else empty

    /// One sentence for screen readers, `head` from 0.
    QString sentence(int head) const;
};

/// "lag 4", "previous token", "same token", "first token", "uniform" or "mixed".
QString patternText(const HeadLabel& label);

/// Of each head of a snapshot. What muting did comes from `log`; where that saw none, the loss as it is.
std::vector<HeadTitle> headTitles(const Snapshot& snapshot, const MuteLog& log);

/// Where the title of a head is, number and label.
QRectF titleRect(const HeadGridLayout& layout, int head);

/// How briefly all titles must be written for the longest to have room: 0 is in full.
int titleBrevity(const HeadGridLayout& layout, const std::vector<HeadTitle>& titles);

/// Paints the titles over what was there, all of them as long as the longest allows, or as brief as that.
void paintHeadTitles(QPainter& painter, const HeadGridLayout& layout, const std::vector<HeadTitle>& titles,
                     const HeadGridStyle& style, int brevity = 0);

/// Veils the cells of muted heads, and says there what their muting did where it fits.
void paintMutedHeads(QPainter& painter, const HeadGridLayout& layout, const std::vector<HeadTitle>& titles,
                     const HeadGridStyle& style);

}  // namespace headscope
