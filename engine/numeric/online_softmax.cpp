#include "engine/numeric/online_softmax.h"

#include <algorithm>
#include <cmath>

#include "engine/numeric/exponential.h"
#include "engine/numeric/softmax_kernels.h"

namespace headscope {
namespace {

template <typename Scalar>
void takeInPlain(Out<Scalar> block, std::span<const Index> visible, Real<Scalar> scale,
                 std::span<OnlineSoftmax<Scalar>> rows, std::span<Real<Scalar>> shrink) {
    for (Index i = 0; i < block.rows(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        auto seen = block.row(i).head(visible[at]).array();
        block.row(i).tail(block.cols() - visible[at]).setZero();
        shrink[at] = 1;
        if (visible[at] == 0) continue;
        auto& [max, sum] = rows[at];
        const Real<Scalar> before = max;
        max = std::max(before, seen.real().maxCoeff());
        if (sum != Scalar(0)) shrink[at] = std::exp(scale * (before - max));
        seen = (seen - Scalar(max)) * Scalar(scale);
        seen = exponential(seen);
        sum = sum * shrink[at] + seen.sum();
    }
}

template <typename Scalar>
void recallPlain(Out<Scalar> scores, std::span<const Index> visible, Real<Scalar> scale,
                 std::span<const OnlineSoftmax<Scalar>> rows, Out<Scalar> grad_weights,
                 std::span<Scalar> mean) {
    for (Index i = 0; i < scores.rows(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        auto weights = scores.row(i).head(visible[at]).array();
        const auto grad = grad_weights.row(i).head(visible[at]).array();
        scores.row(i).tail(scores.cols() - visible[at]).setZero();
        grad_weights.row(i).tail(scores.cols() - visible[at]).setZero();
        weights = (weights - Scalar(rows[at].max)) * Scalar(scale);
        weights = exponential(weights);
        weights *= Scalar(1) / rows[at].sum;
        mean[at] += (weights * grad).sum();
    }
}

template <typename Scalar>
void gradWeightsToScoresPlain(In<Scalar> weights, Real<Scalar> scale, std::span<const Scalar> mean,
                              Out<Scalar> grad) {
    for (Index i = 0; i < grad.rows(); ++i)
        grad.row(i).array() = Scalar(scale) * weights.row(i).array() *
                              (grad.row(i).array() - mean[static_cast<std::size_t>(i)]);
}

}  // namespace

template <typename Scalar>
void takeIn(Out<Scalar> scores, std::span<const Index> visible, Real<Scalar> scale,
            std::span<OnlineSoftmax<Scalar>> rows, std::span<Real<Scalar>> shrink) {
    if constexpr (std::is_same_v<Scalar, float>)
        takeInVectorized(scores, visible, scale, rows, shrink);
    else
        takeInPlain<Scalar>(scores, visible, scale, rows, shrink);
}

template <typename Scalar>
void recall(Out<Scalar> scores, std::span<const Index> visible, Real<Scalar> scale,
            std::span<const OnlineSoftmax<Scalar>> rows, Out<Scalar> grad_weights, std::span<Scalar> mean) {
    if constexpr (std::is_same_v<Scalar, float>)
        recallVectorized(scores, visible, scale, rows, grad_weights, mean);
    else
        recallPlain<Scalar>(scores, visible, scale, rows, grad_weights, mean);
}

template <typename Scalar>
void gradWeightsToScores(In<Scalar> weights, Real<Scalar> scale, std::span<const Scalar> mean,
                         Out<Scalar> grad) {
    if constexpr (std::is_same_v<Scalar, float>)
        gradWeightsToScoresVectorized(weights, scale, mean, grad);
    else
        gradWeightsToScoresPlain<Scalar>(weights, scale, mean, grad);
}

#define HEADSCOPE_INSTANTIATE(Scalar)                                                                     \
    template void takeIn<Scalar>(Out<Scalar>, std::span<const Index>, Real<Scalar>,                       \
                                 std::span<OnlineSoftmax<Scalar>>, std::span<Real<Scalar>>);              \
    template void recall<Scalar>(Out<Scalar>, std::span<const Index>, Real<Scalar>,                       \
                                 std::span<const OnlineSoftmax<Scalar>>, Out<Scalar>, std::span<Scalar>); \
    template void gradWeightsToScores<Scalar>(In<Scalar>, Real<Scalar>, std::span<const Scalar>, Out<Scalar>);
HEADSCOPE_INSTANTIATE(float)
HEADSCOPE_INSTANTIATE(double)
HEADSCOPE_INSTANTIATE(std::complex<double>)
#undef HEADSCOPE_INSTANTIATE

}  // namespace headscope
