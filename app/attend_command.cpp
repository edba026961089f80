#include "app/attend_command.h"

#include <cstdio>

#include <QCoreApplication>
#include <QFileInfo>

#include "app/command_words.h"
#include "engine/formats/input_file.h"
#include "engine/formats/npy.h"
#include "ui/attention_text.h"
#include "ui/output_files.h"

namespace headscope {
namespace {

std::vector<int> toTokens(const QString& option, const QString& word) {
    std::vector<int> tokens;
    for (const QString& token : splitTokens(word)) tokens.push_back(toInt(option, token));
    return tokens;
}

Matrix<double> readMatrix(const QString& path) {
    const std::string name = text(path);
    const Array array = parseNpy(readFile(name), name);
    if (array.shape.size() != 2 || array.bytes.empty())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                        "%1: a block's input must be a matrix (T, D), a row for each token"),
                      {name});
    const auto values = array.view().toDoubles();
    return ConstView<double>(values.data(), Index(array.shape[0]), Index(array.shape[1]),
                             Eigen::OuterStride<>(Index(array.shape[1])));
}

Attended attended(const AttendToFiles& request) {
    const ImportedWeights weights = weightsFrom(Safetensors::read(text(request.weights)), request.hints);
    if (const auto* model = std::get_if<ModelWeights>(&weights)) {
        if (!request.input.isEmpty())
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal",
                                            "%1 holds a whole model: give it --tokens, not --input"),
                          {text(request.weights)});
        return attend(*model, request.tokens);
    }
    if (request.input.isEmpty())
        throw Refusal(
            QT_TRANSLATE_NOOP("headscope::Refusal",
                              "%1 holds a bare block, which knows no tokens: give it --input X.npy"),
            {text(request.weights)});
    return attend(std::get<BlockWeights>(weights), readMatrix(request.input));
}

QByteArray npyOf(const std::vector<double>& values, std::vector<std::size_t> shape) {
    const std::vector<float> narrow(values.begin(), values.end());
    return QByteArray::fromStdString(npyFile(viewOf(narrow, std::move(shape))));
}

}  // namespace

AttendToFiles parseAttend(const QStringList& words) {
    const Words given =
        split(words, {QStringLiteral("--tokens"), QStringLiteral("--input"), QStringLiteral("--heads"),
                      QStringLiteral("--positions"), QStringLiteral("--prefix"), QStringLiteral("--out"),
                      QStringLiteral("--logits")});
    AttendToFiles request;
    for (const auto& [option, value] : given.options) {
        if (QLatin1String(option->name) != QLatin1String("--no-scaling"))
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 does not take %2"),
                          {"attend", option->name});
        request.hints.scale_scores = false;
    }
    if (given.arguments.isEmpty())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "attend needs a safetensors file of weights"));
    if (given.arguments.size() > 1) refuseArgument(given.arguments[1]);
    request.weights = given.arguments[0];
    apply(given, "--tokens", request.tokens, toTokens);
    request.input = given.value(QStringLiteral("--input"));
    if (request.tokens.empty() == request.input.isEmpty())
        throw Refusal(
            QT_TRANSLATE_NOOP("headscope::Refusal",
                              "attend needs either --tokens \"3 1 4\" or, for a bare block, --input X.npy"));
    apply(given, "--heads", request.hints.n_heads, toInt);
    apply(given, "--positions", request.hints.positions,
          [](const QString& option, const QString& word) { return toOneOf(kPositionsNames, option, word); });
    apply(given, "--prefix", request.hints.prefix,
          [](const QString&, const QString& word) { return text(word); });
    request.attention = given.value(QStringLiteral("--out"));
    if (request.attention.isEmpty())
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 needs --out FILE, where to write to"),
                      {"attend"});
    request.logits = given.value(QStringLiteral("--logits"));
    for (const QString& path : {request.attention, request.logits})
        if (!path.isEmpty() && !path.endsWith(QStringLiteral(".npy"), Qt::CaseInsensitive))
            throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1: its name must end with %2"),
                          {text(path), ".npy"});
    const auto same = [](const QString& a, const QString& b) {
        return !b.isEmpty() && QFileInfo(a).absoluteFilePath() == QFileInfo(b).absoluteFilePath();
    };
    if (same(request.attention, request.logits))
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 can hold either attention or logits"),
                      {text(request.logits)});
    if (same(request.attention, request.input) || same(request.logits, request.input))
        throw Refusal(
            QT_TRANSLATE_NOOP("headscope::Refusal", "%1 is to be read: another file must be written"),
            {text(request.input)});
    return request;
}

void attendToFiles(const AttendToFiles& request) {
    const Attended came = attended(request);
    std::vector<OutputFile> files{
        {request.attention, npyOf(came.weights, {came.n_heads, came.length, came.length})}};
    if (!request.logits.isEmpty())
        files.push_back(
            {request.logits, npyOf(came.outputs, {came.length, came.outputs.size() / came.length})});
    writeFiles(QStringLiteral("."), files);
    const QString line =
        QCoreApplication::translate("headscope::AttendCommand", "%1: attention of %2 heads over %3 tokens")
            .arg(request.attention)
            .arg(came.n_heads)
            .arg(came.length);
    std::fputs(qPrintable(line + u'\n'), stdout);
}

}  // namespace headscope
