#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

#include "tests/ui/snapshots.h"
#include "ui/probe_card.h"
#include "ui/segmented_control.h"
#include "ui/token_strip.h"

using namespace headscope;

/// By object name: probeRow, probeValues, probeTokens, probeTokensMessage, probeRandom, tokenStrip,
/// rippleToken, rippleMessage, rippleClear.
class TestProbeCard : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_card = std::make_unique<ProbeCard>();
        m_asked.clear();
        connect(m_card.get(), &ProbeCard::probeRequested, this,
                [this](const Probe& probe) { m_asked.push_back(probe); });
        Experiment experiment;
        experiment.model.vocab_size = 16;
        experiment.model.context_length = 4;
        m_card->setProbe(experiment, {});
        m_card->resize(500, 200);
        m_card->show();
    }
    void cleanup() { m_card.reset(); }

    void tokensAreEditedInPlace() {
        type("probeTokens", "3, 1 4 15");
        QCOMPARE(m_asked.size(), std::size_t{1});
        QVERIFY(m_asked[0].tokens == (std::vector<int>{3, 1, 4, 15}));
        QCOMPARE(m_asked[0].row, 0);
        QVERIFY(!find<QLabel>("probeTokensMessage")->isVisible());
        type("probeTokens", "3 1 4 15");  // the same: nothing to ask
        QCOMPARE(m_asked.size(), std::size_t{1});
    }

    void saysWhoseTokensTheseAre() {
        const auto* note = find<QLabel>("cardNote");
        QCOMPARE(note->text(), "tokens and answers: row 1 of them");
        find<QComboBox>("probeRow")->setCurrentIndex(3);
        QVERIFY(!note->isVisible());
        type("probeTokens", "3 1 4 15");
        QCOMPARE(note->text(), "row 1 as edited");
    }

    void whatCannotBeProbedIsRefusedBesideTheField_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("reason");
        QTest::newRow("vocabulary") << "3 1 4 16"
                                    << "16";
        QTest::newRow("negative") << "3 1 4 -1"
                                  << "-1";
        QTest::newRow("length") << "3 1 4"
                                << "3 probe tokens for a context length of 4";
        QTest::newRow("none") << ""
                              << "0 probe tokens for a context length of 4";
        QTest::newRow("word") << "3 1 4 x"
                              << "x is no token";
    }

    void whatCannotBeProbedIsRefusedBesideTheField() {
        QFETCH(QString, typed);
        QFETCH(QString, reason);
        type("probeTokens", typed);
        QVERIFY(m_asked.empty());
        const auto* message = find<QLabel>("probeTokensMessage");
        QVERIFY(message->isVisible());
        QVERIFY2(message->text().contains(reason), qPrintable(message->text()));
        QCOMPARE(find<QLineEdit>("probeTokens")->text(), typed);
        QVERIFY(find<QLineEdit>("probeTokens")->property("invalid").toBool());
    }

    void aDrawnRowIsOneOfTheTask() {
        QTest::mouseClick(find<QPushButton>("probeRandom"), Qt::LeftButton);
        QVERIFY(m_asked.size() <= 1);
        // repeat: one token, repeated
        const QStringList words = find<QLineEdit>("probeTokens")->text().split(' ');
        QCOMPARE(words.size(), 4);
        QCOMPARE(words.count(words.front()), 4);
    }

    void oneRowOrTheMean() {
        auto* row = find<QComboBox>("probeRow");
        QCOMPARE(row->currentText(), QStringLiteral("mean of 32 rows"));
        row->setCurrentIndex(6);
        QCOMPARE(m_asked.back().row, 5);
        row->setCurrentIndex(0);
        QCOMPARE(m_asked.back().row, Probe::kMeanOfRows);
    }

    void rippleLightsNothingToTheLeft() {
        auto* strip = find<TokenStrip>("tokenStrip");
        m_card->showSnapshot(probed());
        QVERIFY(strip->lit().empty());
        QTest::mouseClick(strip, Qt::LeftButton, {}, strip->cellRect(2).center().toPoint());
        type("rippleToken", "7");
        QVERIFY(m_asked.back().ripple == (Ripple{2, 7}));
        auto rippled = probed();
        rippled->probe = m_asked.back();
        rippled->ripple = {0, 0, 0.5f, 0.25f};
        m_card->showSnapshot(rippled);
        QCOMPARE(strip->lit(), (std::vector<int>{2, 3}));
        const QImage image = strip->grab().toImage();
        const auto ground = [&](int t) {
            const QRectF cell = strip->cellRect(t);
            return image.pixelColor(int(cell.center().x()), int(cell.top()) + 4);
        };
        QCOMPARE(ground(0), ground(1));
        QVERIFY(ground(2) != ground(1));
        QVERIFY(ground(3) != ground(1));
        QVERIFY(ground(3) != ground(2));
        QTest::mouseClick(find<QPushButton>("rippleClear"), Qt::LeftButton);
        QVERIFY(!m_asked.back().ripple);
    }

    void anInvalidRippleIsRefused() {
        m_card->showSnapshot(probed());
        type("rippleToken", "16");
        QVERIFY(m_asked.empty());
        QVERIFY(find<QLabel>("rippleMessage")->isVisible());
        QVERIFY(find<QLabel>("rippleMessage")->text().contains(QStringLiteral("16")));
    }

    void saysWhatIsPredicted() {
        m_card->showSnapshot(probed());
        const QString text = find<TokenStrip>("tokenStrip")->description();
        QVERIFY(text.contains(QStringLiteral("position 1: token 11, answer 3 with probability 0.250")));
        QCOMPARE(find<QLineEdit>("probeTokens")->text(), QStringLiteral("10 11 12 13"));
    }

    void scoresOrWeights() {
        QSignalSpy chosen(m_card.get(), &ProbeCard::scoresChosen);
        find<SegmentedControl>("probeValues")->button(1)->click();
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.front().front().toBool(), true);
    }

private:
    static std::shared_ptr<Snapshot> probed() {
        auto snapshot = uniformSnapshot(1, 4);
        snapshot->predicted = {1, 3, 5, 7};
        snapshot->predicted_probability = {0.5f, 0.25f, 0.125f, 1.f};
        return snapshot;
    }
    template <class Widget>
    Widget* find(const char* name) const {
        return m_card->findChild<Widget*>(QLatin1String(name));
    }
    void type(const char* name, const QString& text) {
        auto* field = find<QLineEdit>(name);
        field->setFocus();
        field->selectAll();
        QTest::keyClick(field, Qt::Key_Delete);
        QTest::keyClicks(field, text);
        QTest::keyClick(field, Qt::Key_Return);
    }

    std::unique_ptr<ProbeCard> m_card;
    std::vector<Probe> m_asked;
};

QTEST_MAIN(TestProbeCard)
#include "test_probe_card.moc"
