#pragma once

#include <QString>

class QWidget;

namespace headscope {

/// Opens what an NPY, NPZ or safetensors file holds, over a window: its attention in a window of its own, or,
/// where it has none but weights, a dialog that asks for the tokens that they shall attend to. Both delete
/// themselves when closed. Throws Refusal where the file holds neither. Blocks while it reads.
void openAttention(const QString& path, QWidget* window);

}  // namespace headscope
