#include <cmath>

#include <QtTest>

#include "engine/inspection/head_ablation.h"
#include "engine/model/initialization.h"
#include "engine/model/language_model.h"

using namespace headscope;

class TestHeadAblation : public QObject {
    Q_OBJECT
private slots:
    void theLossWithoutAHeadIsThatOfTheModelWithItMuted() {
        const ModelConfig config{11, 12, 3, 7, Positions::Sinusoidal, true};
        Parameters<float> parameters(config);
        Random random(3, RandomStream::Initialization);
        initialize(parameters, 2, 1, random);
        std::vector<int> tokens, targets;
        for (int i = 0; i < 5 * 7; ++i) {
            tokens.push_back(int(random.below(11)));
            targets.push_back(i % 4 == 0 ? kIgnoredTarget : int(random.below(11)));
        }
        LanguageModel<float> model(config, 5);
        model.forward(parameters, tokens);
        const float whole = model.loss(targets).loss;

        HeadAblation ablation(parameters, 3);
        std::vector<float> without;
        for (int h = 0; h < 3; ++h)
            without.push_back(ablation.lossWithout(h, model.context(), model.logits(), targets));
        for (int h = 0; h < 3; ++h) {
            std::vector<HeadMode> modes(3, HeadMode::Trained);
            modes[std::size_t(h)] = HeadMode::Muted;
            model.setHeadModes(modes);
            model.forward(parameters, tokens);
            const float muted = model.loss(targets).loss;
            QVERIFY(std::abs(without[std::size_t(h)] - muted) < 2e-6f * muted);
            QVERIFY(std::abs(muted - whole) > 1e-3f);
        }
    }
};

QTEST_APPLESS_MAIN(TestHeadAblation)
#include "test_head_ablation.moc"
