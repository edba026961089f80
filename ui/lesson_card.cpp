#include "ui/lesson_card.h"

#include <algorithm>

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

#include "engine/training/block_demonstrations.h"
#include "ui/heatmap.h"
#include "ui/theme.h"
#include "ui/tick_slider.h"

namespace headscope {

/// Three projections against one: a table of differences.
class FusedQkvPanel : public QWidget {
public:
    FusedQkvPanel() {
        auto* grid = new QGridLayout(this);
        grid->setContentsMargins(0, 0, 0, 0);
        const QString names[kRows] = {LessonCard::tr("attn_out"), LessonCard::tr("∂ qkv_proj"),
                                      LessonCard::tr("∂ its bias"), LessonCard::tr("∂ input")};
        grid->addWidget(makeLabel(LessonCard::tr("difference"), "muted"), 0, 1, Qt::AlignRight);
        grid->addWidget(makeLabel(LessonCard::tr("largest value"), "muted"), 0, 2, Qt::AlignRight);
        for (int row = 0; row < kRows; ++row) {
            grid->addWidget(new QLabel(names[row]), row + 1, 0);
            for (int column = 0; column < 2; ++column) {
                m_cells[row][column] = new QLabel;
                grid->addWidget(m_cells[row][column], row + 1, column + 1, Qt::AlignRight);
            }
            m_cells[row][0]->setObjectName(QStringLiteral("fusedDifference%1").arg(row));
        }
        grid->setColumnStretch(0, 1);
    }

    void measure(const Experiment& experiment) {
        const ProjectionComparison found = compareProjections(experiment);
        const Difference rows[kRows] = {found.attn_out, found.grad_weight, found.grad_bias, found.grad_x};
        for (int row = 0; row < kRows; ++row) {
            m_cells[row][0]->setText(QString::number(rows[row].largest, 'g', 2));
            m_cells[row][1]->setText(QString::number(rows[row].size, 'g', 3));
        }
    }

private:
    static constexpr int kRows = 4;
    QLabel* m_cells[kRows][2];
};

namespace {

/// One head under both masks. What is seen is a smaller causal triangle; all else is not there.
class MaskedHeatmap : public QWidget {
public:
    MaskedHeatmap() {
        setObjectName(QStringLiteral("maskedHeatmap"));
        setMinimumHeight(160);
    }

    void show(MaskedRows rows) {
        m_rows = std::move(rows);
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const int T = m_rows.length, seen = T - m_rows.padding;
        const double side = std::min(width(), height());
        const QRectF all((width() - side) / 2, 0, side, side);
        const HeatmapStyle style = HeatmapStyle::of(Theme::of(palette()));
        QPainter painter(this);
        painter.fillRect(all, style.ground);
        painter.fillRect(all, QBrush(style.hatch, Qt::BDiagPattern));
        if (seen == 0 || m_rows.weights.empty()) return;
        std::vector<float> weights;
        for (int query = m_rows.padding; query < T; ++query) {
            const auto row = m_rows.weights.begin() + std::ptrdiff_t{query} * T + m_rows.padding;
            weights.insert(weights.end(), row, row + seen);
        }
        const double cell = side / T;
        const QRectF triangle = all.adjusted(m_rows.padding * cell, m_rows.padding * cell, 0, 0);
        painter.fillRect(triangle, style.ground);
        paintHeatmap(painter, triangle, {weights, seen}, style);
    }

private:
    MaskedRows m_rows;
};

}  // namespace

/// The block under causality and padding, and how much padding there is.
class MaskedRowsPanel : public QWidget {
public:
    MaskedRowsPanel() : m_map(new MaskedHeatmap), m_slider(new TickSlider), m_facts(makeLabel({}, "muted")) {
        m_slider->setObjectName(QStringLiteral("paddingSlider"));
        m_slider->setAccessibleName(LessonCard::tr("Tokens of padding"));
        m_facts->setObjectName(QStringLiteral("maskedRowsFacts"));
        m_facts->setWordWrap(true);
        m_map->setAccessibleName(LessonCard::tr("Attention of head 1 under causality and padding"));
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(m_map);
        column->addWidget(m_slider);
        column->addWidget(m_facts);
        QObject::connect(m_slider, &TickSlider::valueChanged, this, [this] { show(); });
    }

    void measure(const Experiment& experiment) {
        m_experiment = experiment;
        const bool first = m_slider->maximum() != experiment.model.context_length;
        const QSignalBlocker quiet(m_slider);
        m_slider->setRange(0, experiment.model.context_length);
        if (first) m_slider->setValue(experiment.model.context_length / 3);
        show();
    }

private:
    void show() {
        const MaskedRows found = maskedRows(m_experiment, m_slider->value());
        m_map->show(found);
        const QString finite = found.finite ? LessonCard::tr("All outputs and gradients are finite.")
                                            : LessonCard::tr("Some outputs or gradients are not finite.");
        const QString padding =
            found.padding == 0
                ? LessonCard::tr("No padding: every query sees at least itself.")
                : LessonCard::tr(
                      "First %1 tokens: padding. As many queries see nothing; their attn_out is "
                      "out_proj's bias, off by %2 at most.")
                      .arg(found.padding)
                      .arg(found.bias_difference);
        m_facts->setText(padding + u' ' + finite);
    }

    Experiment m_experiment;
    MaskedHeatmap* m_map;
    TickSlider* m_slider;
    QLabel* m_facts;
};

LessonCard::LessonCard(QWidget* parent)
    : Card(tr("Measured here"), Card::Folding::Folds, parent),
      m_fusedQkv(new FusedQkvPanel),
      m_maskedRows(new MaskedRowsPanel) {
    setObjectName(QStringLiteral("lessonCard"));
    body()->addWidget(m_fusedQkv);
    body()->addWidget(m_maskedRows);
    showPanel(LessonPanel::None);
}

void LessonCard::showPanel(LessonPanel panel) {
    m_panel = panel;
    setVisible(panel != LessonPanel::None);
    m_fusedQkv->setVisible(panel == LessonPanel::FusedQkv);
    m_maskedRows->setVisible(panel == LessonPanel::MaskedRows);
    setNote(panel == LessonPanel::FusedQkv ? tr("three or one") : tr("causal and padding"));
    measure();
}

void LessonCard::setExperiment(const Experiment& experiment) {
    m_experiment = experiment;
    measure();
}

void LessonCard::measure() {
    if (m_panel == LessonPanel::None || !problems(m_experiment).empty()) return;
    if (m_panel == LessonPanel::FusedQkv) m_fusedQkv->measure(m_experiment);
    if (m_panel == LessonPanel::MaskedRows) m_maskedRows->measure(m_experiment);
}

}  // namespace headscope
