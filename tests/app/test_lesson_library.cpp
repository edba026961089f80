#include <QtTest>

#include "app/lesson_library.h"
#include "engine/numeric/refusal.h"

using namespace headscope;

namespace {

const char kLesson[] = R"({
    "id": "tiny",
    "title": {"en": "Tiny", "zh": "小"},
    "story": {"en": "A story.", "zh": "故事。"},
    "look_for": {"en": "Look.", "zh": "看。"},
    "pace": 5,
    "experiment": {"task": "repeat", "n_heads": 8, "steps": 12}
})";

/// The lesson with more keys.
QByteArray withKeys(const QByteArray& keys) {
    QByteArray json = kLesson;
    return json.insert(json.lastIndexOf('}'), ", " + keys);
}

/// Empty where it is not refused.
QString refusalOf(const QByteArray& json) {
    try {
        parseLesson(json, "tiny.json", "en");
    } catch (const Refusal& refusal) {
        return QString::fromUtf8(refusal.what());
    }
    return {};
}

}  // namespace

class TestLessonLibrary : public QObject {
    Q_OBJECT
private slots:
    void aLessonInBothLanguages() {
        const Lesson english = parseLesson(kLesson, "tiny.json", "en");
        QCOMPARE(english.id, "tiny");
        QCOMPARE(english.title, "Tiny");
        QCOMPARE(english.story, "A story.");
        QCOMPARE(english.lookFor, "Look.");
        QCOMPARE(english.pace, 5.0);
        Experiment expected;
        expected.model.n_heads = 8;
        expected.steps = 12;
        QVERIFY(english.experiment == expected);
        const Lesson chinese = parseLesson(kLesson, "tiny.json", "zh");
        QCOMPARE(chinese.title, "小");
        QCOMPARE(chinese.story, "故事。");
        QCOMPARE(chinese.lookFor, "看。");
    }

    void refusals_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* from, const char* to, const char* sentence) {
            QTest::newRow(sentence) << QString(from) << QString(to) << QString(sentence);
        };
        row("\"pace\": 5", "\"peace\": 5", "tiny.json has no key 'pace'");
        row("\"pace\": 5", "\"pace\": 0", "tiny.json: 'pace' is not a positive number");
        row("\"pace\": 5", "\"pace\": \"fast\"", "tiny.json: 'pace' is not a positive number");
        row("\"pace\": 5", "\"pace\": 5, \"color\": 1", "tiny.json has an unknown key 'color'");
        row("\"id\": \"tiny\"", "\"id\": \"\"", "tiny.json: 'id' is not a text that is not empty");
        row("\"zh\": \"小\"", "\"de\": \"Klein\"", "tiny.json has no key 'title.zh'");
        row("\"zh\": \"小\"", "\"zh\": \"小\", \"de\": \"Klein\"", "tiny.json has an unknown key 'title.de'");
        row("{\"en\": \"Look.\", \"zh\": \"看。\"}", "[]", "tiny.json: 'look_for' is not an object");
        row("{\"task\": \"repeat\", \"n_heads\": 8, \"steps\": 12}", "4",
            "tiny.json: 'experiment' is not an object");
    }

    void refusals() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, sentence);
        QString json = QString::fromUtf8(kLesson);
        QVERIFY(json.contains(from));
        json.replace(from, to);
        QCOMPARE(refusalOf(json.toUtf8()), sentence);
    }

    void aBadExperimentNamesFileAndKey_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("named");
        QTest::newRow("unknown key") << "\"n_heads\": 8"
                                     << "\"heads\": 8"
                                     << "heads";
        QTest::newRow("bad value") << "\"n_heads\": 8"
                                   << "\"n_heads\": 5"
                                   << "n_heads";
        QTest::newRow("bad task") << "\"repeat\""
                                  << "\"sort\""
                                  << "task";
    }

    void aBadExperimentNamesFileAndKey() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, named);
        const QString json = QString::fromUtf8(kLesson).replace(from, to);
        const QString refusal = refusalOf(json.toUtf8());
        QVERIFY2(refusal.contains("tiny.json") && refusal.contains(named), qPrintable(refusal));
    }

    void whatALessonSetsUpBeyondItsExperiment() {
        const Lesson plain = parseLesson(kLesson, "tiny.json", "en");
        QVERIFY(!plain.twin);
        QVERIFY(plain.probe == Probe{});
        QVERIFY(plain.panel == LessonPanel::None);
        const Lesson lesson = parseLesson(withKeys(R"("twin": {"n_heads": 4, "scale_scores": false},
            "ripple": {"position": 3, "token": 40}, "panel": "masked-rows")"),
                                          "tiny.json", "en");
        Experiment twin = lesson.experiment;
        twin.model.n_heads = 4;
        twin.model.scale_scores = false;
        QVERIFY(lesson.twin == twin);
        QCOMPARE(lesson.probe.row, 0);
        QVERIFY(lesson.probe.ripple == (Ripple{3, 40}));
        QVERIFY(lesson.panel == LessonPanel::MaskedRows);
        QVERIFY(parseLesson(withKeys(R"("panel": "fused-qkv")"), "tiny.json", "en").panel ==
                LessonPanel::FusedQkv);
    }

    void whatItCannotSetUp_data() {
        QTest::addColumn<QString>("keys");
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* keys, const char* sentence) {
            QTest::newRow(keys) << QString(keys) << QString(sentence);
        };
        row(R"("twin": 8)", "tiny.json: 'twin' is not an object");
        row(R"("twin": {"n_heads": 5})", "tiny.json: in 'twin', n_heads 5 does not divide d_model 32");
        row(R"("twin": {"heads": 4})", "tiny.json: in 'twin', heads is not a member of an experiment");
        row(R"("twin": {"seed": 2})",
            "tiny.json: in 'twin', twins must have the same task, lags, vocabulary, context length, batch "
            "size, seed and steps");
        row(R"("ripple": 3)", "tiny.json: 'ripple' is not an object");
        row(R"("ripple": {"position": 3})", "tiny.json has no key 'ripple.token'");
        row(R"("ripple": {"position": -1, "token": 1})",
            "tiny.json: 'ripple.position' is not a whole number, 0 or more");
        row(R"("ripple": {"position": 1, "token": 1.5})",
            "tiny.json: 'ripple.token' is not a whole number, 0 or more");
        row(R"("ripple": {"position": 1, "token": 1, "row": 1})",
            "tiny.json has an unknown key 'ripple.row'");
        row(R"("panel": "kitchen")", "tiny.json: 'panel' is not fused-qkv or masked-rows");
    }

    void whatItCannotSetUp() {
        QFETCH(QString, keys);
        QFETCH(QString, sentence);
        QCOMPARE(refusalOf(withKeys(keys.toUtf8())), sentence);
    }

    void aRippleOutsideTheRowNamesFileAndKey() {
        for (const char* keys :
             {R"("ripple": {"position": 12, "token": 1})", R"("ripple": {"position": 1, "token": 64})"})
            QVERIFY(refusalOf(withKeys(keys)).startsWith("tiny.json: in 'ripple', "));
    }

    void whatIsBroughtAlong() {
        const std::vector<Lesson> english = builtInLessons("en");
        const std::vector<Lesson> chinese = builtInLessons("zh");
        QStringList ids;
        for (const Lesson& lesson : english) ids += lesson.id;
        QCOMPARE(ids, (QStringList{"copy", "four-or-eight", "scaling-stall", "how-many-heads", "causality",
                                   "fused-qkv", "masked-rows"}));
        QVERIFY(english[0].experiment == Experiment{});
        QCOMPARE(english[0].pace, 60.0);
        const QRegularExpression han(QStringLiteral("\\p{Han}"));
        for (std::size_t i = 0; i < english.size(); ++i) {
            for (const QString& text : {english[i].title, english[i].story, english[i].lookFor})
                QVERIFY2(!text.contains(han), qPrintable(text));
            for (const QString& text : {chinese[i].title, chinese[i].story, chinese[i].lookFor})
                QVERIFY2(text.contains(han), qPrintable(text));
            QVERIFY(chinese[i].experiment == english[i].experiment);
            QVERIFY(chinese[i].twin == english[i].twin);
        }
    }
};

QTEST_APPLESS_MAIN(TestLessonLibrary)
#include "test_lesson_library.moc"
