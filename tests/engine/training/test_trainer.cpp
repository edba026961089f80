#include <cmath>

#include <QtTest>

#include "engine/training/trainer.h"
#include "tests/engine/training/training_runs.h"

using namespace headscope;

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
};

QTEST_APPLESS_MAIN(TestTrainer)
#include "test_trainer.moc"
