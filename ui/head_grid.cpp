#include "ui/head_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>

#include "ui/snapshot_text.h"

namespace headscope {
namespace {

HeadGridStyle styleOf(const QWidget& widget, Colormap colormap, double device_ratio) {
    HeadGridStyle style;
    style.theme = Theme::of(widget.palette());
    style.colormap = colormap;
    style.font = widget.font();
    style.device_ratio = device_ratio;
    return style;
}

bool isArrow(int key) {
    return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
}

/// With Control and the like it is a shortcut of the window.
bool isPlainArrow(const QKeyEvent& event) {
    return isArrow(event.key()) && (event.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
}

}  // namespace

HeadGrid::HeadGrid(QWidget* parent) : DescribedWidget(parent) {
    setAccessibleName(tr("Attention of each head"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void HeadGrid::showSnapshot(std::shared_ptr<const Snapshot> snapshot) {
    const auto shape = [](const auto& s) {
        return s ? std::pair{s->experiment.model.n_heads, s->experiment.model.context_length}
                 : std::pair{0, 0};
    };
    const bool reshaped = shape(snapshot) != shape(m_snapshot);
    if (reshaped) m_cursor.reset();
    const auto labels = [](const auto& s) { return s ? axisLabelsOf(*s) : std::vector<QString>(); };
    const bool relabeled = labels(snapshot) != labels(m_snapshot);
    m_snapshot = std::move(snapshot);
    if (reshaped || relabeled) layoutChanged();
    m_cellsStale = true;
    m_titlesStale = true;
    update();
    announce();
}

void HeadGrid::follow(const Update& update, TwinSide side) {
    m_muteLog.add(update, side);
    m_titlesStale = true;
}

void HeadGrid::matchWith(HeadGrid* other) {
    m_other = other;
    layoutChanged();
}

const std::vector<HeadTitle>& HeadGrid::titles() const {
    if (m_titlesStale) m_titles = m_snapshot ? headTitles(*m_snapshot, m_muteLog) : std::vector<HeadTitle>();
    m_titlesStale = false;
    return m_titles;
}

void HeadGrid::setColormap(Colormap colormap) {
    m_colormap = colormap;
    m_layoutStale = true;
    update();
}

void HeadGrid::setKind(HeatmapKind kind) {
    m_kind = kind;
    m_layoutStale = true;
    update();
}

void HeadGrid::setCursorCell(std::optional<Cell> cell) {
    if (cell == m_cursor) return;
    m_cursor = cell;
    update();
    announce();
}

QString HeadGrid::cursorText() const {
    return m_cursor && m_snapshot ? cellText(*m_snapshot, m_cursor->head, m_cursor->query, m_cursor->key)
                                  : QString();
}

QString HeadGrid::description() const {
    if (!m_snapshot) return tr("No heads yet.");
    QString summary = summaryText(*m_snapshot);
    for (int head = 0; const HeadTitle& title : titles())
        summary += QLatin1Char('\n') + title.sentence(head++);
    return m_cursor ? cursorText() + QLatin1Char('\n') + summary : summary;
}

QSize HeadGrid::sizeHint() const { return {640, 480}; }
QSize HeadGrid::minimumSizeHint() const { return {220, 110}; }

void HeadGrid::relayout() const {
    if (!m_layoutStale || !m_snapshot) return;
    const auto layOut = [this](const HeadGrid& grid, double most_side) {
        const ModelConfig& model = grid.m_snapshot->experiment.model;
        HeadGridStyle style = styleOf(grid, m_colormap, m_deviceRatio);
        style.most_side = most_side;
        style.labels = axisLabelsOf(*grid.m_snapshot);
        return layoutHeadGrid(grid.rect(), 0, model.n_heads, model.context_length, style);
    };
    double most_side = std::numeric_limits<double>::infinity();
    if (m_other && m_other->m_snapshot) most_side = layOut(*m_other, most_side).side;
    m_layout = layOut(*this, most_side);
    m_layoutStale = false;
    m_frame = QImage();
}

/// Another size or number of tiles: of the other grid's too.
void HeadGrid::layoutChanged() {
    m_layoutStale = true;
    if (!m_other) return;
    m_other->m_layoutStale = true;
    m_other->update();
}

void HeadGrid::renderFrame() {
    relayout();
    HeadGridStyle style = styleOf(*this, m_colormap, m_deviceRatio);
    if (m_kind == HeatmapKind::Scores && !m_snapshot->scores.empty()) {
        style.kind = m_kind;
        style.limit = scoreLimit(*m_snapshot);
    }
    if (style.limit != m_limit) m_frame = QImage();  // with its color bar
    m_limit = style.limit;
    const bool fresh = m_frame.isNull();
    if (fresh) {
        m_frame = QImage((QSizeF(size()) * m_deviceRatio).toSize(), QImage::Format_RGB32);
        m_frame.fill(style.theme.card);
    } else if (!m_cellsStale) {
        return;
    }
    m_frame.setDevicePixelRatio(m_deviceRatio);
    QPainter painter(&m_frame);
    if (fresh) paintHeadGridFrame(painter, m_layout, style);
    paintHeadGridCells(painter, m_layout, cellsOf(*m_snapshot, style), style);
    int brevity = 0;
    if (m_other && m_other->m_snapshot) {
        m_other->relayout();
        brevity = titleBrevity(m_other->m_layout, m_other->titles());
    }
    paintHeadTitles(painter, m_layout, titles(), style, brevity);
    paintMutedHeads(painter, m_layout, titles(), style);
    painter.end();
    m_frame.setDevicePixelRatio(1);  // it is drawn pixel for pixel
    m_cellsStale = false;
}

void HeadGrid::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    // Asked of the painter, not of the screen: the widget may be rendered into a picture.
    const double ratio = painter.deviceTransform().m11();
    if (ratio != m_deviceRatio) {
        m_deviceRatio = ratio;
        m_layoutStale = true;
    }
    if (!m_snapshot) {
        const Theme theme = Theme::of(palette());
        painter.fillRect(rect(), theme.card);
        painter.setPen(theme.mutedText);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                         tr("No heads yet. Start a run to see what they attend to."));
        return;
    }
    renderFrame();
    drawUnscaled(painter, {0, 0}, m_frame);
    if (m_cursor && m_layout.columns) paintCursor(painter);
}

void HeadGrid::paintCursor(QPainter& painter) {
    const Theme theme = Theme::of(palette());
    const QRectF cell = cellRect(*m_cursor);
    painter.setRenderHint(QPainter::Antialiasing);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1.5));
        painter.drawRect(m_layout.tile(m_cursor->head).adjusted(-2.5, -2.5, 2.5, 2.5));
    }
    // Two rings, so that the outline shows on dark and on bright cells.
    painter.setPen(QPen(theme.card, 4));
    painter.drawRect(cell.adjusted(-1, -1, 1, 1));
    painter.setPen(QPen(theme.text, 2));
    painter.drawRect(cell.adjusted(-1, -1, 1, 1));

    const QStringList lines = cursorText().split(QLatin1Char('\n'));
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(font());
    double width = QFontMetricsF(bold).horizontalAdvance(lines.front());
    for (const QString& line : lines) width = std::max(width, metrics.horizontalAdvance(line));
    const double pad = 0.6 * metrics.height();
    const QSizeF size(width + 2 * pad, lines.size() * metrics.lineSpacing() + 1.2 * pad);
    QPointF corner(cell.right() + pad, cell.top() - size.height() - pad / 2);
    if (corner.x() + size.width() > this->width()) corner.setX(cell.left() - pad - size.width());
    if (corner.y() < 0) corner.setY(cell.bottom() + pad / 2);
    corner.setX(std::clamp(corner.x(), 0.0, std::max(0.0, this->width() - size.width())));
    corner.setY(std::clamp(corner.y(), 0.0, std::max(0.0, height() - size.height())));
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::ToolTipBase));
    painter.drawRoundedRect(QRectF(corner, size), 5, 5);
    painter.setPen(palette().color(QPalette::ToolTipText));
    double y = corner.y() + 0.6 * pad;
    for (qsizetype i = 0; i < lines.size(); ++i, y += metrics.lineSpacing()) {
        painter.setFont(i == 0 ? bold : font());
        painter.drawText(QRectF(corner.x() + pad, y, width + 2, metrics.lineSpacing()), Qt::AlignVCenter,
                         lines[i]);
    }
}

QRectF HeadGrid::cellRect(const Cell& cell) const {
    relayout();
    if (!m_snapshot || !m_layout.columns) return {};
    return heatmapCell(m_layout.tile(cell.head), m_layout.length, cell.query, cell.key, m_deviceRatio);
}

std::optional<HeadGrid::Cell> HeadGrid::cellAt(const QPointF& position) const {
    relayout();
    if (!m_snapshot) return {};
    for (int head = 0; head < m_layout.n_heads; ++head) {
        const QRectF tile = m_layout.tile(head);
        if (!tile.contains(position)) continue;
        const auto index = [&](double offset) {
            return std::clamp(static_cast<int>(offset * m_layout.length / m_layout.side), 0,
                              m_layout.length - 1);
        };
        return Cell{head, index(position.y() - tile.top()), index(position.x() - tile.left())};
    }
    return {};
}

std::optional<int> HeadGrid::titleAt(const QPointF& position) const {
    relayout();
    if (!m_snapshot || m_layout.titles == HeadGridLayout::Titles::None) return {};
    if (!m_snapshot->origin.empty()) return {};  // nothing there to mute
    for (int head = 0; head < m_layout.n_heads; ++head)
        if (titleRect(m_layout, head).contains(position)) return head;
    return {};
}

std::optional<int> HeadGrid::headAt(const QPointF& position) const {
    const auto cell = cellAt(position);
    return cell ? cell->head : titleAt(position);
}

bool HeadGrid::event(QEvent* event) {
    // The arrow keys are the cursor's while it is here, whatever shortcuts the window has for them.
    if (event->type() == QEvent::ShortcutOverride && isPlainArrow(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return DescribedWidget::event(event);
}

void HeadGrid::resizeEvent(QResizeEvent*) { layoutChanged(); }

void HeadGrid::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::LanguageChange) {
        m_layoutStale = true;
        update();
    }
    DescribedWidget::changeEvent(event);
}

void HeadGrid::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    if (const auto head = titleAt(event->position())) emit muteToggled(*head);
}

void HeadGrid::mouseMoveEvent(QMouseEvent* event) {
    const bool on_title = titleAt(event->position()).has_value();
    setCursor(on_title ? Qt::PointingHandCursor : Qt::ArrowCursor);
    setToolTip(on_title
                   ? tr("Click to mute this head, and again to let it train\n"
                        "The label is what it does most: 1 where it does nothing else, 0 where no more than "
                        "a head that attends uniformly; mixed below %1")
                         .arg(kLabelScore)
                   : QString());
    setCursorCell(cellAt(event->position()));
}

void HeadGrid::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto cell = cellAt(event->position())) emit headActivated(cell->head);
}

void HeadGrid::leaveEvent(QEvent*) { setCursorCell({}); }

void HeadGrid::focusInEvent(QFocusEvent* event) {
    const bool by_keyboard =
        event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    if (by_keyboard && m_snapshot && !m_cursor) setCursorCell(Cell{});
    update();
}

void HeadGrid::focusOutEvent(QFocusEvent*) { setCursorCell({}); }

std::optional<HeadGrid::Cell> HeadGrid::moved(const Cell& cell, int key) const {
    const int last = m_layout.length - 1;
    const int columns = m_layout.columns;
    const auto inGrid = [&](int head) { return head >= 0 && head < m_layout.n_heads; };
    Cell to = cell;
    switch (key) {
        case Qt::Key_Left:
            if (--to.key >= 0) return to;
            to = {cell.head - 1, cell.query, last};
            return cell.head % columns > 0 ? std::optional(to) : std::nullopt;
        case Qt::Key_Right:
            if (++to.key <= last) return to;
            to = {cell.head + 1, cell.query, 0};
            return to.head % columns > 0 && inGrid(to.head) ? std::optional(to) : std::nullopt;
        case Qt::Key_Up:
            if (--to.query >= 0) return to;
            to = {cell.head - columns, last, cell.key};
            break;
        case Qt::Key_Down:
            if (++to.query <= last) return to;
            to = {cell.head + columns, 0, cell.key};
            break;
        case Qt::Key_PageUp:
            to.head = cell.head - 1;
            break;
        case Qt::Key_PageDown:
            to.head = cell.head + 1;
            break;
        case Qt::Key_Home:
            to.key = 0;
            break;
        case Qt::Key_End:
            to.key = m_snapshot->causal ? cell.query : last;
            break;
        default:
            return {};
    }
    return inGrid(to.head) ? std::optional(to) : std::nullopt;
}

void HeadGrid::keyPressEvent(QKeyEvent* event) {
    relayout();
    if (m_snapshot && m_layout.columns) {
        if (event->key() == Qt::Key_Escape && m_cursor) return setCursorCell({});
        if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_cursor)
            return emit headActivated(m_cursor->head);
        if (event->key() == Qt::Key_M && m_cursor && event->modifiers() == Qt::NoModifier)
            return emit muteToggled(m_cursor->head);
        if (!m_cursor && isArrow(event->key())) return setCursorCell(Cell{});
        if (m_cursor)
            if (const auto to = moved(*m_cursor, event->key())) return setCursorCell(to);
        if (isArrow(event->key())) return;
    }
    DescribedWidget::keyPressEvent(event);
}

}  // namespace headscope
