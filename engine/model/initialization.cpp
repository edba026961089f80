#include "engine/model/initialization.h"

#include <cmath>

namespace headscope {

template <typename Scalar>
void initialize(Parameters<Scalar>& parameters, double token_std, double position_std, Random& random) {
    // Every linear layer of the model reads D features, those with a bias included.
    const double bound = 1 / std::sqrt(static_cast<double>(parameters.token_emb().cols()));
    parameters.forEach([&](std::string_view name, Tensor<Scalar> tensor) {
        const bool is_token = name.starts_with("token_emb."), is_position = name.starts_with("pos_emb.");
        for (Scalar& value : tensor.values()) {
            const double drawn = is_token      ? token_std * random.normal()
                                 : is_position ? position_std * random.normal()
                                               : bound * (2 * random.uniform() - 1);
            value = static_cast<Scalar>(drawn);
        }
    });
}

template void initialize(Parameters<float>&, double, double, Random&);
template void initialize(Parameters<double>&, double, double, Random&);
template void initialize(Parameters<std::complex<double>>&, double, double, Random&);

}  // namespace headscope
