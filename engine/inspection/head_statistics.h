#pragma once

#include <vector>

#include "engine/inspection/head_diagnostics.h"
#include "engine/numeric/matrix.h"

namespace headscope {

/// Gathers the diagnostics of causal heads over rows that come in parts.
class HeadStatistics {
public:
    HeadStatistics(int n_heads, int context_length);

    /// weights and what entered their softmax, both (B·H·T, T) for any B; what is above the diagonal is not
    /// read.
    void add(In<float> weights, In<float> scores);

    /// Of all that was added, H of them; without gradient norms, which are 0.
    std::vector<HeadDiagnostics> diagnostics() const;

private:
    struct Sums {
        double scores = 0, squared_scores = 0, entropy = 0, squared_weights = 0, distance = 0;
    };
    std::vector<Sums> m_heads;  // (H)
    Index m_length;
    Index m_rows = 0;  // of a head, T in each sequence
};

/// The norms of each head's rows of Q and of K in the gradient of qkv_proj's weight (3D, D), into `heads`.
void addGradientNorms(In<float> grad_qkv_weight, std::vector<HeadDiagnostics>& heads);

}  // namespace headscope
