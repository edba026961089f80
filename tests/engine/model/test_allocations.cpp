#include <QtTest>

#include "engine/model/adam.h"
#include "engine/model/initialization.h"
#include "engine/model/language_model.h"
#include "tests/engine/allocation_count.h"

using namespace headscope;
using namespace headscope::test;

class TestAllocations : public QObject {
    Q_OBJECT
private slots:
    void theCounterSeesBothWays() {
        QVERIFY(allocationsIn([] { delete new volatile int(1); }) >= 1);
        QVERIFY(allocationsIn([] { Matrix<float>::Zero(3, 3).eval(); }) >= 1);
    }

    void aStepAfterTheFirstTakesNothingFromTheHeap_data() {
        QTest::addColumn<ModelConfig>("config");
        QTest::addColumn<int>("rows");
        const auto row = [](const char* name, ModelConfig config, int rows) {
            QTest::newRow(name) << config << rows;
        };
        row("lesson", {}, 16);
        row("one number wide",
            {.d_model = 1, .n_heads = 1, .context_length = 1, .positions = Positions::None}, 1);
        row("learned", {.d_model = 33, .n_heads = 3, .context_length = 7, .positions = Positions::Learned},
            5);
        row("wide head", {.d_model = 128, .n_heads = 1}, 16);
        row("eight heads", {.d_model = 128, .n_heads = 8, .context_length = 64}, 16);
        row("long", {.d_model = 256, .context_length = 256}, 4);
        row("longest", {.d_model = 64, .context_length = 1024}, 1);
    }

    void aStepAfterTheFirstTakesNothingFromTheHeap() {
        QFETCH(ModelConfig, config);
        QFETCH(int, rows);
        Parameters<float> parameters(config), gradients(config);
        Random random(1, RandomStream::Initialization);
        initialize(parameters, 1, 1, random);
        LanguageModel<float> model(config, rows);
        Adam<float> adam(config);
        std::vector<int> tokens(std::size_t(rows * config.context_length));
        for (int& token : tokens) token = int(random.below(std::uint32_t(config.vocab_size)));
        const auto step = [&] {
            model.forward(parameters, tokens);
            model.loss(tokens);
            model.backward(parameters, gradients);
            adam.step(parameters, gradients, 5e-3);
        };
        step();  // generates its kernels
        QCOMPARE(allocationsIn(step), 0);
    }
};

QTEST_APPLESS_MAIN(TestAllocations)
#include "test_allocations.moc"
