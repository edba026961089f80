#include <QLabel>
#include <QtTest>

#include "ui/figure_label.h"
#include "ui/replay.h"
#include "ui/status_strip.h"

using namespace headscope;

/// The parts by object name: statusStep, statusOf, statusState, statusFacts, statusHint.
class TestStatusStrip : public QObject {
    Q_OBJECT
private slots:
    void saysWhatToDoWhereNothingRuns() {
        Replay replay;
        StatusStrip strip(replay);
        QCOMPARE(text(strip, "statusState"), QStringLiteral("no run yet"));
        QVERIFY(text(strip, "statusHint").contains(QStringLiteral("Press Start")));
    }

    void states_data() {
        QTest::addColumn<RunState>("state");
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("hint");
        QTest::newRow("running") << RunState::Running << "live"
                                 << "";
        QTest::newRow("paused") << RunState::Paused << "paused"
                                << "Space";
        QTest::newRow("finished") << RunState::Finished << "finished"
                                  << "compare";
        QTest::newRow("diverged") << RunState::Diverged << "diverged at step 130"
                                  << "lower the learning rate";
        QTest::newRow("failed") << RunState::Failed << "failed"
                                << "failed: no memory. Press Restart";
    }

    void states() {
        QFETCH(RunState, state);
        QFETCH(QString, word);
        QFETCH(QString, hint);
        Replay replay;
        StatusStrip strip(replay);
        strip.showUpdate(update(state, 130));
        QCOMPARE(text(strip, "statusState"), word);
        QVERIFY2(text(strip, "statusHint").contains(hint), qPrintable(text(strip, "statusHint")));
    }

    void countsStepsAndEpochs() {
        Replay replay;
        StatusStrip strip(replay);
        strip.showUpdate(update(RunState::Running, 0));
        QCOMPARE(text(strip, "statusFacts"), QStringLiteral("epoch 1 of 3"));
        Update later = update(RunState::Running, 240);
        later.points = {{238, 2.f, 0.f}, {239, 0.03125f, 0.75f}};
        strip.showUpdate(later);
        QCOMPARE(text(strip, "statusStep"), QStringLiteral("240"));
        QCOMPARE(text(strip, "statusOf"), QStringLiteral("of 360"));
        QCOMPARE(text(strip, "statusFacts"), QStringLiteral("loss 0.0313 · accuracy 75 % · epoch 3 of 3"));
        strip.showUpdate(update(RunState::Finished, 360));
        QCOMPARE(text(strip, "statusFacts"), QStringLiteral("loss 0.0313 · accuracy 75 % · epoch 3 of 3"));
    }

    void aNewRunForgetsTheLossOfTheOld() {
        Replay replay;
        StatusStrip strip(replay);
        Update first = update(RunState::Running, 1);
        first.points = {{0, 4.f, 0.f}};
        strip.showUpdate(first);
        Update second = update(RunState::Running, 0);
        second.run = 2;
        strip.showUpdate(second);
        QCOMPARE(text(strip, "statusFacts"), QStringLiteral("epoch 1 of 3"));
    }

    void aRefusalStaysUntilTheStateChanges() {
        Replay replay;
        StatusStrip strip(replay);
        strip.showUpdate(update(RunState::Running, 1));
        strip.showRefusal(QStringLiteral("batch_size is 0"));
        strip.showUpdate(update(RunState::Running, 2));
        QCOMPARE(text(strip, "statusHint"), QStringLiteral("batch_size is 0"));
        strip.showUpdate(update(RunState::Paused, 2));
        QVERIFY(text(strip, "statusHint") != QStringLiteral("batch_size is 0"));
    }

    void figuresDoNotJitter() {
        QCOMPARE(FigureLabel(QStringLiteral("111")).sizeHint(),
                 FigureLabel(QStringLiteral("808")).sizeHint());
        QVERIFY(FigureLabel(QStringLiteral("1111")).sizeHint().width() >
                FigureLabel(QStringLiteral("888")).sizeHint().width());
    }

private:
    static Update update(RunState state, std::int64_t steps_done) {
        Update u;
        u.run = 1;
        u.state = state;
        u.steps_done = steps_done;
        if (state == RunState::Failed) u.message = "no memory";
        return u;
    }
    static QString text(const StatusStrip& strip, const char* name) {
        return strip.findChild<QLabel*>(QLatin1String(name))->text();
    }
};

QTEST_MAIN(TestStatusStrip)
#include "test_status_strip.moc"
