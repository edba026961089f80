#include "engine/model/adam.h"

#include <cassert>
#include <cmath>

#include "engine/numeric/vector_kernels.h"

namespace headscope {

template <typename Scalar>
Adam<Scalar>::Adam(const ModelConfig& config) : m_mean(config), m_variance(config) {}

template <typename Scalar>
void Adam<Scalar>::step(Parameters<Scalar>& parameters, const Parameters<Scalar>& gradients,
                        double learning_rate) {
    ++m_steps_done;
    const double steps = static_cast<double>(m_steps_done);
    const double mean_correction = 1 - std::pow(kBeta1, steps);
    const double variance_correction = 1 - std::pow(kBeta2, steps);
    // η·m̂ / (√v̂ + ε) with both corrections taken out of the loop.
    const auto rate = static_cast<Scalar>(learning_rate * std::sqrt(variance_correction) / mean_correction);
    const auto epsilon = static_cast<Scalar>(kEpsilon * std::sqrt(variance_correction));
    // 1 − 0.999f would already be wrong in its fifth digit.
    const auto beta1 = static_cast<Scalar>(kBeta1), new1 = static_cast<Scalar>(1 - kBeta1);
    const auto beta2 = static_cast<Scalar>(kBeta2), new2 = static_cast<Scalar>(1 - kBeta2);

    if constexpr (std::is_same_v<Scalar, float>) {
        adamVectorized({beta1, new1, beta2, new2, rate, epsilon}, gradients.values(), m_mean.values(),
                       m_variance.values(), parameters.values());
    } else {
        using Array = Eigen::Array<Scalar, Eigen::Dynamic, 1>;
        const auto array = [](auto values) {
            return Eigen::Map<Array>(values.data(), static_cast<Index>(values.size()));
        };
        const auto g =
            Eigen::Map<const Array>(gradients.values().data(), static_cast<Index>(gradients.values().size()));
        auto theta = array(parameters.values()), m = array(m_mean.values()), v = array(m_variance.values());
        assert(g.size() == theta.size() && g.size() == m.size());
        m = beta1 * m + new1 * g;
        v = beta2 * v + new2 * g.square();
        theta -= rate * m / (v.sqrt() + epsilon);
    }
}

template class Adam<float>;
template class Adam<double>;

}  // namespace headscope
