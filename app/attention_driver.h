#pragma once

#include <memory>
#include <variant>

#include <QString>

#include "engine/formats/attention_maps.h"

class QWidget;

namespace headscope {

/// What an NPY, NPZ or safetensors file holds that can be looked at: attention, or weights that can attend.
using Attending = std::variant<AttentionMaps, std::shared_ptr<const Safetensors>>;

/// Throws Refusal where the file holds neither. Blocks.
Attending readAttending(const QString& path);

/// Opens it over a window: attention in a window of its own, for weights a dialog that asks for the tokens
/// that they shall attend to. Both delete themselves when closed.
void openAttending(Attending attending, const QString& path, QWidget* window);

}  // namespace headscope
