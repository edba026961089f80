#pragma once

#include <optional>

#include <QString>
#include <QStringList>

#include "ui/pictures.h"

namespace headscope {

struct RenderToFile {
    QString attention;  ///< an NPY, NPZ or safetensors file: see readAttention(); or a run: its last frame
    QString array;      ///< which of its arrays; empty where it can be told
    QString tokens;     ///< a file of their texts, or none
    int layer = 1, row = 1;               ///< from 1
    std::optional<int> head = {};         ///< from 1; all of them side by side where there is none
    std::optional<QString> caption = {};  ///< where there is none, what is shown is said
    PictureOptions look = {};
    QString picture;  ///< where it goes, as PNG, SVG or PDF by its name
};

/// Reads the words that follow `render`. Throws Refusal on whatever cannot be meant.
RenderToFile parseRender(const QStringList& words);

/// Draws attention out of a file into a picture. Needs a QApplication, whatever its platform. Throws Refusal
/// where a file cannot be read, has no such layer, row or head, or cannot be written. Blocks.
void renderToFile(const RenderToFile& request);

}  // namespace headscope
