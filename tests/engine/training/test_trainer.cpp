#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <QtTest>

#include "engine/training/head_labels.h"
#include "engine/training/trainer.h"

using namespace headscope;

namespace {

std::vector<LossPoint> run(Trainer& trainer, int steps) {
    std::vector<LossPoint> points;
    for (int i = 0; i < steps; ++i) points.push_back(trainer.step());
    return points;
}

template <typename T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

Experiment lagCopy() {
    Experiment e;
    e.task = Task::LagCopy;
    e.model = {64, 32, 4, 16, Positions::Learned, true};
    e.token_std = e.position_std = 1;
    return e;
}

std::vector<HeadMode> modes(std::size_t heads, HeadMode mode) { return std::vector<HeadMode>(heads, mode); }

struct ProbeRows {
    std::vector<int> tokens, targets;  // (kProbeRows, T)
};
ProbeRows probeRows(const Experiment& e) {
    const CopyTask task(e.task, e.lags, e.model.vocab_size, e.model.context_length);
    Random random(e.seed, RandomStream::Probe);
    const auto size = std::size_t(kProbeRows * e.model.context_length);
    ProbeRows rows{std::vector<int>(size), std::vector<int>(size)};
    task.sample(random, rows.tokens, rows.targets);
    return rows;
}

}  // namespace

class TestTrainer : public QObject {
    Q_OBJECT
private slots:
    void refusesWhatIsNotValid() {
        Experiment e;
        e.model.n_heads = 5;
        QVERIFY_EXCEPTION_THROWN(Trainer{e}, Refusal);
    }

    /// Else what fades makes the steps of a long run slower than its first.
    void denormalsAreZeroInAStep() {
        Experiment e;
        e.token_std = 0;
        e.learning_rate = 1e-40;
        Trainer trainer(e);
        trainer.step();
        QVERIFY(trainer.parameters().token_emb().isZero(0));
        volatile float smallest = std::numeric_limits<float>::min();
        QVERIFY(smallest / 2 != 0);
    }

    void theUntrainedModelKnowsNothing() {
        Trainer trainer{Experiment{}};
        const LossPoint first = trainer.step();
        QCOMPARE(first.step, 0);
        QVERIFY(std::abs(first.loss - std::log(64.f)) < 0.1f);
        QCOMPARE(trainer.stepsDone(), 1);
        QCOMPARE(trainer.step().step, 1);
    }

    void theSameExperimentGivesTheSameBits_data() {
        QTest::addColumn<Experiment>("experiment");
        QTest::newRow("lesson") << Experiment{};
        QTest::newRow("lags") << lagCopy();
    }

    void theSameExperimentGivesTheSameBits() {
        QFETCH(Experiment, experiment);
        Trainer one(experiment), other(experiment);
        std::vector<LossPoint> points;
        for (int i = 0; i < 50; ++i) {
            other.snapshot();
            points.push_back(other.step());
        }
        QVERIFY(sameBits(run(one, 50), points));
        QVERIFY(sameBits(one.snapshot()->weights, other.snapshot()->weights));
        QCOMPARE(one.snapshot()->probe_loss, other.snapshot()->probe_loss);
        experiment.seed = 2;
        Trainer third(experiment);
        QVERIFY(!sameBits(run(third, 50), points));
    }

    void theSameBatchesComeWhateverTheModel() {
        Experiment wide;
        wide.model.d_model = 64;
        wide.token_std = 0;  // every token looks alike: the first loss depends on the positions alone
        Trainer one{Experiment{}}, other(wide);
        QCOMPARE(one.snapshot()->tokens, other.snapshot()->tokens);
    }

    void snapshotsAreMeansOverTheProbe_data() {
        QTest::addColumn<Experiment>("experiment");
        QTest::newRow("lesson") << Experiment{};
        Experiment lags = lagCopy();
        QTest::newRow("lags") << lags;
        lags.model.n_heads = 32, lags.model.context_length = 60;
        QTest::newRow("few rows at a time") << lags;
        lags.model.context_length = 200;
        QTest::newRow("one row at a time") << lags;
    }

    void snapshotsAreMeansOverTheProbe() {
        QFETCH(Experiment, experiment);
        experiment.batch_size = kProbeRows;
        Trainer trainer(experiment);
        run(trainer, 2);
        const auto snapshot = trainer.snapshot();
        QVERIFY(snapshot);
        QCOMPARE(snapshot->steps_done, 2);
        QVERIFY(snapshot->experiment == experiment);

        const ModelConfig& model = experiment.model;
        const auto H = std::size_t(model.n_heads), T = std::size_t(model.context_length);
        const auto [tokens, targets] = probeRows(experiment);
        QCOMPARE(snapshot->tokens, std::vector<int>(tokens.begin(), tokens.begin() + std::ptrdiff_t(T)));

        LanguageModel<float> whole(model, kProbeRows);
        whole.forward(trainer.parameters(), tokens);
        const auto measured = whole.loss(targets);
        QVERIFY(std::abs(snapshot->probe_loss - measured.loss) < 1e-5f * measured.loss);
        QVERIFY(std::abs(snapshot->probe_accuracy - measured.accuracy) < 1e-6);
        QCOMPARE(snapshot->weights.size(), H * T * T);
        for (std::size_t row = 0; row < H * T; ++row) {
            const std::size_t t = row % T;
            double sum = 0;
            for (std::size_t key = 0; key < T; ++key) {
                const float weight = snapshot->weights[row * T + key];
                if (key > t) QCOMPARE(weight, 0.f);
                sum += double(weight);
            }
            QVERIFY(std::abs(sum - 1) < 1e-5);
            double mean = 0;
            for (std::size_t b = 0; b < kProbeRows; ++b)
                mean += double(whole.weights()(Index(b * H * T + row), Index(t / 2)));
            QVERIFY(std::abs(mean / kProbeRows - double(snapshot->weights[row * T + t / 2])) < 1e-6);
        }
    }

    void carryingOnKeepsTheWeights() {
        Trainer trainer{Experiment{}};
        run(trainer, 20);
        const std::vector<float> before(trainer.parameters().values().begin(),
                                        trainer.parameters().values().end());
        Experiment eight;
        eight.model.n_heads = 8, eight.model.scale_scores = false, eight.learning_rate = 1e-4;
        trainer.carryOn(eight);
        QVERIFY(
            sameBits(before, {trainer.parameters().values().begin(), trainer.parameters().values().end()}));
        QCOMPARE(trainer.snapshot()->weights.size(), 8u * 12 * 12);
        QCOMPARE(trainer.step().step, 20);

        Experiment longer = eight;
        longer.model.context_length = 13;
        QVERIFY_EXCEPTION_THROWN(trainer.carryOn(longer), Refusal);
        longer = eight;
        longer.model.n_heads = 5;
        QVERIFY_EXCEPTION_THROWN(trainer.carryOn(longer), Refusal);
        QVERIFY(trainer.experiment() == eight);
    }

    void theLearningRateCanChange() {
        Trainer one{Experiment{}}, other{Experiment{}};
        run(one, 5), run(other, 5);
        Experiment slower;
        slower.learning_rate = 1e-5;
        other.carryOn(slower);
        QCOMPARE(one.step(), other.step());  // measured before the update
        QVERIFY(one.step() != other.step());
    }

    void headsBeginTrainedAndAnyOtherNumberOfModesIsRefused() {
        Trainer trainer{Experiment{}};
        QCOMPARE(trainer.headModes(), modes(4, HeadMode::Trained));
        QVERIFY_EXCEPTION_THROWN(trainer.setHeadModes(modes(3, HeadMode::Muted)), Refusal);
        QCOMPARE(trainer.headModes(), modes(4, HeadMode::Trained));
        trainer.setHeadModes(modes(4, HeadMode::Muted));
        Experiment other;
        other.learning_rate = 1e-3;
        trainer.carryOn(other);
        QCOMPARE(trainer.headModes(), modes(4, HeadMode::Muted));
        other.model.n_heads = 8;
        trainer.carryOn(other);  // other heads
        QCOMPARE(trainer.headModes(), modes(8, HeadMode::Trained));
        QCOMPARE(trainer.snapshot()->modes, modes(8, HeadMode::Trained));
    }

    void withoutItsHeadsTheModelKnowsTheBiasAlone() {
        Trainer trainer(lagCopy());
        run(trainer, 60);
        const Snapshot before = *trainer.snapshot();
        trainer.setHeadModes(modes(4, HeadMode::Muted));
        const Snapshot muted = *trainer.snapshot();

        const auto& p = trainer.parameters();
        const Matrix<float> logits =
            p.attn().out_proj_bias * p.lm_head_weight().transpose() + p.lm_head_bias();
        const auto [tokens, targets] = probeRows(lagCopy());
        Matrix<float> all = logits.replicate(Index(targets.size()), 1);
        const auto expected = crossEntropy<float>(all, targets, all);
        QVERIFY(std::abs(muted.probe_loss - expected.loss) < 1e-5f);
        QVERIFY(std::abs(double(muted.probe_accuracy) - expected.accuracy) < 1e-6);
        QVERIFY(muted.probe_loss > before.probe_loss + 1);
        for (const float without : muted.loss_without) QVERIFY(std::abs(without - muted.probe_loss) < 1e-5f);

        trainer.setHeadModes(modes(4, HeadMode::Trained));
        const Snapshot after = *trainer.snapshot();
        QCOMPARE(after.probe_loss, before.probe_loss);
        QVERIFY(sameBits(after.weights, before.weights));
        QVERIFY(sameBits(after.loss_without, before.loss_without));
        Trainer undisturbed(lagCopy());
        run(undisturbed, 60);
        QCOMPARE(run(trainer, 5), run(undisturbed, 5));
    }

    void theLossWithoutAHeadIsThatOfMutingIt() {
        Trainer trainer(lagCopy());
        run(trainer, 60);
        const Snapshot whole = *trainer.snapshot();
        QCOMPARE(whole.loss_without.size(), 4u);
        for (std::size_t h = 0; h < 4; ++h) {
            auto one = modes(4, HeadMode::Trained);
            one[h] = HeadMode::Muted;
            trainer.setHeadModes(one);
            const Snapshot muted = *trainer.snapshot();
            QCOMPARE(muted.modes, one);
            QVERIFY(std::abs(muted.probe_loss - whole.loss_without[h]) < 1e-5f * muted.probe_loss);
        }
    }

    void heldHeadsKeepTheirBits_data() {
        QTest::addColumn<HeadMode>("mode");
        QTest::newRow("muted") << HeadMode::Muted;
        QTest::newRow("uniform") << HeadMode::Uniform;
        QTest::newRow("frozen") << HeadMode::Frozen;
    }

    /// The second of four heads is held after Adam has got going; everything else moves.
    void heldHeadsKeepTheirBits() {
        QFETCH(HeadMode, mode);
        Trainer trainer(lagCopy());
        run(trainer, 10);
        auto one = modes(4, HeadMode::Trained);
        one[1] = mode;
        trainer.setHeadModes(one);
        const Parameters<float> before = trainer.parameters();
        run(trainer, 10);
        const auto was = before.attn(), is = trainer.parameters().attn();
        const Index d_head = 8, D = 32;
        for (Index part = 0; part < 3; ++part) {
            const bool held = part < 2 || mode != HeadMode::Uniform;
            for (Index h = 0; h < 4; ++h) {
                const Index row = part * D + h * d_head;
                const bool same =
                    was.qkv_proj_weight.middleRows(row, d_head) == is.qkv_proj_weight.middleRows(row, d_head);
                QCOMPARE(same, held && h == 1);
                QCOMPARE(
                    was.qkv_proj_bias.middleCols(row, d_head) == is.qkv_proj_bias.middleCols(row, d_head),
                    held && h == 1);
            }
        }
        for (Index h = 0; h < 4; ++h) {
            const Index column = h * d_head;
            QCOMPARE(was.out_proj_weight.middleCols(column, d_head) ==
                         is.out_proj_weight.middleCols(column, d_head),
                     mode != HeadMode::Uniform && h == 1);
        }
        trainer.setHeadModes(modes(4, HeadMode::Trained));
        run(trainer, 1);
        QVERIFY(was.qkv_proj_weight.middleRows(d_head, d_head) !=
                trainer.parameters().attn().qkv_proj_weight.middleRows(d_head, d_head));
    }

    void headsThatAttendUniformlySaySo() {
        Trainer trainer(lagCopy());
        run(trainer, 60);
        auto one = modes(4, HeadMode::Trained);
        one[2] = HeadMode::Uniform;
        trainer.setHeadModes(one);
        const Snapshot snapshot = *trainer.snapshot();
        const HeadDiagnostics& head = snapshot.diagnostics[2];
        QCOMPARE(head.score_std, 0.f);
        QVERIFY(std::abs(head.row_entropy - head.uniform_entropy) < 1e-5f);
        QCOMPARE(head.grad_norm_q, 0.f);
        QCOMPARE(head.grad_norm_k, 0.f);
        QCOMPARE(badgeOf(head), HeadBadge::Uniform);
        QCOMPARE(headLabels(snapshot)[2].pattern, Pattern::Uniform);
        QVERIFY(snapshot.diagnostics[1].grad_norm_q > 0);
        for (std::size_t t = 0; t < 16; ++t)
            QVERIFY(std::abs(snapshot.weights[(2 * 16 + t) * 16] - 1 / float(t + 1)) < 1e-6f);
    }

    /// What prefix-copy teaches: unscaled, the scores spread and the softmax passes nothing on.
    void saturationShowsBesideTheStall() {
        Experiment e;
        e.task = Task::PrefixCopy;
        e.model.d_model = 128, e.model.n_heads = 1;
        e.token_std = 1, e.steps = 1000;
        Trainer scaled(e);
        e.model.scale_scores = false;
        Trainer unscaled(e);
        // At first the gradients do not tell: they are larger without scaling.
        QVERIFY(unscaled.snapshot()->diagnostics[0].grad_norm_q >
                scaled.snapshot()->diagnostics[0].grad_norm_q);
        run(scaled, 60), run(unscaled, 60);
        const HeadDiagnostics learns = scaled.snapshot()->diagnostics[0];
        const HeadDiagnostics stalls = unscaled.snapshot()->diagnostics[0];
        QCOMPARE(badgeOf(stalls), HeadBadge::Saturated);
        QVERIFY(badgeOf(learns) != HeadBadge::Saturated);
        QVERIFY(stalls.jacobian_trace < 0.05f && learns.jacobian_trace > 3 * stalls.jacobian_trace);
        QVERIFY(headLabels(*unscaled.snapshot())[0].pattern != Pattern::Uniform);
    }

    void specialistsAreLabeledByTheirLag() {
        Trainer trainer(lagCopy());
        run(trainer, 400);
        std::vector<int> lags;
        for (const HeadLabel& label : headLabels(*trainer.snapshot()))
            if (label.pattern == Pattern::Copy && label.score > 0.9) lags.push_back(label.lag);
        std::ranges::sort(lags);
        QCOMPARE(lags, (std::vector<int>{1, 4, 7}));
    }

    void scoresAreWhatTheSoftmaxTakes() {
        Trainer trainer(lagCopy());
        run(trainer, 20);
        const Snapshot row = *trainer.snapshot({.row = 3});
        QCOMPARE(row.scores.size(), row.weights.size());
        for (std::size_t i = 0; i < 4 * 16; ++i) {
            const std::size_t t = i % 16;
            double sum = 0;
            for (std::size_t key = 0; key < 16; ++key) {
                if (key > t) QCOMPARE(row.scores[i * 16 + key], 0.f);
                if (key <= t) sum += std::exp(double(row.scores[i * 16 + key]));
            }
            for (std::size_t key = 0; key <= t; ++key)
                QVERIFY(std::abs(std::exp(double(row.scores[i * 16 + key])) / sum -
                                 double(row.weights[i * 16 + key])) < 1e-5);
        }
    }

    void rowsAddUpToTheMean() {
        Trainer trainer(lagCopy());
        run(trainer, 20);
        const Snapshot mean = *trainer.snapshot();
        const auto [tokens, targets] = probeRows(lagCopy());
        std::vector<double> weights(mean.weights.size()), scores(mean.scores.size());
        for (int r = 0; r < kProbeRows; ++r) {
            const Snapshot row = *trainer.snapshot({.row = r});
            QCOMPARE(row.tokens, std::vector<int>(tokens.begin() + r * 16, tokens.begin() + (r + 1) * 16));
            QCOMPARE(row.probe_loss, mean.probe_loss);
            QCOMPARE(row.diagnostics, mean.diagnostics);
            for (std::size_t i = 0; i < weights.size(); ++i) {
                weights[i] += double(row.weights[i]) / kProbeRows;
                scores[i] += double(row.scores[i]) / kProbeRows;
            }
        }
        for (std::size_t i = 0; i < weights.size(); ++i) {
            QVERIFY(std::abs(weights[i] - double(mean.weights[i])) < 1e-6);
            QVERIFY(std::abs(scores[i] - double(mean.scores[i])) < 1e-5);
        }
    }

    void predictionsAreTheLikeliestAnswers() {
        Trainer trainer(lagCopy());
        run(trainer, 100);
        const Snapshot snapshot = *trainer.snapshot({.row = 5});
        LanguageModel<float> model(lagCopy().model, 1);
        const Matrix<float> logits = model.forward(trainer.parameters(), snapshot.tokens);
        const auto [tokens, targets] = probeRows(lagCopy());
        int right = 0;
        for (Index t = 0; t < 16; ++t) {
            Index best = 0;
            const double top = double(logits.row(t).maxCoeff(&best));
            double sum = 0;
            for (Index v = 0; v < 64; ++v) sum += std::exp(double(logits(t, v)) - top);
            QCOMPARE(snapshot.predicted[std::size_t(t)], int(best));
            QVERIFY(std::abs(double(snapshot.predicted_probability[std::size_t(t)]) - 1 / sum) < 1e-6);
            right += targets[std::size_t(5 * 16 + t)] == int(best);
        }
        QCOMPARE(right, 9);  // every query from 7 on has an answer
    }

    void editedTokensAreShownAndChangeNoLoss() {
        Trainer trainer(lagCopy());
        run(trainer, 20);
        const Snapshot drawn = *trainer.snapshot({.row = 0});
        Probe probe{.row = 0, .tokens = drawn.tokens};
        QVERIFY(sameBits(trainer.snapshot(probe)->weights, drawn.weights));
        probe.tokens[2] = (probe.tokens[2] + 1) % 4;
        const Snapshot edited = *trainer.snapshot(probe);
        QCOMPARE(edited.tokens, probe.tokens);
        QVERIFY(!sameBits(edited.weights, drawn.weights));
        QCOMPARE(edited.probe_loss, drawn.probe_loss);
        QCOMPARE(edited.loss_without, drawn.loss_without);
        QVERIFY(edited.probe == probe);
        // In a mean they stand for row 0.
        const Snapshot mean = *trainer.snapshot(), edited_mean = *trainer.snapshot({.tokens = probe.tokens});
        QCOMPARE(edited_mean.tokens, probe.tokens);
        for (std::size_t i = 0; i < mean.weights.size(); ++i)
            QVERIFY(std::abs(edited_mean.weights[i] - mean.weights[i] -
                             (edited.weights[i] - drawn.weights[i]) / kProbeRows) < 1e-6f);
        // Another row is shown as it was drawn.
        QVERIFY(sameBits(trainer.snapshot({.row = 1, .tokens = probe.tokens})->weights,
                         trainer.snapshot({.row = 1})->weights));
        probe.tokens.pop_back();
        QVERIFY_EXCEPTION_THROWN(trainer.snapshot(probe), Refusal);
    }

    void aRippleRunsToTheRightOnly() {
        Trainer trainer(lagCopy());
        run(trainer, 50);
        QVERIFY(trainer.snapshot()->ripple.empty());
        const auto [tokens, targets] = probeRows(lagCopy());
        for (const int position : {0, 6, 15}) {
            const int token = (tokens[std::size_t(position)] + 1) % 4;
            const auto ripple = trainer.snapshot({.ripple = Ripple{position, token}})->ripple;
            QCOMPARE(ripple.size(), 16u);
            for (int t = 0; t < 16; ++t) QCOMPARE(ripple[std::size_t(t)] > 0, t >= position);
        }
        const auto same = trainer.snapshot({.ripple = Ripple{6, tokens[6]}})->ripple;
        QCOMPARE(same, std::vector<float>(16));
    }

    /// Above a length the trainer takes the path that keeps no weights: it learns the same.
    void aLongContextTrainsAsAShortOneDoes() {
        Experiment e;
        e.model = {.vocab_size = 8, .d_model = 8, .n_heads = 2, .context_length = 720};
        e.batch_size = 1;
        QCOMPARE(fasterPath(720, 720), AttentionPath::Blockwise);
        Trainer trainer(e);
        const CopyTask task(e.task, e.lags, e.model.vocab_size, e.model.context_length);
        Random random(e.seed, RandomStream::Batches);
        LanguageModel<double> plain(e.model, 1);
        Parameters<double> parameters(e.model);
        std::vector<int> tokens(720), targets(720);
        for (int step = 0; step < 5; ++step) {
            const auto now = trainer.parameters().values();
            std::copy(now.begin(), now.end(), parameters.values().begin());
            task.sample(random, tokens, targets);
            plain.forward(parameters, tokens);
            const double expected = plain.loss(targets).loss;
            QVERIFY(std::abs(double(trainer.step().loss) - expected) <= 1e-5 * expected);
        }
        e.learning_rate = 1e30;
        Trainer wild(e);
        wild.step();
        QVERIFY(!std::isfinite(wild.step().loss));
    }

    void dropoutIsSeededAndOnlyInTraining() {
        Experiment e = lagCopy();
        Trainer without(e);
        e.attention_dropout = 0.2, e.output_dropout = 0.1;
        Trainer first(e), again(e);
        QVERIFY(sameBits(without.snapshot()->weights, first.snapshot()->weights));
        QCOMPARE(without.snapshot()->probe_loss, first.snapshot()->probe_loss);
        QVERIFY(without.step().loss != first.step().loss);
        again.step();
        for (int step = 0; step < 20; ++step) QCOMPARE(first.step().loss, again.step().loss);
    }

    void dropoutHidesNoLearning() {
        Experiment e;
        e.attention_dropout = e.output_dropout = 0.1;
        Trainer trainer(e);
        for (int step = 0; step < e.steps; ++step) trainer.step();
        QVERIFY(trainer.snapshot()->probe_loss < 0.05f);
    }

    void aDivergedRunStandsStill() {
        Experiment e;
        e.learning_rate = 1e30;
        Trainer trainer(e);
        QVERIFY(std::isfinite(trainer.step().loss));
        const LossPoint diverged = trainer.step();
        QVERIFY(!std::isfinite(diverged.loss));
        QCOMPARE(diverged.step, 1);
        QCOMPARE(trainer.stepsDone(), 1);
        QVERIFY(!trainer.snapshot());
        QCOMPARE(trainer.step().step, 1);
    }

    void aSnapshotCanBeCancelled() {
        Experiment e = lagCopy();
        e.model.n_heads = 32, e.model.context_length = 200;
        const Trainer trainer(e);
        int asked = 0;
        QVERIFY(!trainer.snapshot({}, [&] { return ++asked == 3; }));
        QCOMPARE(asked, 3);
    }
};

QTEST_APPLESS_MAIN(TestTrainer)
#include "test_trainer.moc"
