#pragma once

#include <QString>
#include <QStringList>

#include "engine/formats/attention_maps.h"

namespace headscope {

/// "gpt2.npz · layer 3 of 12 · row 1 of 2": only what there are several of. Layer and row from 0.
QString originText(const QString& file, const AttentionMaps& maps, std::size_t layer, std::size_t row);

/// "12 layers · 2 rows · 12 heads · 256 tokens · causal".
QString extentText(const AttentionMaps& maps);

/// "3 1 4" or "3, 1, 4": what stands between blanks and commas.
QStringList splitTokens(const QString& text);

}  // namespace headscope
