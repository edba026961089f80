#include <QtTest>

#include "engine/numeric/linear.h"
#include "tests/engine/complex_step.h"

using namespace headscope;
using namespace headscope::test;

class TestLinear : public QObject {
    Q_OBJECT
private slots:
    void isWeightTimesInputPlusBias() {
        Matrix<double> x(2, 3), weight(2, 3), bias(1, 2), y(2, 2), expected(2, 2);
        x << 1, 2, 3, 4, 5, 6;
        weight << 1, 0, -1, 2, 1, 0;
        bias << 10, 20;
        expected << 8, 24, 8, 33;
        linear<double>(x, weight, bias, y);
        QVERIFY(y == expected);
    }

    void backwardIsTheComplexStep_data() {
        QTest::addColumn<double>("scale");
        for (const double scale : {1e-2, 1., 30.}) QTest::addRow("scale %g", scale) << scale;
    }

    void backwardIsTheComplexStep() {
        QFETCH(double, scale);
        Random random(3, RandomStream::Probe);
        const Matrix<double> x = randomMatrix(5, 4, scale, random),
                             weight = randomMatrix(3, 4, scale, random),
                             bias = randomMatrix(1, 3, scale, random), g = randomMatrix(5, 3, 1, random);
        Matrix<double> grad_x(5, 4), grad_weight(3, 4), grad_bias(1, 3);
        linearBackwardParameters<double>(x, g, grad_weight, grad_bias);
        linearBackwardInput<double>(weight, g, grad_x);

        Matrix<Complex> cx = x.cast<Complex>(), cweight = weight.cast<Complex>(),
                        cbias = bias.cast<Complex>(), y(5, 3);
        const auto f = [&] {
            linear<Complex>(cx, cweight, cbias, y);
            return y.cwiseProduct(g.cast<Complex>()).sum();
        };
        QVERIFY(relativeError(valuesOf(grad_x), complexStep(valuesOf(cx), f)) <= 1e-14);
        QVERIFY(relativeError(valuesOf(grad_weight), complexStep(valuesOf(cweight), f)) <= 1e-14);
        QVERIFY(relativeError(valuesOf(grad_bias), complexStep(valuesOf(cbias), f)) <= 1e-14);
    }
};

QTEST_APPLESS_MAIN(TestLinear)
#include "test_linear.moc"
