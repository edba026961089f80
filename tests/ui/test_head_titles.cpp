#include <cmath>
#include <limits>

#include <QSignalSpy>
#include <QTest>

#include "tests/ui/snapshots.h"
#include "ui/head_grid.h"

using namespace headscope;

namespace {

/// Head `head` looks `lag` tokens back with weight `share` and everywhere alike with the rest.
void look(Snapshot& snapshot, int head, int lag, float share) {
    const int length = snapshot.experiment.model.context_length;
    for (int query = lag; query < length; ++query)
        for (int key = 0; key <= query; ++key)
            weightAt(snapshot, head, query, key) =
                (1 - share) / static_cast<float>(query + 1) + (key == query - lag ? share : 0);
}

std::shared_ptr<Snapshot> lagCopySnapshot() {
    auto snapshot = uniformSnapshot(4, 16);
    snapshot->experiment.task = Task::LagCopy;
    snapshot->experiment.lags = {1, 4, 7};
    look(*snapshot, 0, 4, 1);
    look(*snapshot, 1, 7, 0.93f);
    look(*snapshot, 2, 1, 0.45f);
    look(*snapshot, 2, 4, 0.45f);
    snapshot->modes.assign(4, HeadMode::Trained);
    snapshot->loss_without = {1.38f, 0.41f, 1.9f, 0.02f};
    snapshot->probe_loss = 0.02f;
    return snapshot;
}

Update updateOf(RunId run, std::shared_ptr<const Snapshot> snapshot) {
    Update update;
    update.run = run;
    update.snapshot = std::move(snapshot);
    return update;
}

std::shared_ptr<Snapshot> muted(const Snapshot& snapshot, int head, std::int64_t step) {
    auto next = std::make_shared<Snapshot>(snapshot);
    next->steps_done = step;
    next->modes[static_cast<std::size_t>(head)] = HeadMode::Muted;
    next->probe_loss = 2.5f;
    return next;
}

QImage shown(HeadGrid& grid) {
    QImage image(grid.size(), QImage::Format_RGB32);
    grid.render(&image);
    return image;
}

}  // namespace

class TestHeadTitles : public QObject {
    Q_OBJECT
private slots:
    void titlesNameWhatHeadsDo() {
        const auto snapshot = lagCopySnapshot();
        for (int query = 0; query < 16; ++query)
            for (int key = 0; key <= query; ++key) weightAt(*snapshot, 2, query, key) = key == 0 || key == 5;
        for (int query = 5; query < 16; ++query)
            for (int key = 0; key <= query; ++key)
                weightAt(*snapshot, 2, query, key) = key == 2 || key == 5 ? 0.5f : 0;
        const auto titles = headTitles(*snapshot, {});
        QCOMPARE(titles[0].label, "lag 4 · 1.00");
        QCOMPARE(titles[0].shortLabel, "lag 4");
        QCOMPARE(titles[1].label, "lag 7 · 0.93");
        QCOMPARE(titles[2].label, "mixed");
        QVERIFY(!titles[2].named);
        QCOMPARE(titles[3].label, "uniform · 1.00");
        QCOMPARE(titles[1].sentence(1), "Head 2: lag 7 · 0.93.");
    }

    void everyPatternHasItsName() {
        QCOMPARE(patternText({Pattern::Copy, 4, 1}), "lag 4");
        QCOMPARE(patternText({Pattern::PreviousToken, 0, 1}), "previous token");
        QCOMPARE(patternText({Pattern::SameToken, 0, 1}), "same token");
        QCOMPARE(patternText({Pattern::FirstToken, 0, 1}), "first token");
        QCOMPARE(patternText({Pattern::Uniform, 0, 1}), "uniform");
        QCOMPARE(patternText({}), "mixed");
    }

    void weightsThatAreNoNumbersHaveNoLabel() {
        const auto snapshot = lagCopySnapshot();
        for (float& weight : snapshot->weights) weight = std::numeric_limits<float>::quiet_NaN();
        for (int head = 0; const HeadTitle& title : headTitles(*snapshot, {})) {
            QCOMPARE(title.label, QString());
            ++head;
            QCOMPARE(title.sentence(head - 1),
                     QStringLiteral("Head %1: some weights are not numbers.").arg(head));
        }
    }

    void mutingTellsTheLossBeforeAndAfter() {
        const auto before = lagCopySnapshot();
        MuteLog log;
        log.add(updateOf(1, before));
        QVERIFY(!log.at(2, 1000));
        const auto after = muted(*before, 2, 380);
        log.add(updateOf(1, after));
        QVERIFY(log.at(2, 380) == (MutedLoss{0.02f, 1.9f}));
        QVERIFY(!log.at(2, 379));
        QVERIFY(!log.at(1, 1000));
        const auto titles = headTitles(*after, log);
        QCOMPARE(titles[2].withoutIt, "loss 0.02 → 1.9 without it");
        QCOMPARE(titles[2].sentence(2), "Head 3 is muted: loss 0.02 → 1.9 without it.");
        QCOMPARE(titles[0].withoutIt, QString());

        // It is remembered through later snapshots, muted again, and forgotten with the run.
        log.add(updateOf(1, muted(*before, 2, 390)));
        QVERIFY(log.at(2, 390) == (MutedLoss{0.02f, 1.9f}));
        auto again = std::make_shared<Snapshot>(*before);
        again->probe_loss = 0.01f;
        again->loss_without[2] = 3.5f;
        log.add(updateOf(1, again));
        log.add(updateOf(1, muted(*again, 2, 500)));
        QVERIFY(log.at(2, 500) == (MutedLoss{0.01f, 3.5f}));
        QVERIFY(log.at(2, 400) == (MutedLoss{0.02f, 1.9f}));
        log.add(updateOf(2, muted(*before, 2, 600)));
        QVERIFY(!log.at(2, 1000));
        QCOMPARE(headTitles(*muted(*before, 2, 600), log)[2].withoutIt, "loss 2.5 without it");
    }

    void theTwinHasItsOwnLog() {
        const auto before = lagCopySnapshot();
        Update update = updateOf(1, before);
        update.twin_snapshot = before;
        MuteLog first, twin;
        first.add(update);
        twin.add(update, TwinSide::Twin);
        update.twin_snapshot = muted(*before, 0, 400);
        first.add(update);
        twin.add(update, TwinSide::Twin);
        QVERIFY(!first.at(0, 400));
        QVERIFY(twin.at(0, 400) == (MutedLoss{0.02f, 1.38f}));
    }

    void otherModesAreSaid() {
        const auto snapshot = lagCopySnapshot();
        snapshot->modes = {HeadMode::Frozen, HeadMode::Uniform, HeadMode::Trained, HeadMode::Trained};
        const auto titles = headTitles(*snapshot, {});
        QCOMPARE(titles[0].sentence(0), "Head 1 is frozen: lag 4 · 1.00.");
        QCOMPARE(titles[1].sentence(1), "Head 2 is held uniform.");
    }

    void labelsAreDrawnInTheAccent() {
        HeadGrid grid;
        grid.resize(690, 520);
        grid.setPalette(Theme::light().palette());
        grid.showSnapshot(lagCopySnapshot());
        const QImage image = shown(grid);
        const auto layout = layoutHeadGrid(grid.rect(), 0, 4, 16, {});
        for (int head = 0; head < 4; ++head) {
            int soft = 0;
            const QRect title = titleRect(layout, head).toRect();
            for (int y = title.top(); y < title.bottom(); ++y)
                for (int x = title.left(); x < title.right(); ++x)
                    soft += image.pixel(x, y) == Theme::light().accentSoft.rgb();
            QVERIFY2(soft > 200, qPrintable(QString::number(head)));
        }
    }

    void aNewLabelLeavesNothingOfTheOld() {
        HeadGrid grid, fresh;
        for (HeadGrid* g : {&grid, &fresh}) {
            g->resize(690, 520);
            g->setPalette(Theme::light().palette());
        }
        grid.showSnapshot(lagCopySnapshot());
        shown(grid);
        grid.showSnapshot(uniformSnapshot(4, 16));
        fresh.showSnapshot(uniformSnapshot(4, 16));
        QCOMPARE(shown(grid), shown(fresh));
    }

    void titlesNeverOverlap() {
        for (const int heads : {1, 2, 4, 8, 32})
            for (const QSize size : {QSize(220, 180), QSize(690, 520), QSize(1600, 300)}) {
                const auto layout = layoutHeadGrid(QRectF(QPointF(), size), 0, heads, 12, {});
                if (!layout.columns) continue;
                for (int a = 0; a < heads; ++a)
                    for (int b = 0; b < heads; ++b)
                        QVERIFY(a == b || !titleRect(layout, a).intersects(titleRect(layout, b)));
            }
    }

    void mutedTilesAreVeiled() {
        HeadGrid grid;
        grid.resize(690, 520);
        grid.setPalette(Theme::light().palette());
        const auto before = lagCopySnapshot();
        grid.showSnapshot(before);
        const QPoint stripe = grid.cellRect({2, 15, 15}).center().toPoint();
        const QPoint other = grid.cellRect({0, 15, 15}).center().toPoint();
        const QImage clear = shown(grid);
        grid.showSnapshot(muted(*before, 2, 400));
        const QImage veiled = shown(grid);
        QVERIFY(qGray(veiled.pixel(stripe)) > qGray(clear.pixel(stripe)) + 60);  // near the white of the card
        QCOMPARE(veiled.pixel(other), clear.pixel(other));
        grid.showSnapshot(before);
        QCOMPARE(shown(grid), clear);
    }

    void aClickOnATitleAsksForMuting() {
        HeadGrid grid;
        grid.resize(690, 520);
        grid.showSnapshot(lagCopySnapshot());
        QSignalSpy asked(&grid, &HeadGrid::muteToggled);
        const auto layout = layoutHeadGrid(grid.rect(), 0, 4, 16, {});
        QTest::mouseClick(&grid, Qt::LeftButton, {}, titleRect(layout, 2).center().toPoint());
        QTest::mouseClick(&grid, Qt::LeftButton, {}, layout.tile(2).center().toPoint());
        QTest::mouseClick(&grid, Qt::RightButton, {}, titleRect(layout, 2).center().toPoint());
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked[0][0].toInt(), 2);
        grid.setCursorCell(HeadGrid::Cell{3, 2, 1});
        QTest::keyClick(&grid, Qt::Key_M);
        QCOMPARE(asked.size(), 2);
        QCOMPARE(asked[1][0].toInt(), 3);
    }

    void theGridRemembersWhatMutingDid() {
        HeadGrid grid;
        const auto before = lagCopySnapshot();
        for (const auto& snapshot : {before, muted(*before, 0, 400)}) {
            grid.follow(updateOf(1, snapshot));
            grid.showSnapshot(snapshot);
        }
        QVERIFY(grid.description().endsWith(
            "Head 1 is muted: loss 0.02 → 1.4 without it.\nHead 2: lag 7 · 0.93.\n" +
            headTitles(*before, {})[2].sentence(2) + "\nHead 4: uniform · 1.00."));
        grid.showSnapshot(before);  // an earlier step, looked at again
        QVERIFY(grid.description().contains("Head 1: lag 4 · 1.00."));
    }
};

QTEST_MAIN(TestHeadTitles)
#include "test_head_titles.moc"
