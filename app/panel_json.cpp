#include "app/panel_json.h"

#include <cmath>

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "app/choice_names.h"

namespace headscope {
namespace {

constexpr QLatin1String kUnlimited("unlimited");

/// Calls visit(key, member) for every member: the one list that writing and reading share.
template <typename State, typename Visit>
void forEachMember(State& state, const Visit& visit) {
    visit("lesson", state.lesson);
    visit("pace", state.pace);
    visit("shows_scores", state.shows_scores);
    visit("colormap", state.colormap);
    visit("carries_on", state.carries_on);
    visit("controls", state.controls);
    visit("probe_card", state.probe_card);
    visit("folded", state.folded);
}

QJsonValue valueOf(const QString& text) { return text; }
QJsonValue valueOf(bool yes) { return yes; }
QJsonValue valueOf(double pace) { return std::isinf(pace) ? QJsonValue(kUnlimited) : QJsonValue(pace); }
QJsonValue valueOf(const QStringList& list) { return QJsonArray::fromStringList(list); }
QJsonValue valueOf(Colormap colormap) {
    return QString::fromStdString(std::string(nameOf(kColormapNames, colormap)));
}

// Each says whether it can be meant.
bool read(const QJsonValue& value, QString& to) {
    to = value.toString();
    return value.isString();
}
bool read(const QJsonValue& value, bool& to) {
    to = value.toBool();
    return value.isBool();
}
bool read(const QJsonValue& value, double& to) {
    to = value == kUnlimited ? kUnlimitedPace : value.toDouble();
    return to > 0;
}
bool read(const QJsonValue& value, QStringList& to) {
    const QJsonArray elements = value.toArray();
    for (const auto element : elements) to << element.toString();
    return value.isArray();
}
bool read(const QJsonValue& value, Colormap& to) {
    const auto colormap = headscope::valueOf(kColormapNames, value.toString().toStdString());
    to = colormap.value_or(to);
    return colormap.has_value();
}

}  // namespace

std::string toJson(const PanelState& state) {
    QJsonObject object;
    forEachMember(state,
                  [&](const char* key, const auto& value) { object[QLatin1String(key)] = valueOf(value); });
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

PanelState panelFromJson(const std::string& text) {
    PanelState state;
    if (text.empty()) return state;
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(text));
    if (!document.isObject())
        throw Refusal(
            QT_TRANSLATE_NOOP("headscope::Refusal", "what the session says of the window is no JSON object"));
    const QJsonObject object = document.object();
    forEachMember(state, [&](const char* key, auto& value) {
        const auto found = object.find(QLatin1String(key));
        if (found != object.end() && !read(*found, value))
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                            "what the session says of the window has no valid '%1'"),
                          {key});
    });
    return state;
}

}  // namespace headscope
