#pragma once

#include <string>

#include "ui/panel_state.h"

namespace headscope {

/// As a session file has it: a JSON object.
std::string toJson(const PanelState& state);

/// What is not there is as it is at the first start; "" is all of that. Throws Refusal for what is no object
/// or has a value that cannot be.
PanelState panelFromJson(const std::string& text);

}  // namespace headscope
