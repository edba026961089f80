#include <QLabel>
#include <QSignalSpy>
#include <QtTest>

#include "ui/heads_card.h"
#include "ui/tick_slider.h"

using namespace headscope;

class TestHeadsCard : public QObject {
    Q_OBJECT
private slots:
    void offersTheDivisorsOfTheWidth() {
        HeadsCard card;
        Experiment e;
        e.model.d_model = 24;
        card.setExperiment(e);
        QCOMPARE(labels(card), (QStringList{"1", "2", "3", "4", "6", "8", "12", "24"}));
        QCOMPARE(card.findChild<QLabel*>("cardNote")->text(), "divisors of d_model 24");
    }

    void offersNoOddWidthOfAHeadUnderRotaryPositions() {
        HeadsCard card;
        Experiment e;
        e.model.positions = Positions::Rotary;
        card.setExperiment(e);
        QCOMPARE(labels(card), (QStringList{"1", "2", "4", "8", "16"}));
        QCOMPARE(card.findChild<QLabel*>("cardNote")->text(), "rotary: d_head is even");
        QVERIFY(card.findChild<TickSlider*>()->toolTip().contains("rotary positions turn pairs"));
        e.model.positions = Positions::None;
        card.setExperiment(e);
        QCOMPARE(labels(card).back(), "32");
        QCOMPARE(card.findChild<QLabel*>("headsCount")->text(), "4");
    }

    void moreStopsAtTheMostThereCanBe() {
        HeadsCard card;
        Experiment e;
        e.model.positions = Positions::Rotary;
        e.model.n_heads = 16;
        card.setExperiment(e);
        QSignalSpy chosen(&card, &HeadsCard::chosen);
        card.moveBy(+1);
        QCOMPARE(chosen.size(), 0);
        card.moveBy(-1);
        QCOMPARE(chosen.size(), 1);
        QCOMPARE(chosen[0][0].toInt(), 8);
    }

private:
    static QStringList labels(const HeadsCard& card) { return card.findChild<TickSlider*>()->labels(); }
};

QTEST_MAIN(TestHeadsCard)
#include "test_heads_card.moc"
