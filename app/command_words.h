#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include "engine/training/experiment_names.h"

namespace headscope {

inline std::string text(const QString& s) { return s.toStdString(); }

// The value of an option: see engine/training/numbers_from_text.h.
int toInt(const QString& option, const QString& word);
double toDouble(const QString& option, const QString& word);
std::vector<int> toInts(const QString& option, const QString& word);
std::uint64_t toSeed(const QString& option, const QString& word);
std::vector<std::uint64_t> toSeeds(const QString& option, const QString& word);

/// Says that it must be one of what is allowed.
[[noreturn]] void refuseChoice(const QString& option, const QString& word, const QString& allowed);

template <typename Names>
auto toOneOf(const Names& names, const QString& option, const QString& word) {
    if (const auto value = valueOf(names, text(word))) return *value;
    refuseChoice(option, word, QString::fromStdString(allNames(names)));
}

/// One line of the help, and what the option does to the experiment.
struct Option {
    const char* name;
    const char* value;  ///< what stands for it in the help; null where the option takes none
    const char* help;
    void (*apply)(Experiment&, const QString& option, const QString& word);
};

std::span<const Option> experimentOptions();

/// A command's words.
struct Words {
    std::vector<std::pair<const Option*, QString>> options;  ///< in the order given: the last one wins
    std::map<QString, QString> own;                          ///< options of the command itself
    QStringList arguments;                                   ///< what belongs to no option

    QString value(const QString& name) const {
        const auto found = own.find(name);
        return found == own.end() ? QString() : found->second;
    }
    bool has(const QString& name) const { return own.contains(name); }
};

/// Splits a command's words into options and their values; `own` are those that it has besides the
/// experiment's, each with a value. Throws Refusal for an option that is neither, and for a value that is
/// missing or should not be there.
Words split(const QStringList& words, const QStringList& own);

[[noreturn]] void refuseArgument(const QString& word);

/// Reads the value of a command's own option into `to`, where there is one.
template <typename To, typename Read>
void apply(const Words& given, const char* name, To& to, Read read) {
    const QString option = QLatin1String(name);
    if (given.has(option)) to = read(option, given.value(option));
}

}  // namespace headscope
