#include "engine/model/copy_tasks.h"

#include <cassert>
#include <cstdint>

#include "engine/model/cross_entropy.h"

namespace headscope {

int integerRoot(int vocab_size, std::size_t n) {
    for (int b = 2; b <= vocab_size; ++b) {
        std::int64_t power = 1;
        for (std::size_t i = 0; i < n && power <= vocab_size; ++i) power *= b;
        if (power == vocab_size) return b;
        if (power > vocab_size) break;
    }
    return 0;
}

CopyTask::CopyTask(Task task, std::vector<int> lags, int vocab_size, int context_length)
    : m_task(task),
      m_lags(std::move(lags)),
      m_symbols(task == Task::LagCopy ? integerRoot(vocab_size, m_lags.size()) : vocab_size),
      m_context_length(static_cast<std::size_t>(context_length)) {
    assert(m_symbols >= 2 && context_length >= 1);
    assert(task != Task::PrefixCopy || context_length % 2 == 0);
    assert(task != Task::LagCopy || m_lags.back() < context_length);
}

void CopyTask::sample(Random& random, std::span<int> tokens, std::span<int> targets) const {
    assert(tokens.size() == targets.size() && tokens.size() % m_context_length == 0);
    for (std::size_t at = 0; at < tokens.size(); at += m_context_length)
        sampleRow(random, tokens.subspan(at, m_context_length), targets.subspan(at, m_context_length));
}

void CopyTask::sampleRow(Random& random, std::span<int> tokens, std::span<int> targets) const {
    const std::size_t T = tokens.size();
    const std::size_t period = m_task == Task::Repeat ? 1 : m_task == Task::PrefixCopy ? T / 2 : T;
    for (std::size_t t = 0; t < T; ++t)
        tokens[t] = t < period ? static_cast<int>(random.below(static_cast<std::uint32_t>(m_symbols)))
                               : tokens[t - period];
    if (m_task != Task::LagCopy) {
        for (std::size_t t = 0; t < T; ++t)
            targets[t] = t + 1 < period ? kIgnoredTarget : tokens[(t + 1) % period];
        return;
    }
    const auto longest = static_cast<std::size_t>(m_lags.back());
    for (std::size_t t = 0; t < T; ++t) {
        int word = 0;
        if (t >= longest)
            for (const int lag : m_lags) word = word * m_symbols + tokens[t - static_cast<std::size_t>(lag)];
        targets[t] = t >= longest ? word : kIgnoredTarget;
    }
}

}  // namespace headscope
