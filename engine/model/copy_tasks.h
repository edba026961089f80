#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/numeric/random.h"

namespace headscope {

/// The copy tasks. Repeat: one random token, repeated. PrefixCopy: T/2 random tokens, then the same again.
/// LagCopy: random symbols; the answer is the word of the symbols `lags` places back.
enum class Task { Repeat, PrefixCopy, LagCopy };

/// b ≥ 2 with bⁿ = vocab_size, or 0 when there is none.
int integerRoot(int vocab_size, std::size_t n);

/// Draws the rows of a task. Tokens and targets are 0 … V−1; a target that does not count is
/// kIgnoredTarget. Whoever knows nothing scores ln V on every task.
class CopyTask {
public:
    /// `lags` matters to LagCopy alone. The sizes are those of a valid Experiment: T is even for PrefixCopy;
    /// for n lags, ascending and less than T, V has a whole n-th root b.
    CopyTask(Task task, std::vector<int> lags, int vocab_size, int context_length);

    /// Fills tokens (B, T) and targets (B, T), row-major; only the tokens take random numbers.
    ///
    /// Repeat: a token, repeated; its own target everywhere. PrefixCopy: the targets are the next tokens, the
    /// last one's the token that would go on; the first T/2 − 1, which nobody can know, do not count.
    /// LagCopy: the tokens are symbols 0 … b−1; at t ≥ the largest lag the target is the word
    /// (x[t−l₁], x[t−l₂], …) in base b, the first lag most significant; before it none counts.
    void sample(Random& random, std::span<int> tokens, std::span<int> targets) const;

private:
    void sampleRow(Random& random, std::span<int> tokens, std::span<int> targets) const;

    Task m_task;
    std::vector<int> m_lags;
    int m_symbols;  // tokens are 0 … m_symbols−1
    std::size_t m_context_length;
};

}  // namespace headscope
