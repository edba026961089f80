#include "engine/attention/attention_mask.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <string>

#include "engine/numeric/refusal.h"

namespace headscope {
namespace {

std::string text(std::span<const Index> shape) {
    std::string sizes;
    for (const Index size : shape) sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
    return '(' + sizes + ')';
}

}  // namespace

AttentionMask AttentionMask::causal() {
    AttentionMask mask;
    mask.m_causal = true;
    return mask;
}

AttentionMask AttentionMask::keyPadding(Index batch_rows, Index keys, std::vector<unsigned char> visible) {
    return boolean(std::array{batch_rows, Index{1}, Index{1}, keys}, std::move(visible));
}

AttentionMask AttentionMask::boolean(std::span<const Index> shape, std::vector<unsigned char> visible) {
    if (shape.size() > 4)
        throw Refusal("a mask of shape %1 has %2 sizes: at most 4 are allowed",
                      {text(shape), std::to_string(shape.size())});
    Boolean mask{{1, 1, 1, 1}, {}, std::move(visible)};
    std::copy(shape.begin(), shape.end(), mask.shape.end() - static_cast<std::ptrdiff_t>(shape.size()));
    Index count = 1;
    for (std::size_t i = 4; i-- > 0;) {
        if (mask.shape[i] < 1)
            throw Refusal("a mask of shape %1 has a size below 1: none may be", {text(shape)});
        if (count > std::numeric_limits<Index>::max() / mask.shape[i])
            throw Refusal("a mask of shape %1 would have more values than can be counted", {text(shape)});
        mask.strides[i] = mask.shape[i] == 1 ? 0 : count;
        count *= mask.shape[i];
    }
    if (static_cast<Index>(mask.visible.size()) != count)
        throw Refusal("a mask of shape %1 has %2 values: it needs %3",
                      {text(shape), std::to_string(mask.visible.size()), std::to_string(count)});
    AttentionMask result;
    result.m_booleans.push_back(std::move(mask));
    return result;
}

AttentionMask& AttentionMask::operator&=(const AttentionMask& other) {
    m_causal |= other.m_causal;
    m_booleans.insert(m_booleans.end(), other.m_booleans.begin(), other.m_booleans.end());
    return *this;
}

void AttentionMask::requireBroadcastsTo(const AttentionShape& shape) const {
    const std::array whole{shape.batch_rows, shape.n_heads, shape.queries(), shape.keys()};
    for (const Boolean& mask : m_booleans)
        for (std::size_t i = 0; i < 4; ++i)
            if (mask.shape[i] != 1 && mask.shape[i] != whole[i])
                throw Refusal("a mask of shape %1 does not broadcast to (B, H, Lq, Lk) = %2",
                              {text(mask.shape), text(whole)});
}

bool AttentionMask::visible(Index b, Index h, Index q, Index k) const {
    if (m_causal && k > q) return false;
    return std::all_of(m_booleans.begin(), m_booleans.end(),
                       [&](const Boolean& mask) { return mask.row(b, h, q)[k * mask.strides[3]] != 0; });
}

AttentionMask::Visible AttentionMask::causally(const Tile& tile) const {
    if (!m_causal || tile.first_key + tile.keys <= tile.first_query + 1) return Visible::All;
    return tile.first_key < tile.first_query + tile.queries ? Visible::Some : Visible::None;
}

AttentionMask::Visible AttentionMask::write(const Tile& tile, std::span<unsigned char> visible) const {
    assert(static_cast<Index>(visible.size()) == tile.queries * tile.keys);
    if (causally(tile) == Visible::None) {
        std::fill(visible.begin(), visible.end(), 0);
        return Visible::None;
    }
    std::size_t count = 0;
    for (Index r = 0; r < tile.queries; ++r) {
        const auto row =
            visible.subspan(static_cast<std::size_t>(r * tile.keys), static_cast<std::size_t>(tile.keys));
        const Index q = tile.first_query + r;
        const Index seen =
            std::clamp(causalPrefix(q, tile.first_key + tile.keys) - tile.first_key, Index{0}, tile.keys);
        std::fill(row.begin(), row.begin() + seen, 1);
        std::fill(row.begin() + seen, row.end(), 0);
        for (const Boolean& mask : m_booleans) {
            const unsigned char* own = mask.row(tile.b, tile.h, q) + tile.first_key * mask.strides[3];
            for (Index k = 0; k < seen; ++k)
                row[static_cast<std::size_t>(k)] &= own[k * mask.strides[3]] != 0;
        }
        for (const unsigned char one : row) count += one;
    }
    return count == 0 ? Visible::None : count == visible.size() ? Visible::All : Visible::Some;
}

}  // namespace headscope
