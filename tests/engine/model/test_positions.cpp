#include <cmath>

#include <QtTest>

#include "engine/model/positions.h"

using namespace headscope;

class TestPositions : public QObject {
    Q_OBJECT
private slots:
    void exactValues() {
        const Matrix<double> p = sinusoidalPositions<double>(12, 4);
        QCOMPARE(p.rows(), 12);
        QCOMPARE(p.cols(), 4);
        for (Index t = 0; t < 12; ++t) {
            const double angle = double(t);
            QCOMPARE(p(t, 0), std::sin(angle));
            QCOMPARE(p(t, 1), std::cos(angle));
            QVERIFY(std::abs(p(t, 2) - std::sin(angle / 100)) < 1e-15);
            QVERIFY(std::abs(p(t, 3) - std::cos(angle / 100)) < 1e-15);
        }
    }

    void aSingleRowIsSineZeroCosineOne() {
        const Matrix<float> p = sinusoidalPositions<float>(1, 2);
        QCOMPARE(p(0, 0), 0.f);
        QCOMPARE(p(0, 1), 1.f);
    }
};

QTEST_APPLESS_MAIN(TestPositions)
#include "test_positions.moc"
