#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QtTest>

#include "ui/attend_dialog.h"

using namespace headscope;

namespace {

template <typename Widget>
Widget* child(const QWidget& dialog, const char* name) {
    return dialog.findChild<Widget*>(name);
}

}  // namespace

class TestAttendDialog : public QObject {
    Q_OBJECT
private slots:
    void asksForWhatWasTyped() {
        AttendDialog dialog("w.safetensors");
        dialog.show();
        std::vector<int> tokens;
        WeightsHints hints;
        connect(&dialog, &AttendDialog::attendRequested, this, [&](const auto& t, const auto& h) {
            tokens = t;
            hints = h;
        });
        child<QPushButton>(dialog, "attendButton")->click();
        QCOMPARE(tokens, (std::vector<int>{3, 1, 4, 1, 5}));
        QVERIFY(!hints.n_heads && !hints.scale_scores && !hints.positions);
        QVERIFY(dialog.isVisible());

        child<QLineEdit>(dialog, "attendTokens")->setText(" 7,8  9 ");
        child<QSpinBox>(dialog, "attendHeads")->setValue(2);
        child<QComboBox>(dialog, "attendScaling")->setCurrentIndex(2);
        child<QComboBox>(dialog, "attendPositions")->setCurrentIndex(3);
        QTest::keyClick(child<QLineEdit>(dialog, "attendTokens"), Qt::Key_Return);
        QCOMPARE(tokens, (std::vector<int>{7, 8, 9}));
        QCOMPARE(*hints.n_heads, 2);
        QCOMPARE(*hints.scale_scores, false);
        QCOMPARE(*hints.positions, Positions::Rotary);
    }

    void saysWhatIsWrong() {
        AttendDialog dialog("w.safetensors");
        dialog.show();
        QSignalSpy asked(&dialog, &AttendDialog::attendRequested);
        child<QLineEdit>(dialog, "attendTokens")->setText("1 two");
        child<QPushButton>(dialog, "attendButton")->click();
        QCOMPARE(asked.count(), 0);
        auto* message = child<QLabel>(dialog, "attendMessage");
        QVERIFY(message->isVisible());
        QCOMPARE(message->text(), "“two” is no number: tokens are numbers from 0 to V−1.");
        dialog.showProblem("no");
        QCOMPARE(message->text(), "no");
    }
};

QTEST_MAIN(TestAttendDialog)
#include "test_attend_dialog.moc"
