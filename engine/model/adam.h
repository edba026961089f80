#pragma once

#include <cstdint>
#include <utility>

#include "engine/model/parameters.h"

namespace headscope {

/// Adam (Kingma and Ba, 2015, algorithm 1), bias-corrected, without weight decay:
/// m ← β₁m + (1−β₁)g, v ← β₂v + (1−β₂)g², θ ← θ − η·m̂ / (√v̂ + ε), m̂ = m/(1−β₁ᵗ), v̂ = v/(1−β₂ᵗ).
template <typename Scalar>
class Adam {
public:
    static constexpr double kBeta1 = 0.9;
    static constexpr double kBeta2 = 0.999;
    static constexpr double kEpsilon = 1e-8;

    /// For parameters of this model; allocates, so that step() need not.
    explicit Adam(const ModelConfig& config);

    /// One that goes on from where another stood after so many updates.
    Adam(Parameters<Scalar> mean, Parameters<Scalar> variance, std::int64_t steps_done)
        : m_mean(std::move(mean)), m_variance(std::move(variance)), m_steps_done(steps_done) {}

    /// One update of `parameters` by `gradients`, all of the constructor's shapes.
    void step(Parameters<Scalar>& parameters, const Parameters<Scalar>& gradients, double learning_rate);

    std::int64_t stepsDone() const { return m_steps_done; }
    const Parameters<Scalar>& mean() const { return m_mean; }          ///< m
    const Parameters<Scalar>& variance() const { return m_variance; }  ///< v

private:
    Parameters<Scalar> m_mean;      // m: first moment
    Parameters<Scalar> m_variance;  // v: second moment, uncentered
    std::int64_t m_steps_done = 0;
};

extern template class Adam<float>;
extern template class Adam<double>;

}  // namespace headscope
