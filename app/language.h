#pragma once

#include <memory>
#include <vector>

#include <QString>
#include <QStringList>
#include <QTranslator>

namespace headscope {

struct Language {
    QString code;  ///< as in the name of its translation: "en", "zh_CN"
    QString name;  ///< in itself
};

/// What the program speaks; English, which needs no translation, first.
const std::vector<Language>& languages();

bool isLanguage(const QString& code);

/// The code of the language to speak: the one asked for, or where none is ("") that of the system, and
/// English where the system's is none of languages(). Throws Refusal, naming those there are, for another
/// one.
QString languageFor(const QString& asked);

/// Takes --language and its value out of a command line's words: every command has it. Returns "" where it is
/// not there. Throws Refusal where its value is missing.
QString takeLanguage(QStringList& words);

/// The program's texts, and Qt's own, in one language as long as it lives; of several, in that of the newest.
/// Needs the application, which must outlive it. A translation that is missing leaves what there was before.
class Translation {
public:
    explicit Translation(const QString& language);
    Translation(const Translation&) = delete;
    Translation& operator=(const Translation&) = delete;

private:
    QTranslator m_qt;
    std::unique_ptr<QTranslator> m_program;  // each takes itself out of the application when it goes
};

}  // namespace headscope
