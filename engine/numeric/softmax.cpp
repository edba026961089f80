#include "engine/numeric/softmax.h"

#include <algorithm>

#include "engine/numeric/exponential.h"
#include "engine/numeric/softmax_kernels.h"

namespace headscope {
namespace {

template <typename Scalar>
auto head(std::span<Scalar> row, Index count) {
    using Row = Eigen::Array<std::remove_const_t<Scalar>, 1, Eigen::Dynamic>;
    using Mapped = std::conditional_t<std::is_const_v<Scalar>, const Row, Row>;
    return Eigen::Map<Mapped>(row.data(), count);
}

template <typename Element, typename M>
std::span<Element> rowOf(M& block, Index row) {
    return {block.data() + row * block.outerStride(), static_cast<std::size_t>(block.cols())};
}

}  // namespace

template <typename Scalar>
void softmax(std::span<Scalar> row, Index visible, Real<Scalar> scale) {
    std::fill(row.begin() + visible, row.end(), Scalar(0));
    if (visible == 0) return;
    auto seen = head(row, visible);
    const Real<Scalar> max = seen.real().maxCoeff();
    seen = (seen - Scalar(max)) * Scalar(scale);
    seen = exponential(seen);
    seen *= Scalar(1) / seen.sum();
}

template <typename Scalar>
void softmaxBackward(std::span<const Scalar> weights, std::span<Scalar> grad, Index visible,
                     Real<Scalar> scale) {
    const auto w = head(weights, visible);
    auto g = head(grad, visible);
    const Scalar mean = (w * g).sum();
    g = Scalar(scale) * w * (g - mean);
    std::fill(grad.begin() + visible, grad.end(), Scalar(0));
}

template <typename Scalar>
void causalSoftmax(Out<Scalar> block, Index first_visible, Real<Scalar> scale) {
    if constexpr (std::is_same_v<Scalar, float>)
        causalSoftmaxVectorized(block, first_visible, scale);
    else
        for (Index i = 0; i < block.rows(); ++i)
            softmax(rowOf<Scalar>(block, i), std::min(first_visible + i, block.cols()), scale);
}

template <typename Scalar>
void causalSoftmaxBackward(In<Scalar> weights, Out<Scalar> grad, Index first_visible, Real<Scalar> scale) {
    if constexpr (std::is_same_v<Scalar, float>)
        causalSoftmaxBackwardVectorized(weights, grad, first_visible, scale);
    else
        for (Index i = 0; i < grad.rows(); ++i)
            softmaxBackward(rowOf<const Scalar>(weights, i), rowOf<Scalar>(grad, i),
                            std::min(first_visible + i, grad.cols()), scale);
}

#define HEADSCOPE_INSTANTIATE(Scalar)                                                                       \
    template void softmax<Scalar>(std::span<Scalar>, Index, Real<Scalar>);                                  \
    template void softmaxBackward<Scalar>(std::span<const Scalar>, std::span<Scalar>, Index, Real<Scalar>); \
    template void causalSoftmax<Scalar>(Out<Scalar>, Index, Real<Scalar>);                                  \
    template void causalSoftmaxBackward<Scalar>(In<Scalar>, Out<Scalar>, Index, Real<Scalar>);
HEADSCOPE_INSTANTIATE(float)
HEADSCOPE_INSTANTIATE(double)
HEADSCOPE_INSTANTIATE(std::complex<double>)
#undef HEADSCOPE_INSTANTIATE

}  // namespace headscope
