#pragma once

#include "engine/numeric/matrix.h"

namespace headscope {

/// The sizes of an attention block. Sequences are stacked: row b·L + t of a (B·L, ·) matrix is token t of
/// sequence b.
struct AttentionShape {
    Index batch_rows;         ///< B
    Index length;             ///< Lq: queries in a sequence
    Index d_model;            ///< D
    Index n_heads;            ///< H, divides D
    Index memory_length = 0;  ///< Lk where keys and values come from another sequence, 0 where from the same

    bool isCross() const { return memory_length > 0; }
    Index queries() const { return length; }
    Index keys() const { return isCross() ? memory_length : length; }
    Index d_head() const { return d_model / n_heads; }
    Index rows() const { return batch_rows * length; }
    Index keyRows() const { return batch_rows * keys(); }
};

}  // namespace headscope
