#include <algorithm>
#include <cmath>

#include <QtTest>

#include "engine/training/head_labels.h"
#include "engine/training/trainer.h"
#include "tests/engine/training/training_runs.h"

using namespace headscope;

/// What a trainer says of the model as it is.
class TestSnapshots : public QObject {
    Q_OBJECT
private slots:
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

    void predictionsFollowTheRipple() {
        Trainer trainer(lagCopy());
        run(trainer, 100);
        const Snapshot before = *trainer.snapshot({.row = 0});
        const Ripple ripple{8, (before.tokens[8] + 1) % 4};
        std::vector<int> changed = before.tokens;
        changed[8] = ripple.token;
        const Snapshot rippled = *trainer.snapshot({.row = 0, .ripple = ripple});
        const Snapshot edited = *trainer.snapshot({.row = 0, .tokens = changed});
        QCOMPARE(rippled.predicted, edited.predicted);
        QVERIFY(sameBits(rippled.predicted_probability, edited.predicted_probability));
        QVERIFY(rippled.predicted != before.predicted);
        QCOMPARE(rippled.tokens, before.tokens);
        QVERIFY(sameBits(rippled.weights, before.weights));
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

    void aSnapshotCanBeCancelled() {
        Experiment e = lagCopy();
        e.model.n_heads = 32, e.model.context_length = 200;
        const Trainer trainer(e);
        int asked = 0;
        QVERIFY(!trainer.snapshot({}, [&] { return ++asked == 3; }));
        QCOMPARE(asked, 3);
    }
};

QTEST_APPLESS_MAIN(TestSnapshots)
#include "test_snapshots.moc"
