#include <QtTest>

#include "engine/model/language_model.h"

using namespace headscope;

namespace {

QString refusalOf(const ModelConfig& config) {
    const auto found = problems(config);
    return found.size() == 1 ? QString::fromUtf8(found[0].refusal.what())
                             : QString("%1 problems").arg(found.size());
}

}  // namespace

class TestModelConfig : public QObject {
    Q_OBJECT
private slots:
    void theLessonIsValid() { QVERIFY(problems(ModelConfig{}).empty()); }

    void refusals_data() {
        QTest::addColumn<ModelConfig>("config");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* sentence, ModelConfig config) {
            QTest::newRow(sentence) << config << QString(sentence);
        };
        row("n_heads 5 does not divide d_model 32", {.n_heads = 5});
        row("n_heads 64 does not divide d_model 32", {.n_heads = 64});
        row("n_heads is 0: it must be from 1 to 4096", {.n_heads = 0});
        row("n_heads is -4: it must be from 1 to 4096", {.n_heads = -4});
        row("d_model is 0: it must be from 1 to 4096", {.d_model = 0});
        row("d_model is -8: it must be from 1 to 4096", {.d_model = -8});
        row("d_model 9 is odd: sinusoidal positions need an even one", {.d_model = 9, .n_heads = 3});
        row("d_head 1 is odd: rotary positions need an even one",
            {.n_heads = 32, .positions = Positions::Rotary});
        row("context_length is 0: it must be from 1 to 4096", {.context_length = 0});
        row("vocab_size is 1: it must be from 2 to 32768", {.vocab_size = 1});
    }

    void refusals() {
        QFETCH(ModelConfig, config);
        QFETCH(QString, sentence);
        QCOMPARE(refusalOf(config), sentence);
        QVERIFY_EXCEPTION_THROWN(requireValid(config), Refusal);
        QVERIFY_EXCEPTION_THROWN(Parameters<float>{config}, Refusal);
        QVERIFY_EXCEPTION_THROWN(LanguageModel<float>(config, 1), Refusal);
    }

    void oddWidthsAreFineWithoutASinusoid() {
        QVERIFY(problems({.d_model = 9, .n_heads = 3, .positions = Positions::Learned}).empty());
        QVERIFY(problems({.d_model = 9, .n_heads = 3, .positions = Positions::None}).empty());
    }
};

QTEST_APPLESS_MAIN(TestModelConfig)
#include "test_model_config.moc"
