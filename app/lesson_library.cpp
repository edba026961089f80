#include "app/lesson_library.h"

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include "engine/training/experiment_json.h"

// Outside every namespace, as the macro demands: a static library's resources are linked only when named.
static void linkResources() { Q_INIT_RESOURCE(resources); }

namespace headscope {
namespace {

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
        if (!value.isString() || value.toString().isEmpty()) refuse(key, "a text that is not empty");
        return value.toString();
    }

    Keys takeObject(const QString& key) {
        const QJsonValue value = take(key);
        if (!value.isObject()) refuse(key, "an object");
        return {value.toObject(), m_file, m_path + key + u'.'};
    }

    /// The text in one language; both must be there.
    QString takeTranslated(const QString& key, const QString& language) {
        Keys texts = takeObject(key);
        const QString english = texts.takeText(QStringLiteral("en"));
        const QString chinese = texts.takeText(QStringLiteral("zh"));
        texts.requireEmpty();
        return language == u"zh" ? chinese : english;
    }

    double takePace() {
        const double pace = take(QStringLiteral("pace")).toDouble();
        if (!(pace > 0)) refuse(QStringLiteral("pace"), "a positive number");
        return pace;
    }

    Experiment takeExperiment() {
        const QJsonValue value = take(QStringLiteral("experiment"));
        if (!value.isObject()) refuse(QStringLiteral("experiment"), "an object");
        try {
            return experimentFromJson(QJsonDocument(value.toObject()).toJson().toStdString());
        } catch (const Refusal& refusal) {
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1: in 'experiment', %2"),
                          {m_file.toStdString(), refusal.what()});
        }
    }

    void requireEmpty() const {
        if (!m_object.isEmpty())
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 has an unknown key '%2'"),
                          {m_file.toStdString(), named(m_object.keys().front())});
    }

private:
    std::string named(const QString& key) const { return (m_path + key).toStdString(); }

    [[noreturn]] void refuse(const QString& key, const char* expected) const {
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1: '%2' is not %3"),
                      {m_file.toStdString(), named(key), expected});
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
    lesson.experiment = keys.takeExperiment();
    keys.requireEmpty();
    return lesson;
}

std::vector<Lesson> builtInLessons(const QString& language) {
    linkResources();
    std::vector<Lesson> lessons;
    for (const char* id : {"copy", "scaling-stall", "how-many-heads"}) {
        const QString name = QStringLiteral("%1.json").arg(QLatin1String(id));
        QFile file(QStringLiteral(":/lessons/") + name);
        const bool opened = file.open(QIODevice::ReadOnly);
        Q_ASSERT(opened);
        lessons.push_back(parseLesson(file.readAll(), name, language));
    }
    return lessons;
}

}  // namespace headscope
