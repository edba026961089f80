#include "ui/block_stages.h"

#include <cmath>

#include <QCoreApplication>
#include <QStringList>

#include "ui/sentences.h"

namespace headscope {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(BlockStages)
};

QString shapeOf(std::initializer_list<int> sizes) {
    QStringList words;
    for (const int size : sizes) words << QString::number(size);
    return QLatin1Char('(') + words.join(QStringLiteral(", ")) + QLatin1Char(')');
}

/// What a product costs forward; a step makes it three times: once more for the gradient of either factor.
QString costText(const QString& letters, std::int64_t forward) {
    return Text::tr("%1 = %2 multiply-adds forward, twice that backward").arg(letters, grouped(forward));
}

QString linesOf(std::initializer_list<QString> lines) { return QStringList(lines).join(QLatin1Char('\n')); }

QString embeddingName(Positions positions) {
    return positions == Positions::Sinusoidal || positions == Positions::Learned
               ? Text::tr("token + position")
               : Text::tr("token embedding");
}

QString embeddingFormula(const ModelConfig& model) {
    const QString table = Text::tr("x (B, T, D): a row of the table (V, D) for each token");
    switch (model.positions) {
        case Positions::Sinusoidal:
            return linesOf({table, Text::tr("plus sines and cosines of its place, which are no parameters")});
        case Positions::Learned:
            return linesOf({table, Text::tr("plus a learned row of the table (T, D) for its place")});
        case Positions::Rotary:
            return linesOf({table, Text::tr("its place is told later, by turning q and k")});
        case Positions::None:
            break;
    }
    return linesOf({table, Text::tr("its place is not told")});
}

}  // namespace

std::vector<BlockStage> blockStages(const Experiment& experiment) {
    const ModelConfig& model = experiment.model;
    const int B = experiment.batch_size, T = model.context_length, D = model.d_model, H = model.n_heads,
              V = model.vocab_size, d_head = model.d_head();
    const auto product = [](std::initializer_list<int> factors) {
        std::int64_t n = 1;
        for (const int factor : factors) n *= factor;
        return n;
    };
    const std::int64_t scores = product({B, H, T, T, d_head});
    const std::int64_t qkv = product({B, T, 3, D, D});
    const std::int64_t out = product({B, T, D, D});
    const std::int64_t head = product({B, T, D, V});
    const std::int64_t positions = model.positions == Positions::Learned ? product({T, D}) : 0;

    std::vector<BlockStage> stages;
    stages.push_back({Text::tr("tokens"), shapeOf({B, T}), 0, 0,
                      Text::tr("(B, T): B rows of T token ids from 0 to V − 1")});
    stages.push_back({embeddingName(model.positions), shapeOf({B, T, D}), product({V, D}) + positions, 0,
                      embeddingFormula(model)});
    stages.push_back(
        {QStringLiteral("qkv_proj"), shapeOf({B, T, 3 * D}), product({3, D, D}) + product({3, D}), 3 * qkv,
         linesOf({Text::tr("x·Wᵀ + b (B, T, 3D): W (3D, D), b (3D); q, k and v of all heads at once"),
                  costText(QStringLiteral("B·T·3D·D"), qkv)})});
    stages.push_back(
        {Text::tr("split heads"), QStringLiteral("3 × ") + shapeOf({B, H, T, d_head}), 0, 0,
         Text::tr("q, k and v as (B, H, T, d_head) with d_head = D / H: a view, nothing is computed")});
    stages.push_back(
        {model.scale_scores ? Text::tr("scores ÷ √%1").arg(d_head) : Text::tr("scores, not scaled"),
         shapeOf({B, H, T, T}), 0, 3 * scores,
         linesOf({model.scale_scores ? Text::tr("q·kᵀ / √d_head (B, H, T, T), %1").arg(rootOf(d_head))
                                     : Text::tr("q·kᵀ (B, H, T, T), not divided by %1").arg(rootOf(d_head)),
                  costText(QStringLiteral("B·H·T·T·d_head"), scores)})});
    stages.push_back(
        {Text::tr("causal mask, softmax"), shapeOf({B, H, T, T}), 0, 0,
         Text::tr("weights (B, H, T, T): each row of scores up to its own place becomes shares that "
                  "sum to 1; B·H·T·(T + 1)/2 = %1 exponentials")
             .arg(grouped(product({B, H, T, T + 1}) / 2))});
    stages.push_back({Text::tr("context"), shapeOf({B, H, T, d_head}), 0, 3 * scores,
                      linesOf({Text::tr("weights·v (B, H, T, d_head)"),
                               costText(QStringLiteral("B·H·T·T·d_head"), scores)})});
    stages.push_back({Text::tr("merge, out_proj"), shapeOf({B, T, D}), product({D, D}) + D, 3 * out,
                      linesOf({Text::tr("heads side by side (B, T, D), then ·Wᵀ + b: W (D, D), b (D)"),
                               costText(QStringLiteral("B·T·D·D"), out)})});
    stages.push_back(
        {Text::tr("lm_head, logits"), shapeOf({B, T, V}), product({V, D}) + V, 3 * head,
         linesOf({Text::tr("attn_out·Wᵀ + b (B, T, V): W (V, D), b (V); softmax over V is the answer"),
                  costText(QStringLiteral("B·T·D·V"), head)})});
    return stages;
}

QString grouped(std::int64_t n) {
    constexpr QChar kThinSpace(0x202f);
    QString digits = QString::number(n);
    for (qsizetype place = digits.size() - 3; place > 0; place -= 3) digits.insert(place, kThinSpace);
    return digits;
}

QString rounded(std::int64_t n) {
    if (n < 1000) return QString::number(n);
    double value = static_cast<double>(n);
    int unit = -1;
    while (value >= 999.5 && unit < 3) {
        value /= 1000;
        ++unit;
    }
    constexpr std::array kUnits = {'k', 'M', 'G', 'T'};
    const QString digits = value < 9.95 ? QString::number(value, 'f', 1) : QString::number(value, 'f', 0);
    return digits + QChar(QChar::Nbsp) + QLatin1Char(kUnits[static_cast<std::size_t>(unit)]);
}

}  // namespace headscope
