#include <QDir>
#include <QDirIterator>
#include <QRegularExpression>
#include <QtTest>

/// Which way includes may point: ui and app stand on engine, app on ui, and inside the engine arrows only go
/// down. Nothing in the engine knows Qt.
namespace {

/// Lower floors of the engine; each may use itself and what it lists.
const QMap<QString, QStringList> kEngineFloors{
    {"numeric", {}},
    {"attention", {"numeric"}},
    {"model", {"attention", "numeric"}},
    {"formats", {"numeric"}},
    {"inspection", {"model", "attention", "numeric"}},
    {"training", {"inspection", "formats", "model", "attention", "numeric"}},
};

/// Why the file may not include this; empty when it may.
QString objection(const QString& file, const QString& include, bool quoted) {
    const QStringList from = file.split(u'/');
    const QStringList to = include.split(u'/');
    const QString room = from[0];
    if (!quoted) {
        const bool qt = include.startsWith(u'q', Qt::CaseInsensitive);
        return qt && room == u"engine" ? QStringLiteral("the engine knows no Qt") : QString();
    }
    if (!QStringList{"engine", "ui", "app", "tests"}.contains(to[0]))
        return QStringLiteral("includes are written from the top folder");
    if (to[0] == u"tests") return QStringLiteral("the program knows no tests");
    if (to[0] == u"app" && room != u"app") return QStringLiteral("only app knows app");
    if (to[0] == u"ui" && room == u"engine") return QStringLiteral("the engine knows no window");
    if (include == u"engine/training/session.h" && room == u"ui")
        return QStringLiteral("widgets know values, never the session");
    if (room == u"engine") {
        if (!kEngineFloors.contains(from[1])) return QStringLiteral("this floor of the engine is not listed");
        if (from[1] != to[1] && !kEngineFloors[from[1]].contains(to[1]))
            return QStringLiteral("arrows inside the engine only go down");
    }
    return {};
}

QStringList objections(const QString& file, const QString& source) {
    static const QRegularExpression include(QStringLiteral("^\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"]"),
                                            QRegularExpression::MultilineOption);
    QStringList found;
    for (auto matches = include.globalMatch(source); matches.hasNext();) {
        const auto match = matches.next();
        const QString why = objection(file, match.captured(2), match.captured(1) == u"\"");
        if (!why.isEmpty()) found += QStringLiteral("%1 includes %2: %3").arg(file, match.captured(2), why);
    }
    return found;
}

}  // namespace

class TestLayering : public QObject {
    Q_OBJECT
private slots:
    void theRules_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("line");
        QTest::addColumn<bool>("allowed");
        const auto row = [](const char* file, const char* line, bool allowed) {
            QTest::addRow("%s %s", file, line) << QString(file) << QString(line) << allowed;
        };
        row("engine/numeric/a.cpp", "#include <vector>", true);
        row("engine/numeric/a.cpp", "#include <Eigen/Core>", true);
        row("engine/numeric/a.cpp", "#include <QString>", false);
        row("engine/numeric/a.cpp", "#include <QtCore/QString>", false);
        row("engine/numeric/a.cpp", "  #  include <qglobal.h>", false);
        row("engine/training/a.h", "#include <qcustomplot.h>", false);
        row("engine/training/a.h", "#include \"ui/theme.h\"", false);
        row("engine/training/a.h", "#include \"app/bridge.h\"", false);
        row("engine/training/a.h", "#include \"engine/model/adam.h\"", true);
        row("engine/model/a.h", "#include \"engine/training/session.h\"", false);
        row("engine/attention/a.h", "#include \"engine/model/adam.h\"", false);
        row("engine/numeric/a.h", "#include \"engine/attention/a.h\"", false);
        row("engine/numeric/a.h", "#include \"matmul.h\"", false);
        row("engine/elsewhere/a.h", "#include \"engine/numeric/refusal.h\"", false);
        row("ui/a.h", "#include \"engine/training/update.h\"", true);
        row("ui/a.h", "#include \"engine/training/session.h\"", false);
        row("ui/a.h", "#include \"app/bridge.h\"", false);
        row("app/a.h", "#include \"engine/training/session.h\"", true);
        row("app/a.h", "#include \"tests/app/a.h\"", false);
    }

    void theRules() {
        QFETCH(QString, file);
        QFETCH(QString, line);
        QFETCH(bool, allowed);
        QCOMPARE(objections(file, "#pragma once\n\n" + line + "\nint x;\n").isEmpty(), allowed);
    }

    void everyIncludeKeepsThem() {
        const QDir top(QStringLiteral(HEADSCOPE_SOURCE_DIR));
        QStringList found;
        int files = 0;
        for (const char* room : {"engine", "ui", "app"}) {
            QDirIterator walk(top.filePath(room), {"*.h", "*.cpp"}, QDir::Files,
                              QDirIterator::Subdirectories);
            while (walk.hasNext()) {
                QFile file(walk.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                found += objections(
                    top.relativeFilePath(file.fileName()),
                    QString::fromUtf8(file.readAll()).remove(QRegularExpression("#include \"\\w+\\.moc\"")));
                ++files;
            }
        }
        QVERIFY(files > 10);
        QVERIFY2(found.isEmpty(), qPrintable(u'\n' + found.join(u'\n')));
    }
};

QTEST_APPLESS_MAIN(TestLayering)
#include "test_layering.moc"
