#include <QtTest>

#include "engine/attention/rotary.h"
#include "engine/numeric/refusal.h"
#include "tests/engine/complex_step.h"

using namespace headscope;
using namespace headscope::test;

class TestRotary : public QObject {
    Q_OBJECT
private slots:
    void turnsPairsAsThePaperSays() {
        constexpr Index L = 5, d_head = 4, H = 2;
        Random random(1, RandomStream::Probe);
        const Matrix<double> before = randomMatrix(2 * L, H * d_head, 1, random);
        Matrix<double> x = before;
        Rotary<double>(L, d_head).rotate(x, L);
        for (Index row = 0; row < 2 * L; ++row)
            for (Index pair = 0; pair < H * d_head; pair += 2) {
                const double angle =
                    double(row % L) * std::pow(10000., -double(pair % d_head) / double(d_head));
                const Complex turned =
                    Complex(before(row, pair), before(row, pair + 1)) * std::polar(1., angle);
                QVERIFY(std::abs(turned - Complex(x(row, pair), x(row, pair + 1))) <= 1e-15);
            }
    }

    void theFirstPlaceIsLeftAsItIs() {
        Matrix<float> x = Matrix<float>::Constant(1, 6, 2);
        Rotary<float>(1, 6).rotate(x, 1);
        QVERIFY(x == Matrix<float>::Constant(1, 6, 2));
    }

    void scoresDependOnTheDistanceAlone() {
        constexpr Index L = 40, d_head = 8;
        Random random(2, RandomStream::Probe);
        const Matrix<double> one = randomMatrix(1, d_head, 1, random),
                             other = randomMatrix(1, d_head, 1, random);
        Matrix<double> q = one.replicate(L, 1), k = other.replicate(L, 1);
        const Rotary<double> rotary(L, d_head);
        rotary.rotate(q, L);
        rotary.rotate(k, L);
        for (Index distance = 0; distance < 10; ++distance)
            for (Index t = distance; t < L; ++t)
                QVERIFY(std::abs(q.row(t).dot(k.row(t - distance)) - q.row(distance).dot(k.row(0))) <= 1e-13);
        QVERIFY(std::abs(q.row(3).dot(k.row(0)) - q.row(0).dot(k.row(0))) > 1e-3);
    }

    void backIsTheTranspose() {
        constexpr Index L = 6, d_head = 4;
        Random random(3, RandomStream::Probe);
        const Matrix<double> x = randomMatrix(L, d_head, 1, random), g = randomMatrix(L, d_head, 1, random);
        const Rotary<double> rotary(L, d_head);
        Matrix<double> turned = x, back = g;
        rotary.rotate(turned, L);
        rotary.rotateBack(back, L);
        QVERIFY(std::abs(turned.cwiseProduct(g).sum() - x.cwiseProduct(back).sum()) <= 1e-14);
        rotary.rotateBack(turned, L);
        QVERIFY(relativeError(turned, x) <= 1e-15);
    }

    void anOddHeadIsRefused() {
        try {
            Rotary<float>(4, 3);
            QFAIL("accepted");
        } catch (const Refusal& refusal) {
            QCOMPARE(QString::fromUtf8(refusal.what()),
                     QString("d_head 3 is odd: rotary positions need an even one"));
        }
    }
};

QTEST_APPLESS_MAIN(TestRotary)
#include "test_rotary.moc"
