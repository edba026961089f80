#include "engine/inspection/head_ablation.h"

#include <cassert>

#include "engine/numeric/matmul.h"

namespace headscope {

HeadAblation::HeadAblation(const Parameters<float>& parameters, int n_heads) {
    const auto lm_head = parameters.lm_head_weight();
    assert(n_heads > 0 && lm_head.cols() % n_heads == 0);
    m_d_head = lm_head.cols() / n_heads;
    m_output.resize(lm_head.rows(), lm_head.cols());
    multiply<float>(lm_head, parameters.attn().out_proj_weight, m_output);
}

float HeadAblation::lossWithout(int head, In<float> context, In<float> logits, std::span<const int> targets) {
    const Index first = head * m_d_head;
    assert(head >= 0 && first < m_output.cols());
    m_logits.resize(logits.rows(), logits.cols());
    multiplyABt<float>(context.middleCols(first, m_d_head), m_output.middleCols(first, m_d_head), m_logits);
    m_logits = logits - m_logits;
    return crossEntropy<float>(m_logits, targets, m_logits).loss;
}

}  // namespace headscope
