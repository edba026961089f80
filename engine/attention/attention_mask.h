#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "engine/attention/attention_shape.h"

namespace headscope {

/// Which keys each query may attend to: causality and boolean masks, all of which must allow it. A value.
/// Causality is a fact here and never a matrix, so that a causal block costs no memory for it.
class AttentionMask {
public:
    AttentionMask() = default;  ///< hides nothing

    /// Query t sees keys 0 … t.
    static AttentionMask causal();

    /// visible (B, Lk) row-major: where it is 0, no query of that sequence sees that key. Throws Refusal for
    /// another number of values.
    static AttentionMask keyPadding(Index batch_rows, Index keys, std::vector<unsigned char> visible);

    /// `visible` row-major of `shape`, not 0 where the key may be attended to. The shape broadcasts to
    /// (B, H, Lq, Lk) as NumPy's do: missing leading sizes and sizes of 1 stand for all. Throws Refusal for
    /// more than four sizes, sizes below 1, or another number of values.
    static AttentionMask boolean(std::span<const Index> shape, std::vector<unsigned char> visible);

    /// What both let see.
    AttentionMask& operator&=(const AttentionMask& other);
    friend AttentionMask operator&(AttentionMask a, const AttentionMask& b) { return a &= b; }

    /// Throws Refusal, naming both shapes, where a boolean mask does not broadcast to (B, H, Lq, Lk).
    void requireBroadcastsTo(const AttentionShape& shape) const;

    bool isCausal() const { return m_causal; }
    bool hasBooleans() const { return !m_booleans.empty(); }

    /// As far as causality goes, query q sees the first so many of `keys` keys.
    Index causalPrefix(Index q, Index keys) const { return m_causal ? std::min(q + 1, keys) : keys; }

    bool visible(Index b, Index h, Index q, Index k) const;

    /// A rectangle of queries and keys of one head of one sequence.
    struct Tile {
        Index b, h;
        Index first_query, queries;
        Index first_key, keys;
    };
    enum class Visible { None, Some, All };

    /// What can be seen of a tile as far as causality goes: no work.
    Visible causally(const Tile& tile) const;

    /// Writes 0 or 1 for every query and key of the tile, (queries, keys) row-major, and sums it up.
    Visible write(const Tile& tile, std::span<unsigned char> visible) const;

private:
    struct Boolean {
        std::array<Index, 4> shape;    // (B, H, Lq, Lk), 1 where it counts for all
        std::array<Index, 4> strides;  // 0 there
        std::vector<unsigned char> visible;

        const unsigned char* row(Index b, Index h, Index q) const {
            return visible.data() + b * strides[0] + h * strides[1] + q * strides[2];
        }
    };

    bool m_causal = false;
    std::vector<Boolean> m_booleans;
};

}  // namespace headscope
