#pragma once

#include <memory>
#include <optional>

#include <QImage>

#include "engine/training/update.h"
#include "ui/described_widget.h"
#include "ui/head_grid_layout.h"
#include "ui/head_titles.h"
#include "ui/mute_log.h"

namespace headscope {

/// The heads of a snapshot side by side: one heatmap each under a title that says what the head does, one
/// color bar for all. Muted heads are veiled. The pointer or the arrow
/// keys choose a cell, whose query, key, tokens and weight are then told in a bubble and to screen readers.
/// Follows palette() and font(), live.
class HeadGrid : public DescribedWidget {
    Q_OBJECT
public:
    struct Cell {
        int head = 0, query = 0, key = 0;
        bool operator==(const Cell&) const = default;
    };

    explicit HeadGrid(QWidget* parent = nullptr);

    /// Null empties it. Repaints once, at the next event loop turn.
    void showSnapshot(std::shared_ptr<const Snapshot> snapshot);
    std::shared_ptr<const Snapshot> snapshot() const { return m_snapshot; }

    /// Remembers what muting a head did, for its tile to say. To be told every update of a live run.
    void follow(const Update& update, TwinSide side = TwinSide::First);
    /// What the tiles say of each head; empty without a snapshot.
    const std::vector<HeadTitle>& titles() const;
    const MuteLog& muteLog() const { return m_muteLog; }

    /// Tiles no larger, and titles no fuller, than `other` can have them: what is compared looks alike. The
    /// other lives as long.
    void matchWith(HeadGrid* other);

    void setColormap(Colormap colormap);
    /// Attention after the softmax, or the scores before it; those of a snapshot without scores are not
    /// known.
    void setKind(HeatmapKind kind);
    HeatmapKind kind() const { return m_kind; }

    std::optional<Cell> cursor() const { return m_cursor; }
    void setCursorCell(std::optional<Cell> cell);
    /// What the bubble says of the cell under the cursor; empty without one.
    QString cursorText() const;

    /// Where a cell is drawn, in widget coordinates; null without a snapshot.
    QRectF cellRect(const Cell& cell) const;
    std::optional<Cell> cellAt(const QPointF& position) const;
    /// The head whose cells or title are there.
    std::optional<int> headAt(const QPointF& position) const;

    /// What each head attends to most, in words; begins with cursorText() while there is a cursor.
    QString description() const override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// Double click, or Enter on a cell: the user wants to see this head (from 0) alone.
    void headActivated(int head);
    /// A click on the title of a head (from 0), or M on one of its cells: mute it, or let it train again.
    void muteToggled(int head);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void relayout() const;
    void layoutChanged();
    void renderFrame();
    void paintCursor(QPainter& painter);
    std::optional<Cell> moved(const Cell& cell, int key) const;

    std::optional<int> titleAt(const QPointF& position) const;

    HeadGrid* m_other = nullptr;
    std::shared_ptr<const Snapshot> m_snapshot;
    MuteLog m_muteLog;
    Colormap m_colormap = Colormap::Viridis;
    HeatmapKind m_kind = HeatmapKind::Attention;
    float m_limit = 1;  // of the scores' color scale as it is painted
    double m_deviceRatio = 1;
    // Made when first needed after something changed, be it by the painter or by the pointer.
    mutable HeadGridLayout m_layout;
    mutable bool m_layoutStale = true;
    mutable std::vector<HeadTitle> m_titles;
    mutable bool m_titlesStale = true;
    mutable QImage m_frame;  // everything but the cursor, in device pixels
    bool m_cellsStale = true;
    std::optional<Cell> m_cursor;
};

}  // namespace headscope
