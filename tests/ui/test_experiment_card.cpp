#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest>

#include "ui/experiment_card.h"
#include "ui/tick_slider.h"

using namespace headscope;

/// The controls by object name: taskChoice, lagsField, contextField, vocabularyField, dModelField,
/// batchField, seedField, stepsField, learningRateField, learningRateSlider, positionsChoice,
/// positionStdField, tokenStdField; each has a message below it, its name with "Message".
class TestExperimentCard : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_card = std::make_unique<ExperimentCard>();
        m_edited.clear();
        connect(m_card.get(), &ExperimentCard::edited, this,
                [this](const Experiment& e) { m_edited.push_back(e); });
        m_card->show();
    }

    void cleanup() { m_card.reset(); }

    void showsTheLessonAtFirst() {
        QCOMPARE(edit("contextField")->text(), QStringLiteral("12"));
        QCOMPARE(edit("learningRateField")->text(), QStringLiteral("0.005"));
        QCOMPARE(choice("taskChoice")->currentText(), QStringLiteral("repeat"));
    }

    void everyFieldChangesItsOwnMember_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::addColumn<Experiment>("wanted");
        const auto row = [](const char* name, const char* text, auto change) {
            Experiment e;
            change(e);
            QTest::newRow(name) << name << text << e;
        };
        row("contextField", "24", [](Experiment& e) { e.model.context_length = 24; });
        row("vocabularyField", "100", [](Experiment& e) { e.model.vocab_size = 100; });
        row("dModelField", "64", [](Experiment& e) { e.model.d_model = 64; });
        row("batchField", "8", [](Experiment& e) { e.batch_size = 8; });
        row("seedField", "18446744073709551615", [](Experiment& e) { e.seed = ~std::uint64_t(0); });
        row("stepsField", "1000", [](Experiment& e) { e.steps = 1000; });
        row("learningRateField", "2e-4", [](Experiment& e) { e.learning_rate = 2e-4; });
        row("tokenStdField", " 1.5 ", [](Experiment& e) { e.token_std = 1.5; });
    }

    void everyFieldChangesItsOwnMember() {
        QFETCH(QString, name);
        QFETCH(QString, text);
        QFETCH(Experiment, wanted);
        type(name, text);
        QCOMPARE(m_edited.size(), 1u);
        QVERIFY(m_edited[0] == wanted);
        QVERIFY(message(name).isEmpty());
    }

    void nothingIsSaidBeforeTheEditingIsFinished() {
        edit("contextField")->setFocus();
        edit("contextField")->selectAll();
        QTest::keyClicks(edit("contextField"), "24");
        QCOMPARE(m_edited.size(), 0u);
        QTest::keyClick(edit("contextField"), Qt::Key_Enter);
        QCOMPARE(m_edited.size(), 1u);
        QTest::keyClick(edit("contextField"), Qt::Key_Enter);
        QCOMPARE(m_edited.size(), 1u);
    }

    void whatCannotBeRunIsKeptWithTheReasonBelow_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("reason");
        QTest::newRow("word") << "contextField"
                              << "many"
                              << "“many” is not a whole number that fits here";
        QTest::newRow("fraction") << "batchField"
                                  << "1.5"
                                  << "“1.5” is not a whole number that fits here";
        QTest::newRow("zero") << "batchField"
                              << "0"
                              << "batch_size is 0: it must be from 1 to 4096";
        QTest::newRow("negative") << "dModelField"
                                  << "-8"
                                  << "d_model is -8: it must be from 1 to 4096";
        QTest::newRow("odd") << "dModelField"
                             << "9"
                             << "d_model 9 is odd: sinusoidal positions need an even one";
        QTest::newRow("infinite") << "learningRateField"
                                  << "inf"
                                  << "learning rate inf is not a positive finite number";
        QTest::newRow("empty") << "seedField"
                               << ""
                               << "“” is not a whole number that fits here";
        QTest::newRow("no number") << "tokenStdField"
                                   << "0,5"
                                   << "“0,5” is not a number";
    }

    void whatCannotBeRunIsKeptWithTheReasonBelow() {
        QFETCH(QString, name);
        QFETCH(QString, text);
        QFETCH(QString, reason);
        type(name, text);
        QCOMPARE(m_edited.size(), 0u);
        QCOMPARE(message(name), reason);
        QCOMPARE(edit(name)->text(), text);
        QVERIFY(edit(name)->property("invalid").toBool());

        // Another field waits until all can be run, and both then come at once.
        type("stepsField", "50");
        QCOMPARE(m_edited.size(), 0u);
        QCOMPARE(message(name), reason);
        QTest::keyClick(edit(name), Qt::Key_Escape);
        QVERIFY(message(name).isEmpty());
        QVERIFY(!edit(name)->property("invalid").toBool());
        type("stepsField", "50");
        Experiment wanted;
        wanted.steps = 50;
        QCOMPARE(m_edited.size(), 1u);
        QVERIFY(m_edited[0] == wanted);
    }

    void aFieldThatFitsNoTaskWaitsForItsPair() {
        Experiment e;
        e.model.vocab_size = 60;
        m_card->setExperiment(e);
        choose("taskChoice", int(Task::LagCopy));
        QCOMPARE(m_edited.size(), 0u);
        QCOMPARE(
            message("vocabularyField"),
            QStringLiteral("vocabulary 60 has no whole root of degree 3, which copying at 3 lags needs"));
        type("vocabularyField", "27");
        QCOMPARE(m_edited.size(), 1u);
        QCOMPARE(m_edited[0].task, Task::LagCopy);
        QCOMPARE(m_edited[0].model.vocab_size, 27);
        QVERIFY(message("vocabularyField").isEmpty());
    }

    void lagsAreThereForLagCopyOnly() {
        QVERIFY(edit("lagsField")->isHidden());
        choose("taskChoice", int(Task::LagCopy));
        QVERIFY(!edit("lagsField")->isHidden());
        type("lagsField", "2 5");
        QCOMPARE(m_edited.back().lags, (std::vector<int>{2, 5}));
        type("lagsField", "2, x");
        QCOMPARE(message("lagsField"), QStringLiteral("“2, x” is no list of whole numbers, such as 1, 4, 7"));
        choose("taskChoice", int(Task::Repeat));  // what is out of sight does not hinder
        QCOMPARE(m_edited.back().task, Task::Repeat);
        QCOMPARE(m_edited.back().lags, (std::vector<int>{2, 5}));
    }

    void thePositionsSpreadIsThereForLearnedOnesOnly() {
        QVERIFY(edit("positionStdField")->isHidden());
        choose("positionsChoice", int(Positions::Learned));
        QCOMPARE(m_edited.back().model.positions, Positions::Learned);
        QVERIFY(!edit("positionStdField")->isHidden());
        type("positionStdField", "1");
        QCOMPARE(m_edited.back().position_std, 1.0);
    }

    void aWidthThatTheHeadsDoNotDivideTakesTheNextFewerHeads() {
        type("dModelField", "30");
        QCOMPARE(m_edited.size(), 1u);
        QCOMPARE(m_edited[0].model.n_heads, 3);
        QCOMPARE(message("dModelField"), QStringLiteral("4 heads do not divide 30: now 3"));
        QVERIFY(!edit("dModelField")->property("invalid").toBool());
    }

    void theRateSliderAndItsFieldSayTheSame() {
        auto* slider = m_card->findChild<TickSlider*>("learningRateSlider");
        QTest::mousePress(slider, Qt::LeftButton, {}, slider->placeOf(40));
        QCOMPARE(edit("learningRateField")->text(), QStringLiteral("0.001"));
        QCOMPARE(m_edited.size(), 0u);
        QTest::mouseRelease(slider, Qt::LeftButton, {}, slider->placeOf(40));
        QCOMPARE(m_edited.size(), 1u);
        QCOMPARE(m_edited[0].learning_rate, 1e-3);
        type("learningRateField", "0.1");
        QCOMPARE(slider->value(), 80);
    }

    void anotherExperimentLeavesWhatIsBeingTyped() {
        type("vocabularyField", "none");
        Experiment e;
        e.model.n_heads = 8;
        e.steps = 77;
        m_card->setExperiment(e);
        QCOMPARE(edit("vocabularyField")->text(), QStringLiteral("none"));
        QCOMPARE(edit("stepsField")->text(), QStringLiteral("77"));
        m_card->reset(e);
        QCOMPARE(edit("vocabularyField")->text(), QStringLiteral("64"));
        QVERIFY(message("vocabularyField").isEmpty());
        QCOMPARE(m_edited.size(), 0u);
    }

    // 32 heads of d_head 1: pairs cannot be turned.
    void rotaryPositionsTakeHeadsOfAnEvenWidth() {
        Experiment e;
        e.model.n_heads = 32;
        m_card->setExperiment(e);
        choose("positionsChoice", int(Positions::Rotary));
        QVERIFY(m_edited.back().model.positions == Positions::Rotary);
        QCOMPARE(m_edited.back().model.n_heads, 16);
        QCOMPARE(message("positionsChoice"), "rotary positions need an even d_head: now 16 heads");
    }

    void noHeadsSuitRotaryPositionsInAnOddWidth() {
        Experiment e;
        e.model.positions = Positions::None;
        e.model.d_model = 9;
        e.model.n_heads = 3;
        m_card->setExperiment(e);
        choose("positionsChoice", int(Positions::Rotary));
        QVERIFY(m_edited.back().model.positions == Positions::Learned);  // passed on the way
        QCOMPARE(message("positionsChoice"), "d_head 9 is odd: rotary positions need an even one");
    }

private:
    QLineEdit* edit(const QString& name) const { return m_card->findChild<QLineEdit*>(name); }
    QComboBox* choice(const QString& name) const { return m_card->findChild<QComboBox*>(name); }
    QString message(const QString& name) const {
        const auto* label = m_card->findChild<QLabel*>(name + "Message");
        return label->isHidden() ? QString() : label->text();
    }
    void type(const QString& name, const QString& text) {
        edit(name)->selectAll();
        QTest::keyClick(edit(name), Qt::Key_Delete);
        QTest::keyClicks(edit(name), text);
        QTest::keyClick(edit(name), Qt::Key_Return);
    }
    void choose(const QString& name, int index) {
        choice(name)->setFocus();
        const bool last = index == choice(name)->count() - 1;  // without passing what lies between
        QTest::keyClick(choice(name), last ? Qt::Key_End : Qt::Key_Home);
        if (!last)
            for (int i = 0; i < index; ++i) QTest::keyClick(choice(name), Qt::Key_Down);
        QCOMPARE(choice(name)->currentIndex(), index);
    }

    std::unique_ptr<ExperimentCard> m_card;
    std::vector<Experiment> m_edited;
};

QTEST_MAIN(TestExperimentCard)
#include "test_experiment_card.moc"
