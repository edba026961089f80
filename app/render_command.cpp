#include "app/render_command.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "app/choice_names.h"
#include "app/command_words.h"
#include "engine/formats/input_file.h"
#include "engine/training/opened_attention.h"
#include "engine/training/session_file.h"
#include "ui/attention_text.h"
#include "ui/output_files.h"
#include "ui/run_text.h"

namespace headscope {
namespace {

int toIntWithin(const QString& option, const QString& word, int low, int high) {
    const int value = toInt(option, word);
    if (const auto refusal = outOfRange(text(option), value, low, high)) throw *refusal;
    return value;
}

/// What was asked for by its number, from 1; counted from 0.
std::size_t placeOf(const char* option, int number, std::size_t count) {
    if (const auto refusal = outOfRange(option, number, 1, static_cast<int>(count))) throw *refusal;
    return static_cast<std::size_t>(number - 1);
}

struct Shown {
    std::shared_ptr<const Snapshot> snapshot;
    QString caption;
};

/// What a run showed last.
Shown lastOf(const RenderToFile& request) {
    const StoredSession stored = readSession(text(request.attention));
    for (const auto& [option, isGiven] :
         {std::pair{"--array", !request.array.isEmpty()}, std::pair{"--tokens", !request.tokens.isEmpty()},
          std::pair{"--layer", request.layer != 1}, std::pair{"--row", request.row != 1}})
        if (isGiven)
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 is a run, which has no %2"),
                          {text(request.attention), option});
    const std::vector<Frame>& frames = stored.record.recorder.frames();
    if (frames.empty())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1: no step of this run was recorded"),
                      {text(request.attention)});
    const auto snapshot = frames.back().snapshot;
    return {snapshot, captionFor(snapshot->experiment, snapshot->steps_done)};
}

Shown attentionOf(const RenderToFile& request) {
    AttentionMaps maps = readAttention(text(request.attention), text(request.array));
    if (!request.tokens.isEmpty()) {
        const auto bytes = readFile(text(request.tokens));
        setTokens(maps, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, text(request.tokens));
    }
    const std::size_t layer = placeOf("--layer", request.layer, maps.layers);
    const std::size_t row = placeOf("--row", request.row, maps.rows);
    const QString origin = originText(QFileInfo(request.attention).fileName(), maps, layer, row);
    return {snapshotOf(maps, layer, row, text(origin)), origin};
}

}  // namespace

RenderToFile parseRender(const QStringList& words) {
    const Words given =
        split(words, {QStringLiteral("--out"), QStringLiteral("--dpi"), QStringLiteral("--width"),
                      QStringLiteral("--palette"), QStringLiteral("--head"), QStringLiteral("--layer"),
                      QStringLiteral("--row"), QStringLiteral("--array"), QStringLiteral("--tokens"),
                      QStringLiteral("--caption")});
    if (!given.options.empty())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 does not take %2"),
                      {"render", given.options.front().first->name});
    if (given.arguments.isEmpty())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                        "render needs an NPY, NPZ or safetensors file of attention"));
    if (given.arguments.size() > 1) refuseArgument(given.arguments[1]);
    RenderToFile request;
    request.attention = given.arguments[0];
    request.array = given.value(QStringLiteral("--array"));
    request.tokens = given.value(QStringLiteral("--tokens"));
    apply(given, "--layer", request.layer, toInt);
    apply(given, "--row", request.row, toInt);
    apply(given, "--head", request.head, toInt);
    apply(given, "--caption", request.caption, [](const QString&, const QString& word) { return word; });
    apply(given, "--palette", request.look.colormap,
          [](const QString& option, const QString& word) { return toOneOf(kColormapNames, option, word); });
    apply(given, "--dpi", request.look.dpi,
          [](const QString& option, const QString& word) { return toIntWithin(option, word, 36, 2400); });
    int width = request.look.size.width();
    apply(given, "--width", width, [](const QString& option, const QString& word) {
        return toIntWithin(option, word, kSmallestPicture * 2, kLargestPicture);
    });
    request.look.size = {width, width * 9 / 16};
    request.picture = given.value(QStringLiteral("--out"));
    if (request.picture.isEmpty())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 needs --out FILE, where to write to"),
                      {"render"});
    formatOf(request.picture);  // or refuses
    return request;
}

void renderToFile(const RenderToFile& request) {
    const bool isRun = request.attention.endsWith(QStringLiteral(".headscope"), Qt::CaseInsensitive);
    const Shown shown = isRun ? lastOf(request) : attentionOf(request);
    PictureOptions look = request.look;
    look.caption = request.caption.value_or(shown.caption);
    const auto heads = static_cast<std::size_t>(shown.snapshot->experiment.model.n_heads);
    const Picture picture =
        request.head ? headPicture(shown.snapshot, static_cast<int>(placeOf("--head", *request.head, heads)))
                     : headsPicture(shown.snapshot);
    writeFile(request.picture, fileOf(picture, look, formatOf(request.picture)));
}

}  // namespace headscope
