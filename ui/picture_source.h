#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ui/pictures.h"

namespace headscope {

enum class PictureKind { HeadGrid, Head, Filmstrip, Twin, LossCurve, Mechanism };

/// What there is to export, and what of it is chosen.
struct PictureSource {
    Frame frame;  ///< what is shown of the heads; empty before there are any
    MuteLog muteLog, twinMuteLog;
    HeatmapKind values = HeatmapKind::Attention;
    std::vector<Frame> recorded;             ///< of the run; steps ascend
    std::shared_ptr<const LossChart> chart;  ///< nothing else changes it

    PictureKind kind = PictureKind::HeadGrid;
    int head = 0;                       ///< of Head and Filmstrip
    std::vector<std::int64_t> steps{};  ///< of Filmstrip, ascending; each stands for the nearest recorded one
    Measure measure = Measure::RowEntropy;

    Theme theme = Theme::light();
    Colormap colormap = Colormap::Viridis;
};

/// False when there is nothing of that kind yet (no snapshot, no twin, no point), or no such head.
bool isAvailable(const PictureSource& source);

/// The picture of `source.kind`, which is available.
Picture pictureOf(const PictureSource& source);

/// The caption that tells how to make it again.
QString captionOf(const PictureSource& source);

/// A name without spaces and without a suffix, "heads-repeat-h4-step360".
QString suggestedName(const PictureSource& source);

/// A file for every head, named after `path`: "a.svg" gives a-head1.svg, a-head2.svg … (a-head01.svg where
/// there are ten or more).
std::vector<QString> pathsOfEachHead(const PictureSource& source, const QString& path);

/// Recorded steps spread evenly from the first to the last, `count` of them or all.
std::vector<std::int64_t> evenSteps(const PictureSource& source, int count);

}  // namespace headscope
