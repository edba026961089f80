#pragma once

#include <QString>
#include <QStringList>

#include "engine/training/update.h"
#include "ui/colormap.h"

namespace headscope {

/// How the window shows a run, as far as that belongs to the run and not to the screen it is on.
struct PanelState {
    QString lesson;             ///< id; empty where none is in hand
    double pace = 60;           ///< steps per second, or kUnlimitedPace
    bool shows_scores = false;  ///< instead of weights
    Colormap colormap = Colormap::Viridis;
    bool carries_on = false;  ///< on a change of heads, scaling or learning rate
    bool controls = true;     ///< shown
    bool probe_card = false;  ///< shown
    QStringList folded;       ///< object names of the cards that are, ascending

    bool operator==(const PanelState&) const = default;
};

}  // namespace headscope
