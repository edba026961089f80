#include <QAbstractButton>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "tests/ui/snapshots.h"
#include "ui/badge_list.h"
#include "ui/importance_card.h"
#include "ui/mechanism_chart.h"
#include "ui/right_column.h"
#include "ui/segmented_control.h"
#include "ui/shapes_card.h"
#include "ui/similarity_card.h"
#include "ui/style.h"

using namespace headscope;

namespace {

std::shared_ptr<Snapshot> snapshotAt(std::int64_t step, int n_heads, float entropy) {
    auto snapshot = uniformSnapshot(n_heads, 4);
    snapshot->steps_done = step;
    snapshot->modes.assign(static_cast<std::size_t>(n_heads), HeadMode::Trained);
    snapshot->loss_without.assign(static_cast<std::size_t>(n_heads), entropy + 1);
    HeadDiagnostics head;
    head.score_std = 1;
    head.row_entropy = entropy;
    head.uniform_entropy = 1;
    snapshot->diagnostics.assign(static_cast<std::size_t>(n_heads), head);
    return snapshot;
}

Update updateOf(RunId run, std::shared_ptr<const Snapshot> snapshot) {
    Update update;
    update.run = run;
    if (snapshot) update.experiment = snapshot->experiment;
    update.modes.assign(static_cast<std::size_t>(update.experiment.model.n_heads), HeadMode::Trained);
    update.snapshot = std::move(snapshot);
    return update;
}

}  // namespace

class TestRightColumn : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { applyStyle(*qApp); }

    void init() {
        m_column = std::make_unique<RightColumn>();
        m_column->resize(300, 900);
        m_column->show();
    }

    void liveSnapshotsReachEveryCard() {
        m_column->showUpdate(updateOf(1, snapshotAt(0, 2, 0.6f)));
        QCOMPARE(badges(), "Head 1: 0.60.\nHead 2: 0.60.");
        QCOMPARE(find<ImportanceBar>("lossWithout2")->valueText(), "1.60");
        QCOMPARE(find<QLabel>("similarityText")->text(), "heads 1 and 2: 0.00\u00a0bits");
        m_column->showUpdate(updateOf(1, snapshotAt(10, 2, 0.7f)));
        QCOMPARE(find<MechanismChart>("mechanismChart")->points().size(), std::size_t{2});
        m_column->showUpdate(updateOf(2, snapshotAt(0, 2, 0.8f)));
        QCOMPARE(find<MechanismChart>("mechanismChart")->points().size(), std::size_t{1});
    }

    void aRecordedStepStaysWhileTheRunGoesOn() {
        const auto early = snapshotAt(0, 1, 0.9f);
        m_column->showUpdate(updateOf(1, early));
        m_column->showUpdate(updateOf(1, snapshotAt(10, 1, 0.7f)));
        m_column->showSnapshot(early);
        QVERIFY(badges().startsWith("Head 1: 0.90"));
        m_column->showUpdate(updateOf(1, snapshotAt(20, 1, 0.6f)));
        QVERIFY(badges().startsWith("Head 1: 0.90"));
        QCOMPARE(find<ImportanceBar>("lossWithout1")->valueText(), "1.90");
        QCOMPARE(find<MechanismChart>("mechanismChart")->points().size(), std::size_t{3});
        m_column->showSnapshot(nullptr);
        QVERIFY(badges().startsWith("Head 1: 0.60"));
    }

    void aNewRunIsLive() {
        const auto early = snapshotAt(0, 1, 0.9f);
        m_column->showUpdate(updateOf(1, early));
        m_column->showSnapshot(early);
        m_column->showUpdate(updateOf(2, nullptr));
        QVERIFY(!find<BadgeList>("mechanismBadges")->isVisible());
        m_column->showUpdate(updateOf(2, snapshotAt(0, 4, 0.7f)));
        QVERIFY(badges().startsWith("Head 1: 0.70.\nHead 2"));
    }

    void theTwinIsShownOnDemand() {
        Update update = updateOf(1, snapshotAt(0, 2, 0.6f));
        m_column->setExperiment(update.experiment);
        QVERIFY(!find<SegmentedControl>("rightSide")->isVisible());
        update.twin = update.experiment;
        update.twin->model.n_heads = 1;
        update.twin_snapshot = snapshotAt(0, 1, 0.8f);
        m_column->showUpdate(update);
        auto* side = find<SegmentedControl>("rightSide");
        QVERIFY(side->isVisible());
        QCOMPARE(side->button(0)->text(), "2 heads");
        QCOMPARE(side->button(1)->text(), "1 head");
        QCOMPARE(find<QLabel>("mechanismBeside")->text(), "gray: 1 head, mean of its heads");
        QCOMPARE(shapeOfScores(), "(16, 2, 4, 4)");
        QTest::mouseClick(side->button(1), Qt::LeftButton);
        QCOMPARE(shapeOfScores(), "(16, 1, 4, 4)");
        QCOMPARE(badges(), "Head 1: 0.80.");
        QVERIFY(!find<QPushButton>("muteHead1")->isEnabled());  // another number of heads than the first has
        update.snapshot = snapshotAt(10, 2, 0.5f);
        update.twin_snapshot = snapshotAt(10, 1, 0.7f);
        m_column->showUpdate(update);
        QCOMPARE(badges(), "Head 1: 0.70.");
        m_column->showSnapshot(snapshotAt(0, 2, 0.6f), snapshotAt(0, 1, 0.85f));
        QCOMPARE(badges(), "Head 1: 0.85.");
        m_column->showUpdate(updateOf(2, snapshotAt(0, 2, 0.75f)));
        QVERIFY(!side->isVisible());
        QVERIFY(badges().startsWith("Head 1: 0.75."));
    }

    void headModesAreAskedFor() {
        std::vector<std::vector<HeadMode>> asked;
        connect(m_column.get(), &RightColumn::headModesRequested,
                [&](const std::vector<HeadMode>& modes) { asked.push_back(modes); });
        m_column->toggleMute(0);  // no run, no heads
        m_column->showUpdate(updateOf(1, snapshotAt(0, 2, 0.6f)));
        QTest::mouseClick(find<QPushButton>("muteHead2"), Qt::LeftButton);
        m_column->toggleMute(0);
        m_column->undoHeadModes();
        using enum HeadMode;
        QVERIFY(asked ==
                (std::vector<std::vector<HeadMode>>{{Trained, Muted}, {Muted, Muted}, {Trained, Muted}}));
    }

    void shapesFollowTheControls() {
        Experiment experiment;
        experiment.model.n_heads = 8;
        m_column->setExperiment(experiment);
        QCOMPARE(shapeOfScores(), "(16, 8, 12, 12)");
    }

    void stepsOfTheChartAreChosen() {
        m_column->showUpdate(updateOf(1, snapshotAt(0, 1, 0.6f)));
        QSignalSpy chosen(m_column.get(), &RightColumn::stepChosen);
        QTest::keyClick(find<MechanismChart>("mechanismChart"), Qt::Key_Home);
        QCOMPARE(chosen.size(), 1);
    }

    void tabsShowOneCardAtATime() {
        QVERIFY(!find<SegmentedControl>("rightTabs")->isVisible());
        QCOMPARE(visibleCards(),
                 (QStringList{"mechanismCard", "importanceCard", "similarityCard", "shapesCard"}));
        m_column->setArrangement(RightColumn::Arrangement::Tabs);
        QCOMPARE(visibleCards(), QStringList{"mechanismCard"});
        auto* tabs = find<SegmentedControl>("rightTabs");
        QTest::mouseClick(tabs->button(3), Qt::LeftButton);
        QCOMPARE(visibleCards(), QStringList{"shapesCard"});
        QTest::keyClick(tabs->button(2), Qt::Key_Space);
        QCOMPARE(visibleCards(), QStringList{"similarityCard"});
        m_column->setArrangement(RightColumn::Arrangement::Column);
        QCOMPARE(visibleCards().size(), 4);
        QVERIFY(!tabs->isVisible());
    }

    void everythingFitsThreeHundredPixels() {
        for (const int n_heads : {1, 4, 32}) {
            m_column->showUpdate(updateOf(static_cast<RunId>(n_heads), snapshotAt(0, n_heads, 0.6f)));
            QCoreApplication::processEvents();
            QVERIFY(m_column->minimumSizeHint().width() <= 300);
            for (const char* name : {"mechanismCard", "importanceCard", "similarityCard", "shapesCard"}) {
                const auto* card = find<QWidget>(name);
                QVERIFY2(card->minimumSizeHint().width() <= 290, name);
                QVERIFY2(card->mapTo(m_column.get(), QPoint(card->width(), 0)).x() <= 300, name);
            }
        }
    }

private:
    template <typename T>
    T* find(const char* name) {
        return m_column->findChild<T*>(QString::fromLatin1(name));
    }
    QString shapeOfScores() { return find<StagesView>("shapesView")->stages()[4].shape; }
    QString badges() { return find<BadgeList>("mechanismBadges")->description(); }
    QStringList visibleCards() {
        QStringList names;
        for (const char* name : {"mechanismCard", "importanceCard", "similarityCard", "shapesCard"})
            if (find<QWidget>(name)->isVisible()) names << QString::fromLatin1(name);
        return names;
    }

    std::unique_ptr<RightColumn> m_column;
};

QTEST_MAIN(TestRightColumn)
#include "test_right_column.moc"
