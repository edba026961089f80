#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include "app/settings.h"

using namespace headscope;

class TestSettings : public QObject {
    Q_OBJECT
private slots:
    void init() {
        m_place = std::make_unique<QTemporaryDir>();
        QVERIFY(m_place->isValid());
        m_warnings.clear();
    }

    void testsNeverTouchTheUsersOwn() {
        const QString home = QStringLiteral(HEADSCOPE_TEST_HOME);
        QVERIFY2(Settings::standardFile().startsWith(home + '/'), qPrintable(Settings::standardFile()));
        for (const auto place : {QStandardPaths::ConfigLocation, QStandardPaths::GenericDataLocation,
                                 QStandardPaths::GenericCacheLocation})
            QVERIFY2(QStandardPaths::writableLocation(place).startsWith(home + '/'),
                     qPrintable(QStandardPaths::writableLocation(place)));
    }

    void everyRowHasItsFallback() {
        const Settings settings = open();
        everyFallbackOf(settings);
        QCOMPARE(settings.value(setting::kLanguage), QString());
        QCOMPARE(settings.value(setting::kLesson), QString());
        QCOMPARE(m_warnings, QStringList());
    }

    void everyRowComesBackAsItWas() {
        Experiment experiment;
        experiment.model.n_heads = 8;
        experiment.learning_rate = 0.1 + 0.2;
        const QByteArray bytes("\0\xff,=\n\"", 6);
        const QStringList files{"/a, b", "@c", "", "/\u4e2d\u6587 %1", "/d;e\\\"\n"};
        {
            Settings settings = open();
            settings.setValue(setting::kLayout, bytes);
            settings.setValue(setting::kTheme, ThemeChoice::Dark);
            settings.setValue(setting::kLanguage, QStringLiteral("zh_CN"));
            settings.setValue(setting::kColormap, Colormap::Cividis);
            settings.setValue(setting::kLesson, QStringLiteral("scaling-stall"));
            settings.setValue(setting::kExperiment, std::optional(experiment));
            settings.setValue(setting::kRecentFiles, files);
            settings.setValue(setting::kTourSeen, true);
        }
        const Settings settings = open();
        QCOMPARE(settings.value(setting::kLayout), bytes);
        QVERIFY(settings.value(setting::kTheme) == ThemeChoice::Dark);
        QCOMPARE(settings.value(setting::kLanguage), QStringLiteral("zh_CN"));
        QVERIFY(settings.value(setting::kColormap) == Colormap::Cividis);
        QCOMPARE(settings.value(setting::kLesson), QStringLiteral("scaling-stall"));
        QVERIFY(settings.value(setting::kExperiment) == experiment);
        QCOMPARE(settings.value(setting::kRecentFiles), files);
        QVERIFY(settings.value(setting::kTourSeen));
        QCOMPARE(m_warnings, QStringList());
    }

    void oneFileCanStandOrNone() {
        for (const QStringList& files : {QStringList(), QStringList("/a"), QStringList("/a,b")}) {
            open().setValue(setting::kRecentFiles, files);
            QCOMPARE(open().value(setting::kRecentFiles), files);
        }
    }

    void choicesStandByTheirNames() {
        open().setValue(setting::kTheme, ThemeChoice::Light);
        QFile file(path());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("[view]\ntheme=light\n"));
    }

    void whatCannotBeMeantIsPassedOverWithAWarning_data() {
        QTest::addColumn<QByteArray>("stored");
        QTest::addColumn<QString>("warning");
        const auto row = [](const char* stored, const char* key, const char* value) {
            QTest::newRow(stored)
                << QByteArray(stored)
                << QStringLiteral("the setting %1 in FILE is '%2', which cannot be meant: it is passed over")
                       .arg(QLatin1String(key), QString::fromUtf8(value));
        };
        row("[view]\ntheme=blue\n", "view/theme", "blue");
        row("[view]\ntheme=light, dark\n", "view/theme", "light,dark");
        row("[view]\ntheme=@Invalid()x\n", "view/theme", "@Invalid()x");
        row("[help]\ntour-seen=often\n", "help/tour-seen", "often");
        row("[export]\nwidth=9000\n", "export/width", "9000");
        row("[export]\nwidth=63\n", "export/width", "63");
        row("[export]\ndpi=fine\n", "export/dpi", "fine");
        row("[view]\npalette=\n", "view/palette", "");
        row("[view]\npalette=@Size(3 4)\n", "view/palette", "");
        row("[window]\nlayout=\"%%%\"\n", "window/layout", "%%%");
        row("[run]\nexperiment=\"{\\\"n_heads\\\": 5}\"\n", "run/experiment", "{\"n_heads\": 5}");
        row("[run]\nexperiment=\"{ no json that ends within forty letters or so\"\n", "run/experiment",
            "{ no json that ends within forty letters\u2026");
    }

    void whatCannotBeMeantIsPassedOverWithAWarning() {
        QFETCH(QByteArray, stored);
        QFETCH(QString, warning);
        write(stored);
        everyFallbackOf(open());
        QCOMPARE(m_warnings, QStringList(warning.replace("FILE", path())));
    }

    void aDamagedFileIsSaidAndTheRestHolds() {
        write("[view]\ntheme=dark\n[fil\n=\n");
        QVERIFY(open().value(setting::kTheme) == ThemeChoice::Dark);
        QCOMPARE(m_warnings,
                 QStringList(QStringLiteral("not all of the settings in %1 can be read; those that can hold")
                                 .arg(path())));
    }

    void aPlaceThatCannotBeWrittenIsSaid() {
        QFile taken(m_place->filePath("taken"));
        QVERIFY(taken.open(QIODevice::WriteOnly));
        const QString below = taken.fileName() + "/settings.ini";
        Settings settings(below, [this](const Refusal& refusal) { m_warnings << refusal.what(); });
        QCOMPARE(
            m_warnings,
            QStringList(QStringLiteral("the settings cannot be kept in %1: they hold until the window closes")
                            .arg(below)));
        settings.setValue(setting::kTheme, ThemeChoice::Dark);
        QVERIFY(settings.value(setting::kTheme) == ThemeChoice::Dark);
    }

    void resettingForgetsEverything() {
        {
            Settings settings = open();
            settings.setValue(setting::kTheme, ThemeChoice::Dark);
            settings.setValue(setting::kRecentFiles, QStringList("/a"));
            settings.reset();
            everyFallbackOf(settings);
        }
        everyFallbackOf(open());
        QCOMPARE(m_warnings, QStringList());
    }

    void twoSittingsKeepEachOthersWord() {
        {
            Settings one = open(), other = open();
            one.setValue(setting::kTheme, ThemeChoice::Dark);
            other.setValue(setting::kColormap, Colormap::Grays);
        }
        QVERIFY(open().value(setting::kTheme) == ThemeChoice::Dark);
        QVERIFY(open().value(setting::kColormap) == Colormap::Grays);
    }

private:
    QString path() const { return m_place->filePath("deep/settings.ini"); }

    Settings open() {
        return Settings(path(), [this](const Refusal& refusal) { m_warnings << refusal.what(); });
    }

    void write(const QByteArray& content) {
        QVERIFY(QDir().mkpath(m_place->filePath("deep")));
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(content), content.size());
    }

    static void everyFallbackOf(const Settings& settings) {
        QCOMPARE(settings.value(setting::kLayout), QByteArray());
        QVERIFY(settings.value(setting::kTheme) == ThemeChoice::System);
        QVERIFY(settings.value(setting::kColormap) == Colormap::Viridis);
        QVERIFY(!settings.value(setting::kExperiment));
        QVERIFY(!settings.value(setting::kTourSeen));
        QCOMPARE(settings.value(setting::kExportWidth), 1920);
        QCOMPARE(settings.value(setting::kExportDpi), 144);
        QVERIFY(settings.value(setting::kExportTitles));
        QCOMPARE(settings.value(setting::kRecentFiles), QStringList());
    }

    std::unique_ptr<QTemporaryDir> m_place;
    QStringList m_warnings;
};

QTEST_GUILESS_MAIN(TestSettings)
#include "test_settings.moc"
