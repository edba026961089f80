#include "app/lesson_library.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include "engine/training/experiment_json.h"
#include "ui/sentences.h"

// Outside every namespace, as the macro demands: a static library's resources are linked only when named.
static void linkResources() { Q_INIT_RESOURCE(resources); }

namespace headscope {
namespace {

struct LessonLibrary {
    Q_DECLARE_TR_FUNCTIONS(headscope::LessonLibrary)
};

/// A JSON object of a lesson file, which may hold only the keys that are asked for.
class Keys {
public:
    Keys(QJsonObject object, const QString& file, const QString& path)
        : m_object(std::move(object)), m_file(file), m_path(path) {}

    QJsonValue take(const QString& key) {
        if (!m_object.contains(key))
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 has no key '%2'"),
                          {m_file.toStdString(), named(key)});
        return m_object.take(key);
    }

    QString takeText(const QString& key) {
        const QJsonValue value = take(key);
        if (!value.isString() || value.toString().isEmpty())
            refuse(key, LessonLibrary::tr("a text that is not empty"));
        return value.toString();
    }

    Keys takeObject(const QString& key) { return {takePlainObject(key), m_file, m_path + key + u'.'}; }

    /// The text in one language; both must be there.
    QString takeTranslated(const QString& key, const QString& language) {
        Keys texts = takeObject(key);
        const QString english = texts.takeText(QStringLiteral("en"));
        const QString chinese = texts.takeText(QStringLiteral("zh"));
        texts.requireEmpty();
        return language.startsWith(u"zh") ? chinese : english;
    }

    double takePace() {
        const double pace = take(QStringLiteral("pace")).toDouble();
        if (!(pace > 0)) refuse(QStringLiteral("pace"), LessonLibrary::tr("a positive number"));
        return pace;
    }

    void takeExperiments(Lesson& lesson) {
        const QString first = QStringLiteral("experiment"), second = QStringLiteral("twin");
        QJsonObject object = takePlainObject(first);
        within(first, [&] { lesson.experiment = experimentOf(object); });
        if (!has(second)) return;
        const QJsonObject different = takePlainObject(second);
        for (auto i = different.begin(); i != different.end(); ++i) object[i.key()] = i.value();
        within(second, [&] {
            lesson.twin = experimentOf(object);
            requireTwins(lesson.experiment, *lesson.twin);
        });
    }

    /// A ripple is shown on a row of its own; without one the mean over the rows is.
    Probe takeProbe(const ModelConfig& model) {
        const QString key = QStringLiteral("ripple");
        if (!has(key)) return {};
        Keys keys = takeObject(key);
        Probe probe;
        probe.row = 0;
        probe.ripple =
            Ripple{keys.takeIndex(QStringLiteral("position")), keys.takeIndex(QStringLiteral("token"))};
        keys.requireEmpty();
        within(key, [&] { requireValid(probe, model); });
        return probe;
    }

    LessonPanel takePanel() {
        const QString key = QStringLiteral("panel");
        if (!has(key)) return LessonPanel::None;
        const QJsonValue value = take(key);
        if (value == QStringLiteral("fused-qkv")) return LessonPanel::FusedQkv;
        if (value == QStringLiteral("masked-rows")) return LessonPanel::MaskedRows;
        refuse(key, LessonLibrary::tr("fused-qkv or masked-rows"));
    }

    void requireEmpty() const {
        if (!m_object.isEmpty())
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 has an unknown key '%2'"),
                          {m_file.toStdString(), named(m_object.constBegin().key())});
    }

private:
    bool has(const QString& key) const { return m_object.contains(key); }

    QJsonObject takePlainObject(const QString& key) {
        const QJsonValue value = take(key);
        if (!value.isObject()) refuse(key, LessonLibrary::tr("an object"));
        return value.toObject();
    }

    int takeIndex(const QString& key) {
        const int index = take(key).toInt(-1);
        if (index < 0) refuse(key, LessonLibrary::tr("a whole number, 0 or more"));
        return index;
    }

    static Experiment experimentOf(const QJsonObject& object) {
        return experimentFromJson(QJsonDocument(object).toJson().toStdString());
    }

    /// Says of a refusal in what is below a key where it comes from.
    template <typename Function>
    void within(const QString& key, const Function& function) const {
        try {
            function();
        } catch (const Refusal& refusal) {
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1: in '%2', %3"),
                          {m_file.toStdString(), named(key), sentence(refusal).toStdString()});
        }
    }

    std::string named(const QString& key) const { return (m_path + key).toStdString(); }

    [[noreturn]] void refuse(const QString& key, const QString& expected) const {
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1: '%2' is not %3"),
                      {m_file.toStdString(), named(key), expected.toStdString()});
    }

    QJsonObject m_object;
    QString m_file, m_path;
};

}  // namespace

Lesson parseLesson(const QByteArray& json, const QString& file, const QString& language) {
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (!document.isObject())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 is no JSON object: %2"),
                      {file.toStdString(), error.errorString().toStdString()});
    Keys keys(document.object(), file, {});
    Lesson lesson;
    lesson.id = keys.takeText(QStringLiteral("id"));
    lesson.title = keys.takeTranslated(QStringLiteral("title"), language);
    lesson.story = keys.takeTranslated(QStringLiteral("story"), language);
    lesson.lookFor = keys.takeTranslated(QStringLiteral("look_for"), language);
    lesson.pace = keys.takePace();
    keys.takeExperiments(lesson);
    lesson.probe = keys.takeProbe(lesson.experiment.model);
    lesson.panel = keys.takePanel();
    keys.requireEmpty();
    return lesson;
}

std::vector<Lesson> builtInLessons(const QString& language) {
    linkResources();
    std::vector<Lesson> lessons;
    for (const char* id : {"copy", "four-or-eight", "scaling-stall", "how-many-heads", "causality",
                           "fused-qkv", "masked-rows"}) {
        const QString name = QStringLiteral("%1.json").arg(QLatin1String(id));
        QFile file(QStringLiteral(":/lessons/") + name);
        const bool opened = file.open(QIODevice::ReadOnly);
        Q_ASSERT(opened);
        lessons.push_back(parseLesson(file.readAll(), name, language));
    }
    return lessons;
}

}  // namespace headscope
