#include "ui/similarity_card.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QFontInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include "engine/training/head_labels.h"
#include "ui/theme.h"

namespace headscope {
namespace {

constexpr int kSide = 116;  // of the matrix
constexpr int kGap = 4;

bool isArrow(int key) { return key >= Qt::Key_Left && key <= Qt::Key_Down; }

QString divergenceFormula() {
    return SimilarityCard::tr(
        "Jensen–Shannon divergence of the two heads' rows, H((a + b)/2) − (H(a) + H(b))/2 in bits, mean over "
        "the queries that must answer: 0 where they attend alike, 1 where they share no key");
}

bool hasOnlyWeights(const Snapshot& snapshot, int head) {
    const auto length = static_cast<std::ptrdiff_t>(snapshot.experiment.model.context_length);
    const auto first = snapshot.weights.begin() + head * length * length;
    return std::all_of(first, first + length * length, isWeight);
}

/// It cannot be compared with any.
void eraseHead(std::vector<float>& divergences, int n_heads, int head) {
    for (int other = 0; other < n_heads; ++other) {
        constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
        divergences[static_cast<std::size_t>(head * n_heads + other)] = kNone;
        divergences[static_cast<std::size_t>(other * n_heads + head)] = kNone;
    }
}

}  // namespace

SimilarityMatrix::SimilarityMatrix(QWidget* parent) : DescribedWidget(parent) {
    setAccessibleName(tr("How differently each two heads attend"));
    setToolTip(divergenceFormula());
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void SimilarityMatrix::show(std::vector<float> divergences, int n_heads) {
    m_divergences = std::move(divergences);
    m_n_heads = m_divergences.empty() ? 0 : n_heads;
    if (m_cursor && m_cursor->row >= m_n_heads) m_cursor.reset();
    update();
    announce();
    emit textChanged();
}

void SimilarityMatrix::setColormap(Colormap colormap) {
    m_colormap = colormap;
    update();
}

QFont SimilarityMatrix::labelFont() const {
    QFont small = font();
    small.setPixelSize(std::max(9, QFontInfo(font()).pixelSize() - 2));
    return small;
}

QSize SimilarityMatrix::sizeHint() const {
    const QFontMetrics metrics(labelFont());
    const int left = metrics.horizontalAdvance(QStringLiteral("000")) + kGap;
    return {left + kSide + 2, kSide + metrics.height() + kGap + 2};
}

QRectF SimilarityMatrix::square() const {
    return {static_cast<double>(sizeHint().width() - kSide - 1), 1, kSide, kSide};
}

QRectF SimilarityMatrix::cellRect(const Pair& pair) const {
    return heatmapCell(square(), m_n_heads, pair.row, pair.column, devicePixelRatioF());
}

float SimilarityMatrix::at(const Pair& pair) const {
    return m_divergences[static_cast<std::size_t>(pair.row * m_n_heads + pair.column)];
}

QString SimilarityMatrix::pairText(const Pair& pair) const {
    const float value = at(pair);
    if (pair.row == pair.column) return tr("head %1 with itself: 0").arg(pair.row + 1);
    return tr("heads %1 and %2: %3")
        .arg(pair.column + 1)
        .arg(pair.row + 1)
        .arg(isWeight(value)
                 ? tr("%1 bits").arg(double{value}, 0, 'f', 2).replace(QLatin1Char(' '), QChar(QChar::Nbsp))
                 : tr("not a number"));
}

QString SimilarityMatrix::text() const {
    if (m_n_heads == 0) return {};
    if (m_cursor) return pairText(*m_cursor);
    std::optional<Pair> alike, different;
    for (int row = 1; row < m_n_heads; ++row)
        for (int column = 0; column < row; ++column) {
            const Pair pair{row, column};
            if (!isWeight(at(pair))) continue;
            if (!alike || at(pair) < at(*alike)) alike = pair;
            if (!different || at(pair) > at(*different)) different = pair;
        }
    if (!alike) return tr("not a number");
    if (*alike == *different) return pairText(*alike);
    return tr("most alike:\n%1\nmost different:\n%2").arg(pairText(*alike), pairText(*different));
}

void SimilarityMatrix::setCursorPair(std::optional<Pair> pair) {
    if (pair == m_cursor) return;
    m_cursor = pair;
    update();
    announce();
    emit textChanged();
}

bool SimilarityMatrix::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && isArrow(static_cast<QKeyEvent*>(event)->key())) {
        event->accept();
        return true;
    }
    return DescribedWidget::event(event);
}

void SimilarityMatrix::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    if (m_n_heads == 0) return;
    HeatmapStyle style = HeatmapStyle::of(theme, m_colormap);
    style.hatch = style.ground;  // the other half says the same; nothing is masked
    paintHeatmap(painter, square(), {m_divergences, m_n_heads}, style);

    painter.setFont(labelFont());
    painter.setPen(theme.mutedText);
    const QFontMetricsF metrics(painter.font());
    const double cell = kSide / static_cast<double>(m_n_heads);
    const int every = std::max(1, static_cast<int>(std::ceil(1.1 * metrics.height() / cell)));
    for (int head = 0; head < m_n_heads; head += every) {
        const QString number = QString::number(head + 1);
        const double middle = (head + 0.5) * cell;
        painter.drawText(QRectF(0, square().top() + middle - metrics.height() / 2, square().left() - kGap,
                                metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, number);
        painter.drawText(
            QRectF(square().left() + middle - 20, square().bottom() + kGap / 2.0, 40, metrics.height()),
            Qt::AlignHCenter | Qt::AlignTop, number);
    }
    if (hasFocus() && !m_cursor) {
        painter.setPen(QPen(theme.accent, 1.5));
        painter.drawRect(square());
    }
    if (!m_cursor) return;
    painter.setPen(QPen(theme.card, 4));
    painter.drawRect(cellRect(*m_cursor));
    painter.setPen(QPen(theme.text, 2));
    painter.drawRect(cellRect(*m_cursor));
}

void SimilarityMatrix::mouseMoveEvent(QMouseEvent* event) {
    const QPointF inside = (event->position() - square().topLeft()) * m_n_heads / kSide;
    Pair pair{static_cast<int>(std::floor(inside.y())), static_cast<int>(std::floor(inside.x()))};
    if (pair.column > pair.row) std::swap(pair.column, pair.row);
    const bool valid = pair.column >= 0 && pair.row < m_n_heads;
    setCursorPair(valid ? std::optional(pair) : std::nullopt);
}

void SimilarityMatrix::leaveEvent(QEvent*) { setCursorPair({}); }
void SimilarityMatrix::focusOutEvent(QFocusEvent*) { setCursorPair({}); }

void SimilarityMatrix::keyPressEvent(QKeyEvent* event) {
    if (m_n_heads == 0 || !(isArrow(event->key()) || (event->key() == Qt::Key_Escape && m_cursor)))
        return DescribedWidget::keyPressEvent(event);
    if (event->key() == Qt::Key_Escape) return setCursorPair({});
    if (!m_cursor) return setCursorPair(Pair{m_n_heads - 1, 0});
    Pair pair = *m_cursor;
    pair.column += event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    pair.row += event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if (pair.column >= 0 && pair.column <= pair.row && pair.row < m_n_heads) setCursorPair(pair);
}

SimilarityCard::SimilarityCard(QWidget* parent)
    : Card(tr("Similarity of heads"), Folding::Folds, parent),
      m_matrix(new SimilarityMatrix),
      m_text(makeLabel({}, "muted")) {
    setObjectName(QStringLiteral("similarityCard"));
    m_matrix->setObjectName(QStringLiteral("similarityMatrix"));
    m_text->setObjectName(QStringLiteral("similarityText"));
    m_text->setWordWrap(true);
    m_text->setToolTip(divergenceFormula());
    m_text->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(m_matrix, 0, Qt::AlignTop);
    row->addWidget(m_text, 1);
    body()->addLayout(row);
    m_due.setSingleShot(true);
    connect(&m_due, &QTimer::timeout, this, &SimilarityCard::compare);
    connect(m_matrix, &SimilarityMatrix::textChanged, this, &SimilarityCard::describe);
    m_matrix->hide();
    describe();
}

void SimilarityCard::showSnapshot(std::shared_ptr<const Snapshot> snapshot) {
    m_snapshot = std::move(snapshot);
    if (!isVisible()) return;  // until it is seen
    if (!m_due.isActive()) compare();
}

void SimilarityCard::showEvent(QShowEvent* event) {
    Card::showEvent(event);
    if (!m_due.isActive()) compare();
}

void SimilarityCard::compare() {
    std::vector<float> divergences;
    int n_heads = 0;
    if (m_snapshot) {
        const ModelConfig& model = m_snapshot->experiment.model;
        n_heads = model.n_heads;
        const double side = double{1} * n_heads * model.context_length;
        if (side * side <= kMostComparisons) {
            QElapsedTimer took;
            took.start();
            const std::vector<double> exact = headDivergences(*m_snapshot);
            divergences.assign(exact.begin(), exact.end());
            for (int head = 0; head < n_heads; ++head)
                if (!hasOnlyWeights(*m_snapshot, head)) eraseHead(divergences, n_heads, head);
            if (took.elapsed() > 0) m_due.start(static_cast<int>(20 * took.elapsed()));
        }
    }
    m_matrix->setVisible(n_heads > 1 && !divergences.empty());
    m_matrix->show(std::move(divergences), n_heads);
}

void SimilarityCard::describe() {
    const bool shown = m_matrix->isVisibleTo(m_matrix->parentWidget());
    const bool alone = m_snapshot && m_snapshot->experiment.model.n_heads == 1;
    m_text->setText(shown        ? m_matrix->text()
                    : alone      ? tr("One head has none to be compared with.")
                    : m_snapshot ? tr("Too many heads and tokens to compare while they learn.")
                                 : tr("Start a run to compare its heads."));
    setNote(shown ? tr("0 alike · 1 apart") : QString());
}

}  // namespace headscope
