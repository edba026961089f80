#include <QtTest>

#include "app/language.h"
#include "app/lesson_library.h"
#include "engine/training/experiment.h"
#include "ui/sentences.h"

namespace headscope {

class TestLanguage : public QObject {
    Q_OBJECT
private slots:
    void takesTheLanguageOutOfTheWords_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("language");
        QTest::addColumn<QStringList>("left");
        QTest::newRow("not there") << QStringList{"train", "--heads", "2"} << ""
                                   << QStringList{"train", "--heads", "2"};
        QTest::newRow("before a command")
            << QStringList{"--language", "zh_CN", "lessons"} << "zh_CN" << QStringList{"lessons"};
        QTest::newRow("with an equals sign") << QStringList{"train", "--language=en", "--heads", "2"} << "en"
                                             << QStringList{"train", "--heads", "2"};
        QTest::newRow("the last wins")
            << QStringList{"--language", "zh_CN", "--language", "en"} << "en" << QStringList{};
    }
    void takesTheLanguageOutOfTheWords() {
        QFETCH(QStringList, words);
        QTEST(takeLanguage(words), "language");
        QTEST(words, "left");
    }

    void refusesWhatNamesNoLanguage() {
        QStringList words{"lessons", "--language"};
        QVERIFY_EXCEPTION_THROWN(takeLanguage(words), Refusal);
        try {
            languageFor("de");
            QFAIL("de is not spoken");
        } catch (const Refusal& refusal) {
            QCOMPARE(refusal.what(), "--language is 'de': it must be one of en, zh_CN");
        }
    }

    void followsTheSystem_data() {
        QTest::addColumn<QByteArray>("system");
        QTest::addColumn<QString>("language");
        QTest::newRow("Chinese") << QByteArray("zh_CN.UTF-8") << "zh_CN";
        QTest::newRow("Chinese elsewhere") << QByteArray("zh_SG.UTF-8") << "zh_CN";
        QTest::newRow("English") << QByteArray("en_GB.UTF-8") << "en";
        QTest::newRow("not spoken") << QByteArray("fr_FR.UTF-8") << "en";
    }
    void followsTheSystem() {
        QFETCH(QByteArray, system);
        const QByteArray before = qgetenv("LC_ALL");
        qputenv("LC_ALL", system);
        const QString language = languageFor({});
        qputenv("LC_ALL", before);
        QTEST(language, "language");
    }

    void speaksItAsLongAsTheTranslationLives() {
        Experiment experiment;
        experiment.model.n_heads = 5;
        const auto said = [&] { return sentence(problems(experiment).front().refusal); };
        const QString english = said();
        QCOMPARE(english, "n_heads 5 does not divide d_model 32");
        {
            const Translation chinese("zh_CN");
            QCOMPARE(said(), "n_heads 5 不能整除 d_model 32");
        }
        QCOMPARE(said(), english);
    }

    void theNewestTranslationIsSpoken() {
        const Refusal refusal("there is no run to probe");
        const Translation chinese("zh_CN");
        const QString said = sentence(refusal);
        QVERIFY(said != "there is no run to probe");
        {
            const Translation english("en");
            QCOMPARE(sentence(refusal), "there is no run to probe");
        }
        QCOMPARE(sentence(refusal), said);
    }

    void translatesTheNamesInsideASentence() {
        const Translation chinese("zh_CN");
        QCOMPARE(sentence(Refusal("%1 is %2: it must be from %3 to %4", {"probe token", "70", "0", "63"})),
                 "探针词元 为 70：必须在 0 到 63 之间");
    }

    void staysEnglishWhereThereIsNoTranslation() {
        const Translation missing("xx_XX");
        QCOMPARE(sentence(Refusal("there is no run to probe")), "there is no run to probe");
    }

    void tellsTheLessonsInEachLanguage() {
        QCOMPARE(builtInLessons("en").front().title, "Four heads learn to copy");
        QCOMPARE(builtInLessons("zh_CN").front().title, "四个注意力头学会复制");
    }
};

}  // namespace headscope

QTEST_GUILESS_MAIN(headscope::TestLanguage)
#include "test_language.moc"
