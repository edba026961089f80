#include "ui/attention_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include "ui/run_text.h"

namespace headscope {
namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(AttentionText)
};

QString joined(const QStringList& parts) { return parts.join(QStringLiteral(" · ")); }

}  // namespace

QString originText(const QString& file, const AttentionMaps& maps, std::size_t layer, std::size_t row) {
    QStringList parts{file};
    if (maps.layers > 1) parts << Text::tr("layer %1 of %2").arg(layer + 1).arg(maps.layers);
    if (maps.rows > 1) parts << Text::tr("row %1 of %2").arg(row + 1).arg(maps.rows);
    return joined(parts);
}

QString extentText(const AttentionMaps& maps) {
    QStringList parts;
    if (maps.layers > 1) parts << Text::tr("%1 layers").arg(maps.layers);
    if (maps.rows > 1) parts << Text::tr("%1 rows").arg(maps.rows);
    parts << headCountText(static_cast<int>(maps.n_heads));
    parts << Text::tr("T=%1").arg(maps.length);
    parts << (maps.causal ? Text::tr("causal") : Text::tr("every query sees every key"));
    return joined(parts);
}

QStringList splitTokens(const QString& text) {
    static const QRegularExpression between(QStringLiteral("[\\s,]+"));
    return text.split(between, Qt::SkipEmptyParts);
}

}  // namespace headscope
