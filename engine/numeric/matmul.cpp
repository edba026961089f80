#include "engine/numeric/matmul.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "engine/numeric/generated_kernels.h"
#include "engine/numeric/vector_kernels.h"

namespace headscope {
namespace {

enum class Into { Overwrite, Add };

template <Into into, typename Product, typename Scalar>
void assign(const Product& product, Out<Scalar>& c) {
    if constexpr (into == Into::Add)
        c.noalias() += product;
    else
        c.noalias() = product;
}

template <Into into>
GeneratedKernel kernelFor(In<float> a, bool a_transposed, In<float> b, Out<float>& c) {
    constexpr Index largest = std::numeric_limits<int>::max();
    // Of one row, any distance between rows is the right one that is not less than the width.
    const auto stride = [](const auto& m) { return std::max(m.outerStride(), m.cols()); };
    const Index a_stride = stride(a), b_stride = stride(b), c_stride = stride(c);
    const bool nothing = c.size() == 0 || b.rows() == 0;
    if (nothing || std::max({c.rows(), b.rows(), a_stride, b_stride, c_stride}) > largest) return {};
    const auto number = [](Index size) { return static_cast<int>(size); };
    return generatedKernel({number(c.rows()), number(c.cols()), number(b.rows()), number(a_stride),
                            number(b_stride), number(c_stride), a_transposed, into == Into::Add});
}

template <Into into, typename Scalar>
void product(In<Scalar> a, In<Scalar> b, Out<Scalar> c) {
    assert(a.cols() == b.rows() && c.rows() == a.rows() && c.cols() == b.cols());
    if constexpr (std::is_same_v<Scalar, float>)
        if (const auto kernel = kernelFor<into>(a, false, b, c)) return kernel(a.data(), b.data(), c.data());
    assign<into>(a * b, c);
}

template <Into into, typename Scalar>
void productAtB(In<Scalar> a, In<Scalar> b, Out<Scalar> c) {
    assert(a.rows() == b.rows() && c.rows() == a.cols() && c.cols() == b.cols());
    if constexpr (std::is_same_v<Scalar, float>)
        if (const auto kernel = kernelFor<into>(a, true, b, c)) return kernel(a.data(), b.data(), c.data());
    assign<into>(a.transpose() * b, c);
}

/// No kernel reads b transposed. So it is transposed here, as many of its rows at once as fill a panel that
/// stays in a near cache and needs no heap. False where even a few rows are more than that.
bool productByPanels(In<float> a, In<float> b, Out<float> c) {
    constexpr Index kPanelSize = 65536, kFewRows = 16;
    const Index k = b.cols(), n = b.rows();
    const Index fitting = kPanelSize / std::max<Index>(k, 1);
    if (fitting < std::min(n, kFewRows)) return false;
    const Index width = fitting >= n ? n : fitting / kFewRows * kFewRows;
    alignas(64) float panel[kPanelSize];
    for (Index at = 0; at < n; at += width) {
        const Index columns = std::min(width, n - at);
        View<float> b_transposed(panel, k, columns, Eigen::OuterStride<>(columns));
        transposeVectorized(b.middleRows(at, columns), b_transposed);
        product<Into::Overwrite, float>(a, b_transposed, c.middleCols(at, columns));
    }
    return true;
}

}  // namespace

template <typename Scalar>
void multiply(In<Scalar> a, In<Scalar> b, Out<Scalar> c) {
    product<Into::Overwrite, Scalar>(a, b, c);
}

template <typename Scalar>
void multiplyAdd(In<Scalar> a, In<Scalar> b, Out<Scalar> c) {
    product<Into::Add, Scalar>(a, b, c);
}

template <typename Scalar>
void multiplyAtB(In<Scalar> a, In<Scalar> b, Out<Scalar> c) {
    productAtB<Into::Overwrite, Scalar>(a, b, c);
}

template <typename Scalar>
void multiplyAtBAdd(In<Scalar> a, In<Scalar> b, Out<Scalar> c) {
    productAtB<Into::Add, Scalar>(a, b, c);
}

template <typename Scalar>
void multiplyABt(In<Scalar> a, In<Scalar> b, Out<Scalar> c) {
    assert(a.cols() == b.cols() && c.rows() == a.rows() && c.cols() == b.rows());
    if constexpr (std::is_same_v<Scalar, float>)
        if (generatesKernels() && productByPanels(a, b, c)) return;
    c.noalias() = a * b.transpose();
}

template <typename Scalar>
void transposeInto(In<Scalar> from, Out<Scalar> to) {
    assert(to.rows() == from.cols() && to.cols() == from.rows());
    if constexpr (std::is_same_v<Scalar, float>)
        transposeVectorized(from, to);
    else
        to = from.transpose();
}

std::string_view matmulBackend() { return generatesKernels() ? "libxsmm" : "Eigen"; }

#define HEADSCOPE_INSTANTIATE(Scalar)                                          \
    template void multiply<Scalar>(In<Scalar>, In<Scalar>, Out<Scalar>);       \
    template void multiplyAdd<Scalar>(In<Scalar>, In<Scalar>, Out<Scalar>);    \
    template void multiplyABt<Scalar>(In<Scalar>, In<Scalar>, Out<Scalar>);    \
    template void multiplyAtB<Scalar>(In<Scalar>, In<Scalar>, Out<Scalar>);    \
    template void multiplyAtBAdd<Scalar>(In<Scalar>, In<Scalar>, Out<Scalar>); \
    template void transposeInto<Scalar>(In<Scalar>, Out<Scalar>);
HEADSCOPE_INSTANTIATE(float)
HEADSCOPE_INSTANTIATE(double)
HEADSCOPE_INSTANTIATE(std::complex<double>)
#undef HEADSCOPE_INSTANTIATE

}  // namespace headscope
