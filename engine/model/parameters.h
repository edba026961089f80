#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "engine/attention/attention_tensors.h"
#include "engine/model/model_config.h"
#include "engine/numeric/matrix.h"

namespace headscope {

/// One tensor where it lies, row-major: a matrix of shape (rows, cols), or a vector of shape (cols).
template <typename Scalar>
struct Tensor {
    Scalar* data;
    Index rows;  ///< 1 for a vector
    Index cols;
    bool is_vector;

    Index size() const { return rows * cols; }
    std::span<Scalar> values() const { return {data, static_cast<std::size_t>(size())}; }
};

/// All tensors of a language model, of their gradients, or of an optimizer's state: a value, in one buffer.
///
/// Names and (out, in) layouts are those of the PyTorch lesson:
/// `token_emb.embedding.weight` (V, D), `pos_emb.embedding.weight` (T, D) where positions are learned,
/// `attn.qkv_proj.weight` (3D, D), `attn.qkv_proj.bias` (3D), `attn.out_proj.weight` (D, D),
/// `attn.out_proj.bias` (D), `lm_head.weight` (V, D), `lm_head.bias` (V).
/// The head count is a view of these tensors: it changes none of their shapes.
template <typename Scalar>
class Parameters {
public:
    /// All zeros. Throws Refusal when the configuration is not valid.
    explicit Parameters(const ModelConfig& config);

    /// Calls f(std::string_view name, Tensor<Scalar>) for every tensor, in the order above: the one list that
    /// initialization, optimizer, files and tests share.
    template <typename F>
    void forEach(F&& f) {
        for (const Entry& e : m_entries) f(e.name, Tensor<Scalar>{at(e), e.rows, e.cols, e.is_vector});
    }
    template <typename F>
    void forEach(F&& f) const {
        for (const Entry& e : m_entries) f(e.name, Tensor<const Scalar>{at(e), e.rows, e.cols, e.is_vector});
    }

    /// Every value of every tensor, in that order.
    std::span<Scalar> values() { return {m_values.data(), static_cast<std::size_t>(m_values.size())}; }
    std::span<const Scalar> values() const {
        return {m_values.data(), static_cast<std::size_t>(m_values.size())};
    }

    View<Scalar> token_emb() { return view(TokenEmb); }
    View<Scalar> pos_emb() { return view(PosEmb); }  ///< (0, D) where positions are not learned
    View<Scalar> lm_head_weight() { return view(HeadWeight); }
    View<Scalar> lm_head_bias() { return view(HeadBias); }
    AttentionTensors<View<Scalar>> attn() {
        return {view(QkvWeight), view(QkvBias), view(OutWeight), view(OutBias)};
    }

    ConstView<Scalar> token_emb() const { return view(TokenEmb); }
    ConstView<Scalar> pos_emb() const { return view(PosEmb); }
    ConstView<Scalar> lm_head_weight() const { return view(HeadWeight); }
    ConstView<Scalar> lm_head_bias() const { return view(HeadBias); }
    AttentionTensors<ConstView<Scalar>> attn() const {
        return {view(QkvWeight), view(QkvBias), view(OutWeight), view(OutBias)};
    }

private:
    enum Slot { TokenEmb, PosEmb, QkvWeight, QkvBias, OutWeight, OutBias, HeadWeight, HeadBias, SlotCount };
    struct Entry {
        std::string_view name;
        Index rows, cols, offset;
        bool is_vector;
    };

    Scalar* at(const Entry& e) { return m_values.data() + e.offset; }
    const Scalar* at(const Entry& e) const { return m_values.data() + e.offset; }
    View<Scalar> view(Slot slot);
    ConstView<Scalar> view(Slot slot) const;

    std::vector<Entry> m_entries;             // what forEach lists
    std::array<int, SlotCount> m_entry_of{};  // index into m_entries, −1 where the model has no such tensor
    Index m_d_model;
    Matrix<Scalar> m_values;  // one row
};

extern template class Parameters<float>;
extern template class Parameters<double>;
extern template class Parameters<std::complex<double>>;

}  // namespace headscope
