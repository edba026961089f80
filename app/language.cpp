#include "app/language.h"

#include <algorithm>

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

#include "app/command_words.h"

// Outside every namespace, as the macro demands: a static library's resources are linked only when named.
static void linkTranslations() { Q_INIT_RESOURCE(translations); }

namespace headscope {
namespace {

/// English is what the sources say; among Chinese it has to be said.
class SourceTexts : public QTranslator {
public:
    bool isEmpty() const override { return false; }
    QString translate(const char*, const char* text, const char*, int) const override {
        return QString::fromUtf8(text);
    }
};

const QString kOption = QStringLiteral("--language");

QString languageOfSystem() {
    for (const QString& wanted : QLocale::system().uiLanguages()) {
        const QString family = wanted.section(u'-', 0, 0);
        for (const Language& language : languages())
            if (language.code.section(u'_', 0, 0) == family) return language.code;
    }
    return languages().front().code;
}

}  // namespace

const std::vector<Language>& languages() {
    static const std::vector<Language> all{{QStringLiteral("en"), QStringLiteral("English")},
                                           {QStringLiteral("zh_CN"), QStringLiteral("简体中文")}};
    return all;
}

bool isLanguage(const QString& code) {
    return std::any_of(languages().begin(), languages().end(),
                       [&](const Language& language) { return language.code == code; });
}

QString languageFor(const QString& asked) {
    if (asked.isEmpty()) return languageOfSystem();
    if (isLanguage(asked)) return asked;
    QStringList codes;
    for (const Language& language : languages()) codes += language.code;
    refuseChoice(kOption, asked, codes.join(u", "));
}

QString takeLanguage(QStringList& words) {
    QString language;
    for (qsizetype i = 0; i < words.size();) {
        const bool joined = words[i].startsWith(kOption + u'=');
        if (!joined && words[i] != kOption) {
            ++i;
            continue;
        }
        if (!joined && i + 1 == words.size())
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 needs a value"),
                          {kOption.toStdString()});
        language = joined ? words[i].mid(kOption.size() + 1) : words[i + 1];
        words.remove(i, joined ? 1 : 2);
    }
    return language;
}

Translation::Translation(const QString& language) {
    linkTranslations();
    if (language == languages().front().code) {
        m_program = std::make_unique<SourceTexts>();
        QCoreApplication::installTranslator(m_program.get());
        return;
    }
    if (m_qt.load(QStringLiteral("qtbase_") + language, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&m_qt);
    m_program = std::make_unique<QTranslator>();
    if (m_program->load(QStringLiteral(":/translations/headscope_") + language))
        QCoreApplication::installTranslator(m_program.get());
}

}  // namespace headscope
