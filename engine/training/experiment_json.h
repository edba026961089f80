#pragma once

#include <string>
#include <string_view>

#include "engine/training/experiment.h"

namespace headscope {

/// A JSON object with every member of a valid experiment, those of the model beside the others, under their
/// names; task and positions as in experiment_names.h. Ends with a newline.
std::string toJson(const Experiment& experiment);

/// The experiment that such an object describes; a member that is not there is as in Experiment{}. Throws
/// Refusal, naming the member, for a key that is unknown or there twice, a value of the wrong type, and
/// whatever problems() finds.
Experiment experimentFromJson(std::string_view json);

}  // namespace headscope
