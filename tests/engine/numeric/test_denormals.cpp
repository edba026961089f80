#include <limits>

#include <QtTest>

#include "engine/numeric/denormals.h"

using namespace headscope;

namespace {

/// Computed when it is asked for, not by the compiler.
float half(float x) {
    volatile float value = x;
    return value * 0.5f;
}
float twice(float x) {
    volatile float value = x;
    return value * 2;
}

}  // namespace

class TestDenormals : public QObject {
    Q_OBJECT
private slots:
    void areZeroWhileItLives() {
        const float smallest = std::numeric_limits<float>::min();
        const float denormal = half(smallest);
        QVERIFY(denormal > 0);
        {
            const DenormalsAreZero outer;
            { const DenormalsAreZero inner; }
            QVERIFY(half(smallest) == 0);
            QVERIFY(twice(denormal) == 0);
            QVERIFY(half(-2 * smallest) == -smallest);
        }
        QVERIFY(half(smallest) == denormal);
        QVERIFY(twice(denormal) == smallest);
    }
};

QTEST_APPLESS_MAIN(TestDenormals)
#include "test_denormals.moc"
