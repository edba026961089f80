#include <cmath>
#include <cstring>
#include <limits>

#include <QtTest>

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

}  // namespace

class TestTrainer : public QObject {
    Q_OBJECT
private slots:
    void refusesWhatIsNotValid() {
        Experiment e;
        e.model.n_heads = 5;
        QVERIFY_EXCEPTION_THROWN(Trainer{e}, Refusal);
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
        const CopyTask task(experiment.task, experiment.lags, model.vocab_size, model.context_length);
        Random random(experiment.seed, RandomStream::Probe);
        std::vector<int> tokens(kProbeRows * T), targets(kProbeRows * T);
        task.sample(random, tokens, targets);
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
