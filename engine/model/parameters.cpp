#include "engine/model/parameters.h"

namespace headscope {

template <typename Scalar>
Parameters<Scalar>::Parameters(const ModelConfig& config) : m_d_model(config.d_model) {
    requireValid(config);
    const Index V = config.vocab_size, D = config.d_model, T = config.context_length;
    Index end = 0;
    const auto add = [&](Slot slot, std::string_view name, Index rows, Index cols, bool is_vector = false) {
        m_entry_of[slot] = static_cast<int>(m_entries.size());
        m_entries.push_back({name, rows, cols, end, is_vector});
        end += rows * cols;
    };
    m_entry_of.fill(-1);
    add(TokenEmb, "token_emb.embedding.weight", V, D);
    if (config.positions == Positions::Learned) add(PosEmb, "pos_emb.embedding.weight", T, D);
    add(QkvWeight, "attn.qkv_proj.weight", 3 * D, D);
    add(QkvBias, "attn.qkv_proj.bias", 1, 3 * D, true);
    add(OutWeight, "attn.out_proj.weight", D, D);
    add(OutBias, "attn.out_proj.bias", 1, D, true);
    add(HeadWeight, "lm_head.weight", V, D);
    add(HeadBias, "lm_head.bias", 1, V, true);
    m_values.setZero(1, end);
}

template <typename Scalar>
View<Scalar> Parameters<Scalar>::view(Slot slot) {
    const int i = m_entry_of[slot];
    if (i < 0) return {nullptr, 0, m_d_model, Eigen::OuterStride<>(m_d_model)};
    const Entry& e = m_entries[static_cast<std::size_t>(i)];
    return {at(e), e.rows, e.cols, Eigen::OuterStride<>(e.cols)};
}

template <typename Scalar>
ConstView<Scalar> Parameters<Scalar>::view(Slot slot) const {
    const int i = m_entry_of[slot];
    if (i < 0) return {nullptr, 0, m_d_model, Eigen::OuterStride<>(m_d_model)};
    const Entry& e = m_entries[static_cast<std::size_t>(i)];
    return {at(e), e.rows, e.cols, Eigen::OuterStride<>(e.cols)};
}

template class Parameters<float>;
template class Parameters<double>;
template class Parameters<std::complex<double>>;

}  // namespace headscope
