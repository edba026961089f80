#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/training/update.h"
#include "ui/described_widget.h"

namespace headscope {

/// The probe's tokens in a row and, below each, the likeliest answer with its probability. Where a ripple
/// changed an output, its cell is lit by how much; the token that was changed is framed. A click or the arrow
/// keys choose a position.
class TokenStrip : public DescribedWidget {
    Q_OBJECT
public:
    explicit TokenStrip(QWidget* parent = nullptr);

    void showSnapshot(std::shared_ptr<const Snapshot> snapshot);

    int position() const { return m_position; }
    void setPosition(int position);

    /// The positions, ascending, that the ripple reached.
    std::vector<int> lit() const;
    /// Where a position is drawn, in widget coordinates.
    QRectF cellRect(int position) const;

    QString description() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void positionChosen(int position);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    int length() const;
    QString positionText(int position) const;
    void choose(int position);

    std::shared_ptr<const Snapshot> m_snapshot;
    int m_position = 0;
};

}  // namespace headscope
