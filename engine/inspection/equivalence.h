#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/numeric/matrix.h"

namespace headscope {

/// What must hold of the attention block, whatever its sizes.
enum class Equivalence {
    SeparateProjections,           ///< three projections of Q, K and V = the fused one, outputs and gradients
    PerHeadLoops,                  ///< plain loops head by head = the batched form, outputs and gradients
    Blockwise,                     ///< the blockwise path = the plain path, outputs and gradients
    CausalByPerturbation,          ///< another token t changes no output before t, and the one at t
    CausalByGradient,              ///< no output has a gradient with respect to a later token
    RowsSumToOne,                  ///< the weights of every query, which are 0 where hidden
    SplitThenMerge,                ///< of features into heads: the identity
    GradientsReachEveryParameter,  ///< but the key bias, whose gradient cancels in the softmax
    ComplexStep,                   ///< backward = the complex-step derivative of forward
};

struct EquivalenceSize {
    int d_model = 32;
    int n_heads = 4;
    int context_length = 12;  ///< at least 2
    int batch_rows = 2;
    std::uint64_t seed = 1;
};

/// Throws the first Refusal there is for such a size.
void requireValid(const EquivalenceSize& size);

/// One line of the table. `error` is the largest difference as a share of the largest value, or a count where
/// something must not be at all.
struct EquivalenceCheck {
    Equivalence what;
    double error;
    double allowed;

    bool passed() const { return error <= allowed; }  // NaN does not pass
};

/// Changes what was computed for a check before it is judged: what a test breaks on purpose.
using Tamper = std::function<void(Equivalence, Matrix<double>& computed)>;

/// Checks them all, in the order of the enumeration, on a causal block of random parameters and inputs, in
/// double precision. The same size and seed give the same table. Blocks; takes minutes where T and D are in
/// the hundreds. Throws Refusal as requireValid.
std::vector<EquivalenceCheck> checkEquivalences(const EquivalenceSize& size, const Tamper& tamper = {});

}  // namespace headscope
