#include <QDir>
#include <QRegularExpression>
#include <QtTest>

/// What the pages for people say must be true of the repository.
class TestDocuments : public QObject {
    Q_OBJECT
private slots:
    void everyLinkLeadsSomewhere() {
        static const QRegularExpression link(QStringLiteral("\\]\\(([^)#:]+)\\)"));
        int links = 0;
        for (const QString& page : pages())
            for (auto all = link.globalMatch(read(page)); all.hasNext(); ++links) {
                const QString to = all.next().captured(1);
                const QDir folder = QFileInfo(top().filePath(page)).dir();
                QVERIFY2(folder.exists(to), qPrintable(page + " links to " + to));
            }
        QVERIFY(links > 10);
    }

    void everyFileNamedInCodeTypeIsThere() {
        static const QRegularExpression name(
            QStringLiteral("`((?:app|ui|engine|tests|resources)/[\\w/.-]+\\.(?:h|cpp|sh|qrc|md))`"));
        int names = 0;
        for (const QString& page : pages())
            for (auto all = name.globalMatch(read(page)); all.hasNext(); ++names) {
                const QString file = all.next().captured(1);
                QVERIFY2(top().exists(file), qPrintable(page + " names " + file));
            }
        QVERIFY(names > 5);
    }

    void theReadmeTellsEveryLesson() {
        const QString readme = read("README.md");
        const QStringList lessons = QDir(top().filePath("resources/lessons")).entryList({"*.json"});
        QVERIFY(lessons.size() >= 7);
        for (const QString& lesson : lessons) {
            const QString id = QFileInfo(lesson).baseName();
            QVERIFY2(readme.contains("| `" + id + "` |"), qPrintable(id));
            QVERIFY2(readme.contains("resources/screenshots/lesson-" + id + ".png"), qPrintable(id));
        }
    }

    void theyAllTellThisVersion() {
        QVERIFY(read("resources/docs/changelog.md").contains("\n## " HEADSCOPE_VERSION "\n"));
        QVERIFY(read("resources/docs/CITATION.cff").contains("\nversion: " HEADSCOPE_VERSION "\n"));
        QVERIFY(read("README.md").contains("Version " HEADSCOPE_VERSION ", "));
    }

private:
    static QDir top() { return QDir(QStringLiteral(HEADSCOPE_SOURCE_DIR)); }

    static QStringList pages() {
        QStringList pages{"README.md"};
        for (const QString& page : QDir(top().filePath("resources/docs")).entryList({"*.md"}))
            pages += "resources/docs/" + page;
        return pages;
    }

    static QString read(const QString& page) {
        QFile file(top().filePath(page));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
};

QTEST_APPLESS_MAIN(TestDocuments)
#include "test_documents.moc"
