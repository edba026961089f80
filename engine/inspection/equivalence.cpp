#include "engine/inspection/equivalence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "engine/attention/multi_head_attention.h"
#include "engine/inspection/separate_projections.h"
#include "engine/model/model_config.h"
#include "engine/numeric/random.h"

namespace headscope {
namespace {

using Complex = std::complex<double>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Matrix<double> randomMatrix(Index rows, Index cols, double scale, Random& random) {
    Matrix<double> m(rows, cols);
    for (Index i = 0; i < m.size(); ++i) m.data()[i] = scale * random.normal();
    return m;
}

/// The parameters and the input of a block, or their gradients.
template <typename Scalar>
struct Tensors {
    Matrix<Scalar> x, qkv_weight, qkv_bias, out_weight, out_bias;

    AttentionTensors<ConstView<Scalar>> parameters() const {
        return {view(qkv_weight), view(qkv_bias), view(out_weight), view(out_bias)};
    }
    AttentionTensors<View<Scalar>> gradients() {
        return {view(qkv_weight), view(qkv_bias), view(out_weight), view(out_bias)};
    }
    std::array<Matrix<Scalar>*, 5> all() { return {&x, &qkv_weight, &qkv_bias, &out_weight, &out_bias}; }
    std::array<const Matrix<Scalar>*, 5> all() const {
        return {&x, &qkv_weight, &qkv_bias, &out_weight, &out_bias};
    }

private:
    static ConstView<Scalar> view(const Matrix<Scalar>& m) {
        return {m.data(), m.rows(), m.cols(), Eigen::OuterStride<>(m.cols())};
    }
    static View<Scalar> view(Matrix<Scalar>& m) {
        return {m.data(), m.rows(), m.cols(), Eigen::OuterStride<>(m.cols())};
    }
};

/// The largest magnitude, infinite where anything is not finite.
template <typename M>
double largestOf(const M& values) {
    return values.allFinite() ? values.cwiseAbs().maxCoeff() : kInfinity;
}

/// As a share of the largest expected value.
double relative(const Matrix<double>& actual, const Matrix<double>& expected) {
    const double off = largestOf(actual - expected);
    return off == 0 ? 0 : off / largestOf(expected);
}

struct Result {
    Matrix<double> attn_out;
    Tensors<double> grad;
};

double relative(const Result& actual, const Result& expected) {
    double worst = relative(actual.attn_out, expected.attn_out);
    for (std::size_t i = 0; i < 5; ++i)
        worst = std::max(worst, relative(*actual.grad.all()[i], *expected.grad.all()[i]));
    return worst;
}

/// A block to be checked: parameters about as large as PyTorch makes them, inputs and output gradients of 1.
struct Subject {
    AttentionShape shape;
    Tensors<double> tensors;
    Matrix<double> grad_out;

    Subject(const AttentionShape& of, std::uint64_t seed) : shape(of) {
        Random random(seed, RandomStream::Probe);
        const Index D = shape.d_model;
        const double spread = 1 / std::sqrt(static_cast<double>(D));
        tensors = {randomMatrix(shape.rows(), D, 1, random), randomMatrix(3 * D, D, spread, random),
                   randomMatrix(1, 3 * D, spread, random), randomMatrix(D, D, spread, random),
                   randomMatrix(1, D, spread, random)};
        grad_out = randomMatrix(shape.rows(), D, 1, random);
    }

    double scale() const { return 1 / std::sqrt(static_cast<double>(shape.d_head())); }

    Result through(AttentionPath path) const {
        MultiHeadAttention<double> attention(shape, {.path = path});
        Result result{attention.forward(tensors.parameters(), tensors.x), tensors};
        attention.backward(tensors.parameters(), tensors.x, grad_out, result.grad.gradients(), result.grad.x);
        return result;
    }
};

Result separateProjections(const Subject& s) {
    const auto parameters = s.tensors.parameters();
    MultiHeadAttention<double> attention(s.shape, {});
    projectSeparately(parameters, s.tensors.x, attention.qkv());
    Result result{attention.forwardProjected(parameters), s.tensors};
    const Matrix<double> grad_qkv =
        attention.backwardProjected(parameters, s.grad_out, result.grad.gradients());
    projectSeparatelyBackward(parameters, s.tensors.x, grad_qkv, result.grad.gradients(), result.grad.x);
    return result;
}

/// Sequence by sequence and head by head, with whole matrices of scores and a mask that is one.
Result perHeadLoops(const Subject& s) {
    const Index D = s.shape.d_model, L = s.shape.length, d = s.shape.d_head();
    const Tensors<double>& t = s.tensors;
    const Matrix<double> qkv = (t.x * t.qkv_weight.transpose()).rowwise() + t.qkv_bias.row(0);
    Matrix<double> context(s.shape.rows(), D), grad_qkv(s.shape.rows(), 3 * D);
    const Matrix<double> grad_context = s.grad_out * t.out_weight;
    for (Index b = 0; b < s.shape.batch_rows; ++b)
        for (Index h = 0; h < s.shape.n_heads; ++h) {
            const Matrix<double> q = qkv.block(b * L, h * d, L, d), k = qkv.block(b * L, D + h * d, L, d),
                                 v = qkv.block(b * L, 2 * D + h * d, L, d),
                                 g = grad_context.block(b * L, h * d, L, d);
            Matrix<double> weights = (q * k.transpose() * s.scale()).array().exp();
            for (Index i = 0; i < L; ++i) {
                for (Index j = i + 1; j < L; ++j) weights(i, j) = 0;
                weights.row(i) /= weights.row(i).sum();
            }
            const Matrix<double> grad_weights = g * v.transpose();
            Matrix<double> grad_scores(L, L);
            for (Index i = 0; i < L; ++i) {
                const double mean = weights.row(i).dot(grad_weights.row(i));
                for (Index j = 0; j < L; ++j)
                    grad_scores(i, j) = s.scale() * weights(i, j) * (grad_weights(i, j) - mean);
            }
            context.block(b * L, h * d, L, d) = weights * v;
            grad_qkv.block(b * L, h * d, L, d) = grad_scores * k;
            grad_qkv.block(b * L, D + h * d, L, d) = grad_scores.transpose() * q;
            grad_qkv.block(b * L, 2 * D + h * d, L, d) = weights.transpose() * g;
        }
    return {(context * t.out_weight.transpose()).rowwise() + t.out_bias.row(0),
            {grad_qkv * t.qkv_weight, grad_qkv.transpose() * t.x, grad_qkv.colwise().sum(),
             s.grad_out.transpose() * context, s.grad_out.colwise().sum()}};
}

/// For every token t: (2, L) the largest change of an output before t when t is another, and of that at t.
Matrix<double> changesByToken(const Subject& s) {
    const Index L = s.shape.length;
    MultiHeadAttention<double> attention(s.shape, {});
    Tensors<double> t = s.tensors;
    const Matrix<double> before = attention.forward(t.parameters(), t.x);
    Matrix<double> changes = Matrix<double>::Zero(2, L);
    for (Index token = 0; token < L; ++token) {
        for (Index b = 0; b < s.shape.batch_rows; ++b) t.x.row(b * L + token).array() += 0.5;
        const Matrix<double> change = attention.forward(t.parameters(), t.x) - before;
        for (Index row = 0; row < change.rows(); ++row) {
            if (row % L > token) continue;
            double& worst = changes(row % L < token ? 0 : 1, token);
            worst = std::max(worst, largestOf(change.row(row)));
        }
        t.x = s.tensors.x;
    }
    return changes;
}

/// The same of gradients: of the outputs at t with respect to tokens after t, and to those up to t.
Matrix<double> gradientsByOutput(const Subject& s) {
    const Index L = s.shape.length;
    MultiHeadAttention<double> attention(s.shape, {});
    attention.forward(s.tensors.parameters(), s.tensors.x);
    Tensors<double> grad = s.tensors;
    Matrix<double> largest = Matrix<double>::Zero(2, L);
    for (Index token = 0; token < L; ++token) {
        Matrix<double> grad_out = Matrix<double>::Zero(s.shape.rows(), s.shape.d_model);
        for (Index b = 0; b < s.shape.batch_rows; ++b)
            grad_out.row(b * L + token) = s.grad_out.row(b * L + token);
        attention.backward(s.tensors.parameters(), s.tensors.x, grad_out, grad.gradients(), grad.x);
        for (Index row = 0; row < grad.x.rows(); ++row) {
            double& worst = largest(row % L > token ? 0 : 1, token);
            worst = std::max(worst, largestOf(grad.x.row(row)));
        }
    }
    return largest;
}

/// The first row must be nothing, and the second something everywhere.
double causalError(const Matrix<double>& by_token) {
    return (by_token.row(1).array() > 0).all() ? largestOf(by_token.row(0)) : kInfinity;
}

Matrix<double> weightsOf(const Subject& s) {
    MultiHeadAttention<double> attention(s.shape, {});
    attention.forward(s.tensors.parameters(), s.tensors.x);
    return attention.weights();
}

double rowSumError(const Matrix<double>& weights, Index L) {
    const Matrix<double> sums = weights.rowwise().sum();
    double worst = largestOf((sums.array() - 1).matrix());
    for (Index row = 0; row < weights.rows(); ++row)
        if (!(weights.row(row).tail(L - 1 - row % L).array() == 0).all()) worst = kInfinity;
    return worst;
}

/// x split into heads, (B·H·L, d_head), and merged again.
Matrix<double> splitThenMerge(const Subject& s) {
    const Matrix<double>& x = s.tensors.x;
    Matrix<double> split(x.rows() * s.shape.n_heads, s.shape.d_head()), merged(x.rows(), x.cols());
    forEachHead(s.shape, [&](const Head& head) {
        split.middleRows(head.firstRow(), s.shape.length) = head.ofQueries(x);
    });
    forEachHead(s.shape, [&](const Head& head) {
        head.ofQueries(merged) = split.middleRows(head.firstRow(), s.shape.length);
    });
    return merged;
}

/// How many parameters have no gradient, or none that is finite. The key bias's are 0 on paper: the softmax
/// takes the same amount from every score of a row.
double unreached(const Matrix<double>& gradients, Index D) {
    const double noise = 1e-12 * largestOf(gradients);
    const Index key_bias = 3 * D * D + D;
    Index count = 0;
    for (Index i = 0; i < gradients.size(); ++i) {
        const double g = std::abs(gradients(0, i));
        const bool is_key_bias = i >= key_bias && i < key_bias + D;
        if (!std::isfinite(g) || (is_key_bias ? g > noise : g == 0)) ++count;
    }
    return static_cast<double>(count);
}

/// The gradients of all parameters, one after another.
Matrix<double> parameterGradients(const Subject& s) {
    const Result result = s.through(AttentionPath::Plain);
    const auto all = result.grad.all();
    std::vector<double> values;
    for (std::size_t i = 1; i < all.size(); ++i)
        values.insert(values.end(), all[i]->data(), all[i]->data() + all[i]->size());
    return Eigen::Map<Matrix<double>>(values.data(), 1, static_cast<Index>(values.size()));
}

/// Squire and Trapp, "Using complex variables to estimate derivatives of real functions", 1998, at some
/// elements of every tensor: (2, n), the derivative and the gradient, in shares of the tensor's largest
/// gradient.
Matrix<double> complexSteps(const Subject& s, std::uint64_t seed) {
    constexpr Index kElements = 40;
    constexpr double h = 1e-40;
    Random random(seed, RandomStream::Batches);
    const Result result = s.through(AttentionPath::Plain);
    Tensors<Complex> probe{s.tensors.x.cast<Complex>(), s.tensors.qkv_weight.cast<Complex>(),
                           s.tensors.qkv_bias.cast<Complex>(), s.tensors.out_weight.cast<Complex>(),
                           s.tensors.out_bias.cast<Complex>()};
    MultiHeadAttention<Complex> attention(s.shape, {});
    const Matrix<Complex> grad_out = s.grad_out.cast<Complex>();
    const auto tensors = probe.all();
    const auto gradients = result.grad.all();
    Matrix<double> both(2, kElements * static_cast<Index>(tensors.size()));
    for (std::size_t i = 0; i < tensors.size(); ++i)
        for (Index n = 0; n < kElements; ++n) {
            const Index at = random.below(static_cast<std::uint32_t>(tensors[i]->size()));
            Complex& value = tensors[i]->data()[at];
            const Complex kept = value;
            value += Complex(0, h);
            const Complex f = attention.forward(probe.parameters(), probe.x).cwiseProduct(grad_out).sum();
            value = kept;
            const double largest = largestOf(*gradients[i]);
            const Index column = static_cast<Index>(i) * kElements + n;
            both(0, column) = f.imag() / h / largest;
            both(1, column) = gradients[i]->data()[at] / largest;
        }
    return both;
}

}  // namespace

void requireValid(const EquivalenceSize& size) {
    requireValid(ModelConfig{.d_model = size.d_model,
                             .n_heads = size.n_heads,
                             .context_length = size.context_length,
                             .positions = Positions::None});
    // With one token there is nothing to attend to, and the complex steps of more would take an hour.
    if (auto refusal = outOfRange("context_length", size.context_length, 2, 256)) throw *refusal;
    if (auto refusal = outOfRange("d_model", size.d_model, 1, 256)) throw *refusal;
    if (auto refusal = outOfRange("batch_rows", size.batch_rows, 1, 64)) throw *refusal;
    constexpr std::int64_t kMaxWeights = 1 << 22;
    const std::int64_t weights =
        std::int64_t{size.batch_rows} * size.n_heads * size.context_length * size.context_length;
    if (weights > kMaxWeights)
        throw Refusal(
            "checking %1 attention weights takes too long: at most %2, so fewer rows, heads or tokens",
            {std::to_string(weights), std::to_string(kMaxWeights)});
}

std::vector<EquivalenceCheck> checkEquivalences(const EquivalenceSize& size, const Tamper& tamper) {
    requireValid(size);
    const Subject subject({size.batch_rows, size.context_length, size.d_model, size.n_heads}, size.seed);
    const auto judged = [&](Equivalence what, Matrix<double> computed) {
        if (tamper) tamper(what, computed);
        return computed;
    };
    const auto results = [&](Equivalence what, Result actual, const Result& expected) {
        actual.attn_out = judged(what, std::move(actual.attn_out));
        for (Matrix<double>* gradient : actual.grad.all()) *gradient = judged(what, std::move(*gradient));
        return relative(actual, expected);
    };
    const Result plain = subject.through(AttentionPath::Plain);
    // Long enough for several blocks, whatever the context is.
    Subject longer = subject;
    const Index blocks = 2 * BlockwiseAttention<double>::kBlockKeys + 1;
    if (size.context_length < blocks) longer = Subject({1, blocks, size.d_model, size.n_heads}, size.seed);
    const Matrix<double> steps = judged(Equivalence::ComplexStep, complexSteps(subject, size.seed));

    using enum Equivalence;
    return {
        {SeparateProjections, results(SeparateProjections, separateProjections(subject), plain), 1e-12},
        {PerHeadLoops, results(PerHeadLoops, perHeadLoops(subject), plain), 1e-12},
        {Blockwise,
         results(Blockwise, longer.through(AttentionPath::Blockwise), longer.through(AttentionPath::Plain)),
         1e-12},
        {CausalByPerturbation, causalError(judged(CausalByPerturbation, changesByToken(subject))), 0},
        {CausalByGradient, causalError(judged(CausalByGradient, gradientsByOutput(subject))), 0},
        {RowsSumToOne, rowSumError(judged(RowsSumToOne, weightsOf(subject)), size.context_length), 1e-14},
        {SplitThenMerge, relative(judged(SplitThenMerge, splitThenMerge(subject)), subject.tensors.x), 0},
        {GradientsReachEveryParameter,
         unreached(judged(GradientsReachEveryParameter, parameterGradients(subject)), size.d_model), 0},
        {ComplexStep, largestOf(steps.row(0) - steps.row(1)), 1e-11},
    };
}

}  // namespace headscope
