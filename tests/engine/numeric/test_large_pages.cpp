#include <QtTest>

#include "engine/numeric/large_pages.h"

using namespace headscope;

class TestLargePages : public QObject {
    Q_OBJECT
private slots:
    void changesNoValue() {
        // Nothing, less than a page, and some pages, before they are used and after.
        for (const Index rows : {0, 1, 1000, 5000}) {
            Matrix<float> m(rows, 512);
            preferLargePages(m);
            m.setConstant(3);
            preferLargePages(m);
            QVERIFY(rows == 0 || (m.array() == 3).all());
        }
    }
};

QTEST_APPLESS_MAIN(TestLargePages)
#include "test_large_pages.moc"
