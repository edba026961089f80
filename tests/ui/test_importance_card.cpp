#include <limits>

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTest>

#include "tests/ui/snapshots.h"
#include "ui/importance_card.h"

using namespace headscope;

namespace {

using Modes = std::vector<HeadMode>;
constexpr HeadMode T = HeadMode::Trained, M = HeadMode::Muted, U = HeadMode::Uniform, F = HeadMode::Frozen;

std::shared_ptr<Snapshot> snapshotOf(std::vector<float> loss_without, Modes modes = {}) {
    auto snapshot = uniformSnapshot(static_cast<int>(loss_without.size()), 4);
    snapshot->modes = modes.empty() ? Modes(loss_without.size(), T) : modes;
    snapshot->loss_without = std::move(loss_without);
    snapshot->probe_loss = 0.02f;
    return snapshot;
}

struct Shown {
    explicit Shown(const Snapshot& snapshot) {
        card.resize(300, 400);
        card.show();
        card.showSnapshot(snapshot);
        card.showModes(snapshot.modes);
        QObject::connect(&card, &ImportanceCard::headModesRequested,
                         [this](const Modes& modes) { asked.push_back(modes); });
    }
    ImportanceBar& bar(int number) {
        return *card.findChild<ImportanceBar*>(QStringLiteral("lossWithout%1").arg(number));
    }
    QPushButton& mute(int number) {
        return *card.findChild<QPushButton*>(QStringLiteral("muteHead%1").arg(number));
    }
    QPushButton& more(int number) {
        return *card.findChild<QPushButton*>(QStringLiteral("headMode%1").arg(number));
    }
    QPushButton& undo() { return *card.findChild<QPushButton*>("undoHeadModes"); }

    ImportanceCard card;
    std::vector<Modes> asked;
};

}  // namespace

class TestImportanceCard : public QObject {
    Q_OBJECT
private slots:
    void barsAreAsLongAsLosses() {
        Shown shown(*snapshotOf({1.38f, 0.41f, 0.69f, 0}));
        QCOMPARE(shown.bar(1).valueText(), "1.38");
        QCOMPARE(shown.bar(2).valueText(), "0.41");
        QVERIFY(shown.bar(1).bar().width() > 20);
        QVERIFY(std::abs(shown.bar(1).bar().width() / shown.bar(3).bar().width() - 2) < 1e-6);
        QVERIFY(shown.bar(4).bar().isEmpty());
        QCOMPARE(shown.bar(4).valueText(), "0.00");
        QCOMPARE(shown.bar(1).description(), "Without head 1 the loss is 1.38, with it 0.02.");
    }

    void theScaleDoesNotFollowEveryStep() {
        Shown shown(*snapshotOf({1.38f}));  // within a half of 1.05 ln 64
        const double before = shown.bar(1).bar().width();
        shown.card.showSnapshot(*snapshotOf({1.2f}));
        QVERIFY(std::abs(shown.bar(1).bar().width() / before - 1.2 / 1.38) < 1e-2);
        shown.card.showSnapshot(*snapshotOf({100}));
        QVERIFY(shown.bar(1).bar().width() <= shown.bar(1).width());
    }

    void whatIsNotFiniteHasNoBar() {
        Shown shown(*snapshotOf(
            {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 1}));
        for (const int head : {1, 2}) {
            QVERIFY(shown.bar(head).bar().isEmpty());
            QCOMPARE(shown.bar(head).valueText(), "not a number");
        }
        QVERIFY(!shown.bar(3).bar().isEmpty());
    }

    void muteButtonsAskOnly() {
        Shown shown(*snapshotOf({1, 2, 3}));
        QTest::mouseClick(&shown.mute(2), Qt::LeftButton);
        QVERIFY(shown.asked == (std::vector<Modes>{{T, M, T}}));
        QCOMPARE(shown.mute(2).text(), "unmute");
        shown.card.showModes({T, T, T});  // it was not done
        QCOMPARE(shown.mute(2).text(), "mute");
        QCOMPARE(shown.bar(2).valueText(), "2.00");
    }

    void mutedHeadsAreSaidAndUnmuted() {
        Shown shown(*snapshotOf({1, 0.02f, 3}, {T, M, T}));
        QCOMPARE(shown.bar(2).valueText(), "muted");
        QVERIFY(shown.bar(2).bar().isEmpty());
        QCOMPARE(shown.bar(2).description(), "Head 2 is muted; the loss is 0.02.");
        QCOMPARE(shown.mute(2).text(), "unmute");
        QCOMPARE(shown.mute(2).accessibleName(), "Unmute head 2");
        QTest::keyClick(&shown.mute(2), Qt::Key_Space);
        QVERIFY(shown.asked == (std::vector<Modes>{{T, T, T}}));
    }

    void quickClicksBuildOnEachOther() {
        Shown shown(*snapshotOf({1, 2, 3}));
        shown.card.toggleMute(0);
        shown.card.toggleMute(2);
        QVERIFY(shown.asked == (std::vector<Modes>{{M, T, T}, {M, T, M}}));
        shown.card.toggleMute(3);
        shown.card.toggleMute(-1);
        QCOMPARE(shown.asked.size(), std::size_t{2});
    }

    void theMenuHoldsHeadsUniformOrFrozen() {
        Shown shown(*snapshotOf({1, 2}));
        const auto actions = shown.more(1).menu()->actions();
        QCOMPARE(actions.size(), 3);
        QVERIFY(actions[0]->isChecked());
        actions[1]->trigger();
        QVERIFY(shown.asked.back() == (Modes{U, T}));
        QVERIFY(actions[1]->isChecked() && !actions[0]->isChecked());
        actions[2]->trigger();
        QVERIFY(shown.asked.back() == (Modes{F, T}));
        actions[2]->trigger();  // already so
        QVERIFY(actions[2]->isChecked());
        QCOMPARE(shown.asked.size(), std::size_t{2});
        actions[0]->trigger();
        QVERIFY(shown.asked.back() == (Modes{T, T}));
        shown.card.showModes({M, T});
        for (const QAction* action : actions) QVERIFY(!action->isChecked());
    }

    void undoGoesBackStepByStep() {
        Shown shown(*snapshotOf({1, 2}));
        QVERIFY(!shown.undo().isEnabled());
        shown.card.toggleMute(0);
        shown.card.showModes({M, T});
        shown.card.toggleMute(1);
        QTest::mouseClick(&shown.undo(), Qt::LeftButton);
        QVERIFY(shown.asked.back() == (Modes{M, T}));
        QTest::mouseClick(&shown.undo(), Qt::LeftButton);
        QVERIFY(shown.asked.back() == (Modes{T, T}));
        QVERIFY(!shown.undo().isEnabled());
        shown.card.undo();
        QCOMPARE(shown.asked.size(), std::size_t{4});
    }

    void anotherRunHasNothingToUndo() {
        Shown shown(*snapshotOf({1, 2}));
        shown.card.toggleMute(0);
        shown.card.beginRun();
        QVERIFY(!shown.undo().isEnabled());
        shown.card.showModes({T, T});
        shown.card.toggleMute(0);
        shown.card.showModes({T, T, T, T});  // carried on with other heads
        QVERIFY(!shown.undo().isEnabled());
    }

    void headsOfAnotherModelCannotBeAsked() {
        Shown shown(*snapshotOf({1, 2}));
        shown.card.showSnapshot(*snapshotOf({1, 2, 3, 4}));  // a twin's
        QVERIFY(!shown.mute(4).isEnabled() && !shown.more(1).isEnabled());
        shown.card.toggleMute(0);
        QVERIFY(shown.asked.empty());
    }

    void theNoteTellsTheLossAsItIs() {
        Shown shown(*snapshotOf({1, 2}));
        const auto note = [&] {
            for (const QLabel* label : shown.card.findChildren<QLabel*>())
                if (label->text().contains(": ")) return label->text();
            return QString();
        };
        QCOMPARE(note(), "with all: 0.02");
        shown.card.showSnapshot(*snapshotOf({1, 2}, {T, M}));
        QCOMPARE(note(), "now: 0.02");
        shown.card.clear();
        QCOMPARE(note(), QString());
    }

    void manyHeadsScrollInside() {
        Shown shown(*snapshotOf(std::vector<float>(128, 1)));
        QVERIFY(shown.card.sizeHint().height() < 700);
        QVERIFY(shown.mute(128).isEnabled());
        QTest::mouseClick(&shown.mute(128), Qt::LeftButton);
        QCOMPARE(shown.asked.size(), std::size_t{1});
        QVERIFY(shown.asked[0][127] == M);
    }
};

QTEST_MAIN(TestImportanceCard)
#include "test_importance_card.moc"
