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
/// was measured, with token std 1 and Adam at 0.005: prefix-copy with d_model 128, five seeds; lag-copy 1, 4,
/// 7 with d_model 32 and 128 and learned positions of std 1, three seeds.
QString scalingMatters(const Experiment& experiment);

}  // namespace headscope
