#include <algorithm>

#include <QDir>
#include <QDirIterator>
#include <QRegularExpression>
#include <QtTest>

/// Which way includes may point: as the diagram of resources/docs/architecture.md has it. Nothing in the
/// engine knows Qt.
namespace {

/// From each folder to those that its arrows lead to, directly.
using Arrows = QMap<QString, QSet<QString>>;

QString read(const QString& path) {
    QFile file(QStringLiteral(HEADSCOPE_SOURCE_DIR "/") + path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

Arrows drawnArrows() {
    static const QRegularExpression arrow(QStringLiteral("^ +(\\S+) --> (\\S+)$"),
                                          QRegularExpression::MultilineOption);
    Arrows arrows;
    for (auto all = arrow.globalMatch(read("resources/docs/architecture.md")); all.hasNext();) {
        const auto match = all.next();
        arrows[match.captured(1)] += match.captured(2);
        arrows[match.captured(2)];
    }
    return arrows;
}

bool leadsTo(const Arrows& arrows, const QString& from, const QString& to) {
    const QSet<QString> next = arrows[from];
    return next.contains(to) || std::any_of(next.begin(), next.end(), [&](const QString& between) {
               return leadsTo(arrows, between, to);
           });
}

/// The folder a file belongs to: a floor of the engine, or a room.
QString folderOf(const QString& file) {
    const QStringList parts = file.split(u'/');
    return parts[0] == u"engine" && parts.size() > 2 ? parts[0] + u'/' + parts[1] : parts[0];
}

/// Why the file may not include this; empty when it may.
QString objection(const QString& file, const QString& include, bool quoted) {
    static const Arrows arrows = drawnArrows();
    const QString from = folderOf(file), to = folderOf(include);
    if (!quoted) {
        const bool qt = include.startsWith(u'q', Qt::CaseInsensitive);
        return qt && file.startsWith("engine/") ? QStringLiteral("the engine knows no Qt") : QString();
    }
    if (!include.contains(u'/')) return QStringLiteral("includes are written from the top folder");
    if (to == u"tests") return QStringLiteral("the program knows no tests");
    if (!arrows.contains(from)) return QStringLiteral("the diagram has no %1").arg(from);
    if (include == u"engine/training/session.h" && from == u"ui")
        return QStringLiteral("widgets know values, never the session");
    if (from != to && !leadsTo(arrows, from, to))
        return QStringLiteral("no arrow of the diagram leads from %1 to %2").arg(from, to);
    return {};
}

const QRegularExpression kInclude(QStringLiteral("^\\s*#\\s*include\\s*([<\"])([^>\"]+)[>\"]"),
                                  QRegularExpression::MultilineOption);

QStringList objections(const QString& file, const QString& source) {
    QStringList found;
    for (auto matches = kInclude.globalMatch(source); matches.hasNext();) {
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
        QStringList found;
        for (const auto& [file, source] : sources()) found += objections(file, source);
        QVERIFY2(found.isEmpty(), qPrintable(u'\n' + found.join(u'\n')));
    }

    void everyArrowIsUsedAndNoneIsDrawnTwice() {
        const Arrows arrows = drawnArrows();
        Arrows used;
        for (const auto& [file, source] : sources())
            for (auto all = kInclude.globalMatch(source); all.hasNext();) {
                const auto include = all.next();
                if (include.captured(1) == u"\"") used[folderOf(file)] += folderOf(include.captured(2));
            }
        QVERIFY(arrows.size() > 3);
        for (auto from = arrows.begin(); from != arrows.end(); ++from)
            for (const QString& to : *from) {
                QVERIFY2(used[from.key()].contains(to), qPrintable(from.key() + " --> " + to));
                Arrows others = arrows;
                others[from.key()] -= to;
                QVERIFY2(!leadsTo(others, from.key(), to), qPrintable(from.key() + " --> " + to));
            }
    }

private:
    /// Every source of the program, by its path from the top folder.
    static QList<std::pair<QString, QString>> sources() {
        const QDir top(QStringLiteral(HEADSCOPE_SOURCE_DIR));
        QList<std::pair<QString, QString>> found;
        for (const char* room : {"engine", "ui", "app"}) {
            QDirIterator walk(top.filePath(room), {"*.h", "*.cpp"}, QDir::Files,
                              QDirIterator::Subdirectories);
            while (walk.hasNext()) {
                const QString file = top.relativeFilePath(walk.next());
                found.append({file, read(file).remove(QRegularExpression("#include \"\\w+\\.moc\""))});
            }
        }
        return found;
    }
};

QTEST_APPLESS_MAIN(TestLayering)
#include "test_layering.moc"
