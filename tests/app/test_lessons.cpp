#include <QtTest>

#include "app/lesson_library.h"
#include "engine/training/block_demonstrations.h"
#include "engine/training/experiment.h"
#include "tests/engine/training/follower.h"

using namespace headscope;

namespace {

/// As the program brings it, but for the seed.
Lesson lessonOf(const QString& id, std::uint64_t seed) {
    for (Lesson lesson : builtInLessons())
        if (lesson.id == id) {
            lesson.experiment.seed = seed;
            if (lesson.twin) lesson.twin->seed = seed;
            return lesson;
        }
    return {};
}

Follower trained(const Experiment& experiment) {
    Follower run(experiment);
    run.trainTo(experiment.steps);
    return run;
}

float meanEntropy(const Snapshot& snapshot) {
    float sum = 0;
    for (const HeadDiagnostics& head : snapshot.diagnostics) sum += head.row_entropy;
    return sum / static_cast<float>(snapshot.diagnostics.size());
}

}  // namespace

/// That every lesson shows what its text promises, on the seeds that a lecturer may try.
class TestLessons : public QObject {
    Q_OBJECT
private slots:
    void copy_data() { seeds(); }
    void copy() {
        const Lesson lesson = fetch("copy");
        Follower run(lesson.experiment);
        run.trainTo(1);
        QVERIFY(run.average > 4.0);
        run.trainTo(lesson.experiment.steps);
        QVERIFY(run.average < 0.01);
        const Snapshot shown = run.snapshot(lesson.probe);
        for (std::size_t row = 0; row < 4 * 12; ++row) {
            double sum = 0;
            for (std::size_t key = 0; key < 12; ++key) {
                sum += double(shown.weights[row * 12 + key]);
                if (key > row % 12) QCOMPARE(shown.weights[row * 12 + key], 0.0f);
            }
            QVERIFY(std::abs(sum - 1) < 1e-5);
        }
    }

    void fourOrEight_data() { seeds(); }
    void fourOrEight() {
        const Lesson lesson = fetch("four-or-eight");
        QCOMPARE(lesson.experiment.model.n_heads, 4);
        QCOMPARE(lesson.twin->model.n_heads, 8);
        QCOMPARE(Parameters<float>(lesson.experiment.model).values().size(),
                 Parameters<float>(lesson.twin->model).values().size());
        for (const Experiment& experiment : {lesson.experiment, *lesson.twin})
            QVERIFY(trained(experiment).average < 0.01);
    }

    void scalingStall_data() { seeds(); }
    void scalingStall() {
        const Lesson lesson = fetch("scaling-stall");
        Follower scaled(lesson.experiment);
        scaled.trainTo(100);
        QVERIFY2(scaled.least < 1.0, qPrintable(QString::number(scaled.least)));
        QVERIFY(scaled.bestLagScore(5) > 0.5);
        Follower unscaled(*lesson.twin);
        unscaled.trainTo(100);
        QVERIFY(meanEntropy(unscaled.snapshot()) < 0.1f);
        QVERIFY(unscaled.snapshot().diagnostics[0].jacobian_trace < 0.1f);
        unscaled.trainTo(lesson.twin->steps);
        QVERIFY(unscaled.least > 3.0);
    }

    void howManyHeads_data() { seeds(); }
    void howManyHeads() {
        const Lesson lesson = fetch("how-many-heads");
        Experiment one = lesson.experiment;
        one.model.n_heads = 1;
        Follower four(lesson.experiment), shared(one);
        four.trainTo(200);
        shared.trainTo(200);
        QVERIFY(four.average < 0.1 * shared.average);
        four.trainTo(lesson.experiment.steps);
        shared.trainTo(one.steps);
        for (const int lag : {1, 4, 7}) {
            QVERIFY(four.bestLagScore(lag) >= 0.85);
            QVERIFY(shared.bestLagScore(lag) < 0.7);
        }
    }

    void causality_data() { seeds(); }
    void causality() {
        const Lesson lesson = fetch("causality");
        const auto position = static_cast<std::size_t>(lesson.probe.ripple->position);
        Follower run(lesson.experiment);
        for (const int steps : {0, lesson.experiment.steps}) {
            run.trainTo(steps);
            const std::vector<float> ripple = run.snapshot(lesson.probe).ripple;
            QCOMPARE(ripple.size(), 12u);
            for (std::size_t t = 0; t < ripple.size(); ++t) QCOMPARE(ripple[t] == 0.0f, t < position);
        }
        const std::vector<float> ripple = run.snapshot(lesson.probe).ripple;
        const auto most = std::max_element(ripple.begin(), ripple.end()) - ripple.begin();
        QCOMPARE(std::size_t(most), position + 5);
        QCOMPARE(run.snapshot(lesson.probe).predicted[position + 5], lesson.probe.ripple->token);
    }

    void fusedQkv_data() { seeds(); }
    void fusedQkv() {
        const Lesson lesson = fetch("fused-qkv");
        QVERIFY(lesson.panel == LessonPanel::FusedQkv);
        const ProjectionComparison found = compareProjections(lesson.experiment);
        for (const Difference& difference :
             {found.attn_out, found.grad_weight, found.grad_bias, found.grad_x}) {
            QVERIFY(difference.size > 0.01);
            QVERIFY(difference.largest <= 1e-5 * difference.size);
        }
    }

    void maskedRows_data() { seeds(); }
    void maskedRows() {
        const Lesson lesson = fetch("masked-rows");
        QVERIFY(lesson.panel == LessonPanel::MaskedRows);
        for (const int padding : {0, 1, 5, 12}) {
            const MaskedRows found = headscope::maskedRows(lesson.experiment, padding);
            QVERIFY(found.finite);
            QCOMPARE(found.bias_difference, 0.0);
            for (std::size_t row = 0; row < 4 * 12; ++row) {
                double sum = 0;
                for (std::size_t key = 0; key < 12; ++key) sum += double(found.weights[row * 12 + key]);
                QVERIFY(std::abs(sum - (int(row % 12) < padding ? 0 : 1)) < 1e-5);
                for (std::size_t key = 0; key < std::size_t(padding); ++key)
                    QCOMPARE(found.weights[row * 12 + key], 0.0f);
            }
        }
    }

    void everyLessonHasItsTest() {
        QStringList tests;
        for (int i = 0; i < metaObject()->methodCount(); ++i)
            tests += QString::fromLatin1(metaObject()->method(i).name());
        for (const Lesson& lesson : builtInLessons()) {
            QString name = lesson.id;
            for (qsizetype dash = name.indexOf(u'-'); dash >= 0; dash = name.indexOf(u'-'))
                name.replace(dash, 2, name[dash + 1].toUpper());
            QVERIFY2(tests.contains(name), qPrintable(name));
        }
    }

private:
    static void seeds() {
        QTest::addColumn<std::uint64_t>("seed");
        for (const std::uint64_t seed : {1, 2, 3}) QTest::addRow("seed %d", int(seed)) << seed;
    }

    static Lesson fetch(const char* id) {
        const auto fetched = [] {
            QFETCH(std::uint64_t, seed);
            return seed;
        }();
        return lessonOf(id, fetched);
    }
};

QTEST_APPLESS_MAIN(TestLessons)
#include "test_lessons.moc"
