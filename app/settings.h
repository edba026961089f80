#pragma once

#include <functional>
#include <optional>

#include <QByteArray>
#include <QSettings>
#include <QStringList>

#include "engine/numeric/refusal.h"
#include "engine/training/experiment.h"
#include "ui/colormap.h"
#include "ui/theme.h"

namespace headscope {

/// A row of the table of settings: where its value stands in the file, and what holds where none does.
template <typename Value>
struct Setting {
    const char* key;
    Value fallback = {};
};

/// A number has bounds.
template <>
struct Setting<int> {
    const char* key;
    int fallback, least, most;
};

/// The table: all that is kept between sittings. In the file, choices stand by their names.
namespace setting {
inline const Setting<QByteArray> kLayout{"window/layout"};  ///< as of MainWindow::windowLayout()
inline const Setting<ThemeChoice> kTheme{"view/theme", ThemeChoice::System};
inline const Setting<QString> kLanguage{"view/language"};  ///< as "zh_CN"; empty: the system's
inline const Setting<Colormap> kColormap{"view/palette", Colormap::Viridis};
inline const Setting<bool> kTourSeen{"help/tour-seen", false};
inline const Setting<QString> kLesson{"run/lesson"};
inline const Setting<std::optional<Experiment>> kExperiment{"run/experiment"};
inline const Setting<QStringList> kRecentFiles{"files/recent"};  ///< the latest first
// What exports begin with: pixels each way, dots per inch, percents of type.
inline constexpr Setting<int> kExportWidth{"export/width", 1920, 64, 8192};
inline constexpr Setting<int> kExportHeight{"export/height", 1080, 64, 8192};
inline constexpr Setting<int> kExportDpi{"export/dpi", 144, 36, 2400};
inline constexpr Setting<int> kExportTextSize{"export/text-size", 100, 50, 200};
inline constexpr Setting<bool> kExportTransparent{"export/transparent", false};
inline constexpr Setting<bool> kExportTitles{"export/titles", true};
inline constexpr Setting<bool> kExportColorBar{"export/color-bar", true};
inline constexpr Setting<bool> kExportOwnScales{"export/own-scales", false};
}  // namespace setting

/// What is remembered in one file. Programs that share it see each other's last word on each row. Must be
/// used by one thread.
class Settings {
public:
    using Warn = std::function<void(const Refusal&)>;

    /// ~/.config/headscope/settings.ini, or where XDG_CONFIG_HOME has it.
    static QString standardFile();

    /// Warns of a file that is damaged, or cannot be written: nothing is kept then.
    Settings(const QString& file, Warn warn);

    /// Warns where what is stored cannot be meant, and gives the fallback.
    template <typename Value>
    Value value(const Setting<Value>& row) const {
        Value value = row.fallback;
        const QVariant stored = m_file.value(QLatin1String(row.key));
        if (!stored.isValid() || (read(stored, value) && allows(row, value))) return value;
        refuse(row.key);
        return row.fallback;
    }

    template <typename Value>
    void setValue(const Setting<Value>& row, const Value& value) {
        m_file.setValue(QLatin1String(row.key), written(value));
    }

    /// Warns of what is stored there: it was well formed and could not be used after all.
    void refuse(const char* key) const;

    /// Forgets everything.
    void reset();

private:
    template <typename Value>
    static bool allows(const Setting<Value>&, const Value&) {
        return true;
    }
    static bool allows(const Setting<int>& row, int value) { return value >= row.least && value <= row.most; }

    // One pair for each kind of value. Reading says whether it can be meant.
    static bool read(const QVariant& stored, bool& to);
    static bool read(const QVariant& stored, int& to);
    static bool read(const QVariant& stored, QByteArray& to);
    static bool read(const QVariant& stored, QString& to);
    static bool read(const QVariant& stored, QStringList& to);
    static bool read(const QVariant& stored, ThemeChoice& to);
    static bool read(const QVariant& stored, Colormap& to);
    static bool read(const QVariant& stored, std::optional<Experiment>& to);
    static QVariant written(bool value);
    static QVariant written(int value);
    static QVariant written(const QByteArray& value);
    static QVariant written(const QString& value);
    static QVariant written(const QStringList& value);
    static QVariant written(ThemeChoice value);
    static QVariant written(Colormap value);
    static QVariant written(const std::optional<Experiment>& value);

    Warn m_warn;
    QSettings m_file;
};

}  // namespace headscope
