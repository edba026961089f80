#include <QtTest>

#include "app/panel_json.h"

using namespace headscope;

class TestPanelJson : public QObject {
    Q_OBJECT
private slots:
    void whatIsWrittenIsRead() {
        PanelState state;
        QVERIFY(panelFromJson(toJson(state)) == state);
        state.lesson = QStringLiteral("copy");
        state.pace = kUnlimitedPace;
        state.shows_scores = state.carries_on = state.probe_card = true;
        state.controls = false;
        state.colormap = Colormap::Cividis;
        state.folded = {"headsCard", "shapesCard"};
        QVERIFY(panelFromJson(toJson(state)) == state);
    }

    void whatIsNotThereIsAsAtFirst() {
        QVERIFY(panelFromJson("") == PanelState{});
        QVERIFY(panelFromJson("{}") == PanelState{});
        PanelState slow;
        slow.pace = 1;
        QVERIFY(panelFromJson(R"({"pace": 1, "unknown": []})") == slow);
    }

    void whatCannotBeIsRefused_data() {
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* json, const char* reason) { QTest::newRow(json) << QString(reason); };
        row("[]", "what the session says of the window is no JSON object");
        row("{", "what the session says of the window is no JSON object");
        for (const char* json : {R"({"pace": 0})", R"({"pace": -1})", R"({"pace": "fast"})"})
            row(json, "what the session says of the window has no valid 'pace'");
        row(R"({"lesson": 1})", "what the session says of the window has no valid 'lesson'");
        row(R"({"colormap": "jet"})", "what the session says of the window has no valid 'colormap'");
        row(R"({"controls": 1})", "what the session says of the window has no valid 'controls'");
        row(R"({"folded": "all"})", "what the session says of the window has no valid 'folded'");
    }

    void whatCannotBeIsRefused() {
        QFETCH(QString, reason);
        try {
            panelFromJson(QTest::currentDataTag());
            QFAIL("it is read");
        } catch (const Refusal& refusal) {
            QCOMPARE(QString::fromUtf8(refusal.what()), reason);
        }
    }
};

QTEST_APPLESS_MAIN(TestPanelJson)
#include "test_panel_json.moc"
