#include "app/settings.h"

#include <QCoreApplication>
#include <QStandardPaths>

#include "app/choice_names.h"
#include "engine/training/experiment_json.h"

namespace headscope {
namespace {

constexpr std::array kAnswerNames = {Named<bool>{true, "true"}, Named<bool>{false, "false"}};

/// As it stands in the file; a comma that no quotes hold together makes a list of what it parts.
QString textOf(const QVariant& stored) { return stored.toStringList().join(u','); }

template <typename Names, typename Choice>
bool readName(const Names& names, const QVariant& stored, Choice& to) {
    const auto choice = valueOf(names, textOf(stored).toStdString());
    to = choice.value_or(to);
    return choice.has_value();
}

QString toText(std::string_view text) { return QString::fromUtf8(text.data(), qsizetype(text.size())); }

}  // namespace

QString Settings::standardFile() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/headscope/settings.ini");
}

Settings::Settings(const QString& file, Warn warn)
    : m_warn(std::move(warn)), m_file(file, QSettings::IniFormat) {
    m_file.allKeys();  // reads it
    const std::string name = file.toStdString();
    if (m_file.status() == QSettings::FormatError)
        m_warn(Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                         "not all of the settings in %1 can be read; those that can hold"),
                       {name}));
    else if (m_file.status() != QSettings::NoError || !m_file.isWritable())
        m_warn(
            Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                      "the settings cannot be kept in %1: they hold until the window closes"),
                    {name}));
}

void Settings::refuse(const char* key) const {
    constexpr qsizetype kShown = 40;
    QString stored = textOf(m_file.value(QLatin1String(key))).simplified();
    if (stored.size() > kShown) stored = stored.left(kShown) + u'…';
    m_warn(
        Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                  "the setting %1 in %2 is '%3', which cannot be meant: it is passed over"),
                {key, m_file.fileName().toStdString(), stored.toStdString()}));
}

void Settings::reset() { m_file.clear(); }

bool Settings::read(const QVariant& stored, bool& to) { return readName(kAnswerNames, stored, to); }

bool Settings::read(const QVariant& stored, int& to) {
    bool good = false;
    to = textOf(stored).toInt(&good);
    return good;
}

bool Settings::read(const QVariant& stored, QByteArray& to) {
    const auto bytes =
        QByteArray::fromBase64Encoding(textOf(stored).toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
    to = bytes.decoded;
    return bool(bytes);
}

bool Settings::read(const QVariant& stored, QString& to) {
    to = textOf(stored);
    return true;
}

bool Settings::read(const QVariant& stored, QStringList& to) {
    to = stored.toStringList();
    return true;
}

bool Settings::read(const QVariant& stored, ThemeChoice& to) { return readName(kThemeNames, stored, to); }

bool Settings::read(const QVariant& stored, Colormap& to) { return readName(kColormapNames, stored, to); }

bool Settings::read(const QVariant& stored, std::optional<Experiment>& to) {
    try {
        to = experimentFromJson(textOf(stored).toStdString());
        return true;
    } catch (const Refusal&) {
        return false;
    }
}

QVariant Settings::written(bool value) { return toText(nameOf(kAnswerNames, value)); }

QVariant Settings::written(int value) { return QString::number(value); }

QVariant Settings::written(const QByteArray& value) { return QString::fromLatin1(value.toBase64()); }

QVariant Settings::written(const QString& value) { return value; }

QVariant Settings::written(const QStringList& value) { return value; }

QVariant Settings::written(ThemeChoice value) { return toText(nameOf(kThemeNames, value)); }

QVariant Settings::written(Colormap value) { return toText(nameOf(kColormapNames, value)); }

QVariant Settings::written(const std::optional<Experiment>& value) {
    return value ? QVariant(QString::fromStdString(toJson(*value))) : QVariant();
}

}  // namespace headscope
