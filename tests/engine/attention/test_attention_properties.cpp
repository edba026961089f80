#include <QtTest>
#include <rapidcheck.h>

#include "tests/engine/attention/block.h"

using namespace headscope;
using namespace headscope::test;

namespace {

/// A block of any small shape under any mask, some of whose rows see nothing.
struct Sample {
    AttentionShape shape;
    AttentionOptions options;
    Block<float> block;
    Matrix<float> grad_out;
};

AttentionShape anyShape() {
    const Index d_head = *rc::gen::inRange(1, 6), H = *rc::gen::inRange(1, 5);
    const bool cross = *rc::gen::arbitrary<bool>();
    return {*rc::gen::inRange(1, 4), *rc::gen::inRange(1, 80), H * d_head, H,
            cross ? *rc::gen::inRange(1, 140) : 0};
}

/// Broadcasts along some sizes; whole rows of it may be false.
AttentionMask anyBoolean(const AttentionShape& s) {
    std::array<Index, 4> sizes{s.batch_rows, s.n_heads, s.queries(), s.keys()};
    for (Index& size : sizes)
        if (*rc::gen::arbitrary<bool>()) size = 1;
    Random random(*rc::gen::arbitrary<std::uint64_t>(), RandomStream::Batches);
    AttentionMask mask = randomMask(sizes, *rc::gen::element(0., 0.1, 0.5, 0.9), random);
    if (*rc::gen::arbitrary<bool>()) {
        const std::array<Index, 4> rows{s.batch_rows, 1, s.queries(), 1};
        mask &= randomMask(rows, 0.7, random);
    }
    return mask;
}

Sample anySample(AttentionMask mask, const AttentionShape& shape) {
    const AttentionOptions options{.scale_scores = *rc::gen::arbitrary<bool>(),
                                   .rotary = shape.d_head() % 2 == 0 && *rc::gen::arbitrary<bool>(),
                                   .mask = std::move(mask),
                                   .path = *rc::gen::element(AttentionPath::Plain, AttentionPath::Blockwise)};
    const double scale = *rc::gen::element(0., 1e-3, 1., 30.);
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    return {shape, options, randomBlock(shape, scale, seed).cast<float>(), randomGrad<float>(shape, seed)};
}

Sample anySample() {
    const AttentionShape shape = anyShape();
    AttentionMask mask;
    if (*rc::gen::arbitrary<bool>()) mask &= AttentionMask::causal();
    if (*rc::gen::arbitrary<bool>()) mask &= anyBoolean(shape);
    return anySample(mask, shape);
}

Computed<float> compute(const Sample& s) { return test::compute(s.shape, s.options, s.block, s.grad_out); }

/// Rows (b, i) → (order[b], i).
Matrix<float> permuteSequences(const Matrix<float>& m, const std::vector<Index>& order) {
    Matrix<float> permuted = m;
    const Index L = m.rows() / static_cast<Index>(order.size());
    for (std::size_t b = 0; b < order.size(); ++b)
        permuted.middleRows(static_cast<Index>(b) * L, L) = m.middleRows(order[b] * L, L);
    return permuted;
}

std::vector<Index> anyOrder(Index count) {
    std::vector<Index> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), Index{0});
    Random random(*rc::gen::arbitrary<std::uint64_t>(), RandomStream::Probe);
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
    return order;
}

/// Columns of heads, (·, parts · D), moved to where `order` says, in each of the parts.
Matrix<float> permuteHeadColumns(const Matrix<float>& m, const std::vector<Index>& order, Index parts) {
    Matrix<float> permuted = m;
    const Index D = m.cols() / parts, d = D / static_cast<Index>(order.size());
    for (Index part = 0; part < parts; ++part)
        for (std::size_t h = 0; h < order.size(); ++h)
            permuted.middleCols(part * D + static_cast<Index>(h) * d, d) =
                m.middleCols(part * D + order[h] * d, d);
    return permuted;
}

bool near(const Matrix<float>& a, const Matrix<float>& b) {
    return (a - b).cwiseAbs().maxCoeff() <= 1e-5f * (1 + b.cwiseAbs().maxCoeff());
}

}  // namespace

class TestAttentionProperties : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        // The same samples in every run of the tests, so that a failure can be seen again.
        if (qEnvironmentVariableIsEmpty("RC_PARAMS")) qputenv("RC_PARAMS", "seed=20260101 max_success=300");
    }

    void everythingIsFinite() {
        QVERIFY(rc::check("everything is finite", [] {
            Computed<float> got = compute(anySample());
            RC_ASSERT(got.attn_out.allFinite() && got.context.allFinite());
            got.grad.forEach([](const char*, Matrix<float>& m) { RC_ASSERT(m.allFinite()); });
        }));
    }

    void rowsSumToOneOrToNothing() {
        QVERIFY(rc::check("rows sum to 1 where a key is visible, and to 0 where none is", [] {
            Sample s = anySample();
            s.options.path = AttentionPath::Plain;
            const Matrix<float> weights = compute(s).weights;
            const AttentionShape& shape = s.shape;
            for (Index row = 0; row < weights.rows(); ++row) {
                const Index q = row % shape.queries(), h = row / shape.queries() % shape.n_heads,
                            b = row / shape.queries() / shape.n_heads;
                bool any = false;
                for (Index k = 0; k < shape.keys(); ++k) {
                    const bool visible = s.options.mask.visible(b, h, q, k);
                    any |= visible;
                    RC_ASSERT(visible || weights(row, k) == 0);
                }
                RC_ASSERT(std::abs(weights.row(row).sum() - float(any)) <= 1e-5f);
            }
        }));
    }

    void theBlindGiveTheBias() {
        QVERIFY(rc::check("a query that sees nothing gives the output bias", [] {
            const Sample s = anySample();
            const Matrix<float> out = compute(s).attn_out;
            const AttentionShape& shape = s.shape;
            for (Index row = 0; row < out.rows(); ++row) {
                bool any = false;
                for (Index h = 0; h < shape.n_heads; ++h)
                    for (Index k = 0; k < shape.keys(); ++k)
                        any |= s.options.mask.visible(row / shape.queries(), h, row % shape.queries(), k);
                if (!any) RC_ASSERT(out.row(row) == s.block.out_proj_bias);
            }
        }));
    }

    void theFutureChangesNothing() {
        QVERIFY(rc::check("causal: what comes after a token changes no bit of its output", [] {
            AttentionShape shape = anyShape();
            shape.memory_length = 0;
            AttentionMask mask = AttentionMask::causal();
            if (*rc::gen::arbitrary<bool>()) mask &= anyBoolean(shape);
            Sample s = anySample(mask, shape);
            const Matrix<float> before = compute(s).attn_out;
            const Index token = *rc::gen::inRange<Index>(0, shape.length);
            for (Index b = 0; b < shape.batch_rows; ++b)
                s.block.x.middleRows(b * shape.length + token, shape.length - token).array() += 0.5f;
            const Matrix<float> after = compute(s).attn_out;
            for (Index row = 0; row < before.rows(); ++row)
                if (row % shape.length < token) RC_ASSERT(after.row(row) == before.row(row));
        }));
    }

    void bothPathsAgree() {
        QVERIFY(rc::check("the blockwise path is the plain one", [] {
            Sample s = anySample();
            const AttentionDropout dropout{*rc::gen::element(0., 0.2), *rc::gen::element(0., 0.2), 3};
            const Block<double> block = s.block.cast<double>();
            const Matrix<double> grad_out = s.grad_out.cast<double>();
            s.options.path = AttentionPath::Plain;
            const auto plain = test::compute(s.shape, s.options, block, grad_out, dropout);
            s.options.path = AttentionPath::Blockwise;
            const auto blockwise = test::compute(s.shape, s.options, block, grad_out, dropout);
            RC_ASSERT(difference(blockwise, plain) <= 1e-12);
        }));
    }

    void permutingTheBatchPermutesTheOutput() {
        QVERIFY(rc::check("permuting the batch permutes output and gradients", [] {
            AttentionShape shape = anyShape();
            AttentionMask mask;  // the same for every sequence
            if (*rc::gen::arbitrary<bool>()) mask &= AttentionMask::causal();
            Sample s = anySample(mask, shape);
            const std::vector<Index> order = anyOrder(shape.batch_rows);
            const Computed<float> before = compute(s);
            s.block.x = permuteSequences(s.block.x, order);
            s.block.memory = permuteSequences(s.block.memory, order);
            s.grad_out = permuteSequences(s.grad_out, order);
            const Computed<float> after = compute(s);
            RC_ASSERT(near(after.attn_out, permuteSequences(before.attn_out, order)));
            RC_ASSERT(near(after.grad.x, permuteSequences(before.grad.x, order)));
        }));
    }

    void permutingHeadsWeightsPermutesHeads() {
        QVERIFY(rc::check("permuting the weights of heads permutes heads, and leaves the output", [] {
            Sample s = anySample();
            s.options.mask = *rc::gen::arbitrary<bool>() ? AttentionMask::causal() : AttentionMask();
            const std::vector<Index> order = anyOrder(s.shape.n_heads);
            const Computed<float> before = compute(s);
            const Matrix<float> rows = s.block.qkv_proj_weight.transpose();
            s.block.qkv_proj_weight = permuteHeadColumns(rows, order, 3).transpose();
            s.block.qkv_proj_bias = permuteHeadColumns(s.block.qkv_proj_bias, order, 3);
            s.block.out_proj_weight = permuteHeadColumns(s.block.out_proj_weight, order, 1);
            const Computed<float> after = compute(s);
            RC_ASSERT(near(after.context, permuteHeadColumns(before.context, order, 1)));
            RC_ASSERT(near(after.attn_out, before.attn_out));
        }));
    }
};

QTEST_APPLESS_MAIN(TestAttentionProperties)
#include "test_attention_properties.moc"
