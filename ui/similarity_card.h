#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QElapsedTimer>
#include <QTimer>

#include "engine/training/update.h"
#include "ui/card.h"
#include "ui/described_widget.h"
#include "ui/heatmap.h"

namespace headscope {

/// How differently each two heads attend, headDivergences(), as the lower triangle of a matrix in the colors
/// of the heatmaps. The pointer or the arrow keys choose a pair.
class SimilarityMatrix : public DescribedWidget {
    Q_OBJECT
public:
    /// Two heads, from 0; `column` ≤ `row`.
    struct Pair {
        int row = 0, column = 0;
        bool operator==(const Pair&) const = default;
    };

    explicit SimilarityMatrix(QWidget* parent = nullptr);

    /// (H, H) row-major; empty shows nothing.
    void show(std::vector<float> divergences, int n_heads);
    void setColormap(Colormap colormap);

    std::optional<Pair> cursor() const { return m_cursor; }
    /// Says what it is between two heads; of the cursor's pair, else the most alike and the most different.
    QString text() const;
    QRectF cellRect(const Pair& pair) const;

    QString description() const override { return text(); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void textChanged();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    QRectF square() const;
    QFont labelFont() const;
    void setCursorPair(std::optional<Pair> pair);
    float at(const Pair& pair) const;
    QString pairText(const Pair& pair) const;

    std::vector<float> m_divergences;
    int m_n_heads = 0;
    Colormap m_colormap = Colormap::Viridis;
    std::optional<Pair> m_cursor;
};

/// How alike the heads are. Computes when it is seen, and takes no more than a twentieth of the time.
class SimilarityCard : public Card {
    Q_OBJECT
public:
    /// Larger ones are not compared: H²·T² comparisons would hold the window up.
    static constexpr double kMostComparisons = 1e8;

    explicit SimilarityCard(QWidget* parent = nullptr);

    /// Null shows nothing.
    void showSnapshot(std::shared_ptr<const Snapshot> snapshot);
    void setColormap(Colormap colormap) { m_matrix->setColormap(colormap); }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void compare();
    void describe();

    SimilarityMatrix* m_matrix;
    QLabel* m_text;
    std::shared_ptr<const Snapshot> m_snapshot;
    QTimer m_due;
};

}  // namespace headscope
