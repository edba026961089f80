#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "engine/formats/safetensors.h"

namespace headscope {

/// Attention that another program's model paid: of each layer, for each sequence of a batch, by each head.
struct AttentionMaps {
    std::size_t layers = 1, rows = 1;     ///< rows: B, sequences in the batch
    std::size_t n_heads = 0, length = 0;  ///< H, T
    std::vector<float> weights;           ///< (layers, B, H, T, T), row-major, each from 0 to 1
    bool causal = false;                  ///< no query attends to what comes after it, anywhere
    /// The texts of the tokens: none, T for every row, or T for each of B rows.
    std::vector<std::vector<std::string>> tokens;

    /// (H, T, T) of one layer, for one row.
    std::span<const float> of(std::size_t layer, std::size_t row) const;
    /// (T) of one row; empty where they are not known.
    std::span<const std::string> tokensOf(std::size_t row) const;
};

/// The attention in an NPY, NPZ or safetensors file: (H, T, T), (B, H, T, T) or (layers, B, H, T, T) of any
/// floating-point type. Where a file holds several such arrays, `array` says which; without it, the one that
/// is called attention, attentions, attn or weights, be it after a dot, or the only one. Tokens are those of
/// the metadata's `tokens`, a JSON list as setTokens() takes, or of an array `tokens` of whole numbers.
///
/// Throws Refusal, naming the file and the reason, for what is none of these files, a shape that is not
/// square or too large to be seen, a weight that is not a number from 0 to 1, and weights of a query that do
/// not sum to 1, as they do after a softmax. (Those of a query that sees nothing are all 0.) Blocks.
AttentionMaps readAttention(const std::filesystem::path& path, const std::string& array = {});

/// `name` stands for the file in messages.
AttentionMaps parseAttention(std::vector<std::byte> bytes, const std::string& name,
                             const std::string& array = {});

/// Whether there is an array in the file that may be attention.
bool holdsAttention(const Safetensors& file);

/// The tokens in a text: a JSON list of T texts, or of B lists of T; or plain text, a token on each line or,
/// on one line, with spaces between. Throws Refusal, changing nothing, where it is neither or there are too
/// few or too many.
void setTokens(AttentionMaps& maps, std::string_view text, const std::string& name);

}  // namespace headscope
