#include <cmath>

#include <QtTest>

#include "engine/model/adam.h"

using namespace headscope;

namespace {

const ModelConfig kTiny{.vocab_size = 3, .d_model = 2, .n_heads = 1, .context_length = 2};

/// Algorithm 1 of the paper for one number, line by line.
struct PaperAdam {
    double theta, m = 0, v = 0;
    int t = 0;

    void step(double g, double rate) {
        ++t;
        m = 0.9 * m + 0.1 * g;
        v = 0.999 * v + 0.001 * g * g;
        const double m_hat = m / (1 - std::pow(0.9, t)), v_hat = v / (1 - std::pow(0.999, t));
        theta -= rate * m_hat / (std::sqrt(v_hat) + 1e-8);
    }
};

}  // namespace

class TestAdam : public QObject {
    Q_OBJECT
private slots:
    void theFirstStepIsTheLearningRateAgainstTheSign() {
        Parameters<double> theta(kTiny), g(kTiny);
        for (std::size_t i = 0; i < g.values().size(); ++i) g.values()[i] = i % 2 == 0 ? 3 : -0.25;
        Adam<double> adam(kTiny);
        adam.step(theta, g, 0.01);
        for (std::size_t i = 0; i < g.values().size(); ++i)
            QVERIFY(std::abs(theta.values()[i] - (i % 2 == 0 ? -0.01 : 0.01)) < 1e-9);
        QCOMPARE(adam.stepsDone(), 1);
    }

    void followsThePaperOnEveryNumber() {
        Parameters<double> theta(kTiny), g(kTiny);
        std::vector<PaperAdam> paper;
        for (std::size_t i = 0; i < theta.values().size(); ++i) {
            theta.values()[i] = std::sin(double(i));
            paper.push_back({theta.values()[i]});
        }
        Adam<double> adam(kTiny);
        for (int step = 0; step < 50; ++step) {
            const double rate = step < 25 ? 5e-3 : 1e-3;
            for (std::size_t i = 0; i < paper.size(); ++i) {
                g.values()[i] = std::cos(double(i) + 0.3 * step) * std::pow(10., int(i % 12) - 9);
                paper[i].step(g.values()[i], rate);
            }
            adam.step(theta, g, rate);
        }
        for (std::size_t i = 0; i < paper.size(); ++i)
            QVERIFY(std::abs(theta.values()[i] - paper[i].theta) < 1e-14);
    }

    void aSteadyGradientMovesByTheLearningRateInFloatToo() {
        Parameters<float> theta(kTiny), g(kTiny);
        for (float& x : g.values()) x = 0.5f;
        Adam<float> adam(kTiny);
        for (int step = 0; step < 100; ++step) adam.step(theta, g, 0.01);
        for (const float x : theta.values()) QVERIFY(std::abs(double(x) + 1) < 2e-6);
    }

    void noGradientNoMove() {
        Parameters<float> theta(kTiny);
        const Parameters<float> g(kTiny);
        for (float& x : theta.values()) x = 2.5f;
        Adam<float> adam(kTiny);
        for (int step = 0; step < 3; ++step) adam.step(theta, g, 1);
        for (const float x : theta.values()) QCOMPARE(x, 2.5f);
    }
};

QTEST_APPLESS_MAIN(TestAdam)
#include "test_adam.moc"
