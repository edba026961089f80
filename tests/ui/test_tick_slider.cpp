#include <memory>

#include <QSignalSpy>
#include <QtTest>

#include "ui/tick_slider.h"

using namespace headscope;

class TestTickSlider : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_slider = std::make_unique<TickSlider>();
        m_slider->setLabels({"1", "2", "4", "8"});
        m_slider->resize(220, m_slider->sizeHint().height());
        m_slider->show();
    }

    void hasOnePlaceForEachLabel() {
        QCOMPARE(m_slider->minimum(), 0);
        QCOMPARE(m_slider->maximum(), 3);
        m_slider->setLabels({"1"});
        QCOMPARE(m_slider->maximum(), 0);
    }

    void aDragChoosesOnceWhenLetGo() {
        QSignalSpy chosen(m_slider.get(), &TickSlider::chosen);
        QSignalSpy moved(m_slider.get(), &TickSlider::sliderMoved);
        QTest::mousePress(m_slider.get(), Qt::LeftButton, {}, m_slider->placeOf(1));
        QTest::mouseMove(m_slider.get(), m_slider->placeOf(2));
        QTest::mouseMove(m_slider.get(), m_slider->placeOf(3));
        QVERIFY(moved.count() > 0);
        QCOMPARE(chosen.count(), 0);
        QTest::mouseRelease(m_slider.get(), Qt::LeftButton, {}, m_slider->placeOf(3));
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.front().front().toInt(), 3);
    }

    void keysChooseAtOnceAndStopAtTheEnds() {
        QSignalSpy chosen(m_slider.get(), &TickSlider::chosen);
        QTest::keyClick(m_slider.get(), Qt::Key_Left);
        QCOMPARE(chosen.count(), 0);
        QTest::keyClick(m_slider.get(), Qt::Key_Right);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(m_slider->value(), 1);
        QTest::keyClick(m_slider.get(), Qt::Key_End);
        QCOMPARE(m_slider->value(), 3);
    }

    void theWheelIsLeftToTheScrolledColumn() {
        QWheelEvent wheel({5, 5}, m_slider->mapToGlobal(QPointF(5, 5)), {}, {0, 120}, Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(m_slider.get(), &wheel);
        QCOMPARE(m_slider->value(), 0);
        QVERIFY(!wheel.isAccepted());
    }

    void programsMoveItWithoutChoosing() {
        QSignalSpy chosen(m_slider.get(), &TickSlider::chosen);
        m_slider->setValue(2);
        QCOMPARE(chosen.count(), 0);
    }

private:
    std::unique_ptr<TickSlider> m_slider;
};

QTEST_MAIN(TestTickSlider)
#include "test_tick_slider.moc"
