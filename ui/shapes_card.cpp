#include "ui/shapes_card.h"

#include <algorithm>

#include <QFontDatabase>
#include <QFontInfo>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

#include "ui/theme.h"

namespace headscope {
namespace {

constexpr int kDots = 20;  // the line of dots, left of the words
constexpr double kRadius = 3.5;

QString costText(const BlockStage& stage) {
    QStringList parts;
    if (stage.parameters) parts << StagesView::tr("%1 parameters").arg(grouped(stage.parameters));
    if (stage.multiply_adds) parts << StagesView::tr("%1 multiply-adds").arg(rounded(stage.multiply_adds));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

StagesView::StagesView(QWidget* parent) : DescribedWidget(parent) {
    setAccessibleName(tr("Shapes on the way through the block"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StagesView::show(std::vector<BlockStage> stages) {
    m_stages = std::move(stages);
    updateGeometry();
    update();
    announce();
}

QFont StagesView::smallFont() const {
    QFont small = font();
    small.setPixelSize(std::max(10, QFontInfo(font()).pixelSize() - 1));
    return small;
}

int StagesView::rowHeight(const BlockStage& stage) const {
    const int line = QFontMetrics(font()).height();
    return costText(stage).isEmpty() ? line + 6 : line + QFontMetrics(smallFont()).height() + 7;
}

QSize StagesView::sizeHint() const {
    int height = 0;
    for (const BlockStage& stage : m_stages) height += rowHeight(stage);
    return {240, height};
}

QRectF StagesView::stageRect(int stage) const {
    int top = 0;
    for (int i = 0; i < stage; ++i) top += rowHeight(m_stages[static_cast<std::size_t>(i)]);
    return QRectF(0, top, width(), rowHeight(m_stages[static_cast<std::size_t>(stage)]));
}

QString StagesView::description() const {
    QStringList lines;
    for (const BlockStage& stage : m_stages) {
        const QString cost = costText(stage);
        lines << (cost.isEmpty() ? tr("%1: %2.").arg(stage.name, stage.shape)
                                 : tr("%1: %2, %3.").arg(stage.name, stage.shape, cost));
    }
    return lines.join(QLatin1Char('\n'));
}

bool StagesView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        for (int i = 0; const BlockStage& stage : m_stages) {
            const QRectF rect = stageRect(i++);
            if (!rect.contains(help->pos())) continue;
            QToolTip::showText(help->globalPos(), stage.formula, this, rect.toRect());
            return true;
        }
    }
    return DescribedWidget::event(event);
}

void StagesView::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF metrics(font());
    const QFont small = smallFont();
    QFont figures = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    figures.setPixelSize(small.pixelSize());
    const double x = kRadius + 1;
    const auto middle = [&](int i) { return stageRect(i).top() + 3 + metrics.height() / 2; };
    const int last = static_cast<int>(m_stages.size()) - 1;
    painter.setPen(QPen(theme.border, 1.5));
    if (last > 0) painter.drawLine(QPointF(x, middle(0)), QPointF(x, middle(last)));

    for (int i = 0; const BlockStage& stage : m_stages) {
        const QRectF row = stageRect(i);
        painter.setPen(Qt::NoPen);
        painter.setBrush(stage.parameters ? theme.accent : theme.ghost);
        painter.drawEllipse(QPointF(x, middle(i)), kRadius, kRadius);

        QRectF line(kDots, row.top() + 3, row.width() - kDots, metrics.height());
        painter.setFont(font());
        painter.setPen(theme.text);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, stage.name);
        painter.setFont(figures);
        painter.setPen(theme.mutedText);
        const double left = line.width() - metrics.horizontalAdvance(stage.name) - 8;
        QString shape = stage.shape;
        if (QFontMetricsF(figures).horizontalAdvance(shape) > left) shape.remove(QLatin1Char(' '));
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, shape);

        painter.setFont(small);
        line.moveTop(line.bottom());
        painter.drawText(line, Qt::AlignLeft | Qt::AlignTop, costText(stage));
        ++i;
    }
}

ShapesCard::ShapesCard(QWidget* parent)
    : Card(tr("Shapes"), Folding::Folds, parent), m_view(new StagesView), m_total(makeLabel({}, "muted")) {
    setObjectName(QStringLiteral("shapesCard"));
    m_view->setObjectName(QStringLiteral("shapesView"));
    m_total->setObjectName(QStringLiteral("shapesTotal"));
    m_total->setWordWrap(true);
    m_total->setToolTip(tr(
        "Products of matrices in one training step: forward, and twice that backward, once for the gradient "
        "of either factor. All T² scores count, though the causal mask needs half of them"));
    body()->addWidget(m_view);
    body()->addWidget(m_total);
}

void ShapesCard::setExperiment(const Experiment& experiment) {
    const ModelConfig& model = experiment.model;
    setNote(QStringLiteral("B %1 · T %2 · D %3 · H %4")
                .arg(experiment.batch_size)
                .arg(model.context_length)
                .arg(model.d_model)
                .arg(model.n_heads));
    std::int64_t parameters = 0, multiply_adds = 0;
    std::vector<BlockStage> stages = blockStages(experiment);
    for (const BlockStage& stage : stages) {
        parameters += stage.parameters;
        multiply_adds += stage.multiply_adds;
    }
    m_total->setText(tr("%1 parameters · %2 multiply-adds a training step")
                         .arg(grouped(parameters), rounded(multiply_adds)));
    m_view->show(std::move(stages));
}

}  // namespace headscope
