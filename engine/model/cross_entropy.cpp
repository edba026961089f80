#include "engine/model/cross_entropy.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "engine/numeric/exponential.h"
#include "engine/numeric/refusal.h"
#include "engine/numeric/softmax_kernels.h"

namespace headscope {
namespace {

/// How many targets count. Throws Refusal as crossEntropy says.
Index requireValid(std::span<const int> targets, Index rows, Index vocab_size) {
    if (static_cast<Index>(targets.size()) != rows)
        throw Refusal("%1 targets for %2 tokens: each token needs one",
                      {std::to_string(targets.size()), std::to_string(rows)});
    Index counted = 0;
    for (const int target : targets) {
        if (target < kIgnoredTarget || target >= vocab_size)
            throw Refusal("target %1 is outside the vocabulary: it must be from 0 to %2, or -1 to be ignored",
                          {std::to_string(target), std::to_string(vocab_size - 1)});
        if (target != kIgnoredTarget) ++counted;
    }
    if (counted == 0) throw Refusal("every target is -1: a loss needs at least one that counts");
    return counted;
}

float logOnePlus(float x) { return std::log1p(x); }
double logOnePlus(double x) { return std::log1p(x); }
std::complex<double> logOnePlus(std::complex<double> x) { return std::log(1.0 + x); }

// A float run sums its losses in double, so that the mean is as good as the terms.
using Complex = std::complex<double>;
template <typename Scalar>
using Sum = std::conditional_t<std::is_same_v<Scalar, Complex>, Complex, double>;

/// row ← exp(logits − largest). The sum leaves out the largest term, so that a loss and a gradient near 0
/// keep their digits.
template <typename Scalar>
struct Exponentials {
    Index best;            // of the largest logit, the first of equals
    Real<Scalar> largest;  // logits(best), its real part
    Scalar rest;           // the sum of row(j), j ≠ best
};
template <typename Scalar>
Exponentials<Scalar> exponentials(In<Scalar> logits, Out<Scalar> row) {
    if constexpr (std::is_same_v<Scalar, float>) {
        const auto size = static_cast<std::size_t>(row.cols());
        const auto e = shiftedExponentialsVectorized({logits.data(), size}, {row.data(), size});
        return {e.best, e.largest, e.rest};
    } else {
        Index best = 0;
        const Real<Scalar> largest = logits.row(0).real().maxCoeff(&best);
        row = logits.array() - Scalar(largest);
        row = exponential(row.array());
        return {best, largest, row.leftCols(best).sum() + row.rightCols(row.cols() - best - 1).sum()};
    }
}

}  // namespace

template <typename Scalar>
BatchLoss<Scalar> crossEntropy(In<Scalar> logits, std::span<const int> targets, Out<Scalar> grad_logits) {
    const Index counted = requireValid(targets, logits.rows(), logits.cols());
    const Scalar share = Scalar(1) / Scalar(static_cast<Real<Scalar>>(counted));
    Sum<Scalar> total = 0;
    Index correct = 0;
    for (Index i = 0; i < logits.rows(); ++i) {
        const int target = targets[static_cast<std::size_t>(i)];
        auto grad = grad_logits.row(i).array();
        if (target == kIgnoredTarget) {
            grad.setZero();
            continue;
        }
        const Scalar wanted = logits(i, target);  // before the gradient takes its place, maybe
        const auto [best, largest, rest] = exponentials<Scalar>(logits.row(i), grad_logits.row(i));
        const Scalar top = grad(best), shift = wanted - Scalar(largest);
        total += Sum<Scalar>(logOnePlus(rest + (top - Scalar(1))) - shift);
        const Scalar factor = share / (top + rest);
        grad *= factor;
        if (best == target) {
            grad(best) = -rest * factor;
            ++correct;
        } else {
            grad(best) = top * factor;
            grad(target) -= share;
        }
    }
    const double count = static_cast<double>(counted);
    return {static_cast<Scalar>(total / count), static_cast<double>(correct) / count};
}

#define HEADSCOPE_INSTANTIATE(Scalar) \
    template BatchLoss<Scalar> crossEntropy<Scalar>(In<Scalar>, std::span<const int>, Out<Scalar>);
HEADSCOPE_INSTANTIATE(float)
HEADSCOPE_INSTANTIATE(double)
HEADSCOPE_INSTANTIATE(std::complex<double>)
#undef HEADSCOPE_INSTANTIATE

}  // namespace headscope
