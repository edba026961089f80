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
        try {
            parseLesson(json.toUtf8(), "tiny.json", "en");
            QFAIL("not refused");
        } catch (const Refusal& refusal) {
            QCOMPARE(QString::fromUtf8(refusal.what()), sentence);
        }
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
        try {
            parseLesson(json.toUtf8(), "tiny.json", "en");
            QFAIL("not refused");
        } catch (const Refusal& refusal) {
            const QString sentence = QString::fromUtf8(refusal.what());
            QVERIFY2(sentence.contains("tiny.json") && sentence.contains(named), qPrintable(sentence));
        }
    }

    void whatIsBroughtAlong() {
        const std::vector<Lesson> english = builtInLessons("en");
        const std::vector<Lesson> chinese = builtInLessons("zh");
        QCOMPARE(english.size(), 3u);
        QCOMPARE(english[0].id, "copy");
        QVERIFY(english[0].experiment == Experiment{});
        QCOMPARE(english[0].pace, 60.0);
        QCOMPARE(english[1].id, "scaling-stall");
        QVERIFY(english[1].experiment.task == Task::PrefixCopy);
        QCOMPARE(english[1].experiment.model.d_head(), 128);
        QCOMPARE(english[1].experiment.token_std, 1.0);
        QCOMPARE(english[2].id, "how-many-heads");
        QVERIFY(english[2].experiment.task == Task::LagCopy);
        QVERIFY(english[2].experiment.model.positions == Positions::Learned);
        QCOMPARE(english[2].experiment.position_std, 1.0);
        const QRegularExpression han(QStringLiteral("\\p{Han}"));
        for (std::size_t i = 0; i < english.size(); ++i) {
            for (const QString& text : {english[i].title, english[i].story, english[i].lookFor})
                QVERIFY2(!text.contains(han), qPrintable(text));
            for (const QString& text : {chinese[i].title, chinese[i].story, chinese[i].lookFor})
                QVERIFY2(text.contains(han), qPrintable(text));
            QVERIFY(chinese[i].experiment == english[i].experiment);
        }
    }
};

QTEST_APPLESS_MAIN(TestLessonLibrary)
#include "test_lesson_library.moc"
