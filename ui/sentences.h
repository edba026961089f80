#pragma once

#include <QString>

namespace headscope {

class Refusal;
struct Experiment;

/// A refusal in the language of the window.
QString sentence(const Refusal& refusal);

/// "√8 = 2.83"; "√16 = 4".
QString rootOf(int d_head);

/// How much it matters, on this task and at this width of a head, that scores are divided by √d_head. What
/// was measured: prefix-copy, d_model 128, token std 1, Adam at 0.005, five seeds.
QString scalingMatters(const Experiment& experiment);

}  // namespace headscope
