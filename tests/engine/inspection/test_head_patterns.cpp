#include <QtTest>

#include "engine/inspection/head_patterns.h"

using namespace headscope;

class TestHeadPatterns : public QObject {
    Q_OBJECT
private slots:
    void lagScoresAreMeansAlongADiagonal() {
        const std::vector<float> weights = {1,    0,     0,     0,  // head 0
                                            0.5f, 0.5f,  0,     0,  //
                                            0,    1,     0,     0,  //
                                            0,    0.25f, 0.75f, 0,  //
                                            1,    0,     0,     0,  // head 1: the token itself
                                            0,    1,     0,     0,  //
                                            0,    0,     1,     0,  //
                                            0,    0,     0,     1};
        QCOMPARE(lagScores(weights, 2, 4, 0, 0), (std::vector<double>{1.5 / 4, 1}));
        QCOMPARE(lagScores(weights, 2, 4, 1, 1), (std::vector<double>{2.25 / 3, 0}));
        QCOMPARE(lagScores(weights, 2, 4, 1, 2), (std::vector<double>{1.75 / 2, 0}));
        QCOMPARE(lagScores(weights, 2, 4, 2, 2), (std::vector<double>{0.25 / 2, 0}));
        QCOMPARE(lagScores(weights, 2, 4, 3, 3), (std::vector<double>{0, 0}));
    }
};

QTEST_APPLESS_MAIN(TestHeadPatterns)
#include "test_head_patterns.moc"
