#pragma once

#include "ui/block_stages.h"
#include "ui/card.h"
#include "ui/described_widget.h"

namespace headscope {

/// The stages below each other on one line, each with its shape, its parameters and its cost.
class StagesView : public DescribedWidget {
    Q_OBJECT
public:
    explicit StagesView(QWidget* parent = nullptr);

    void show(std::vector<BlockStage> stages);
    const std::vector<BlockStage>& stages() const { return m_stages; }
    QRectF stageRect(int stage) const;

    QString description() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QFont smallFont() const;
    int rowHeight(const BlockStage& stage) const;

    std::vector<BlockStage> m_stages;
};

/// The data's way through the block with the numbers of the experiment in hand.
class ShapesCard : public Card {
    Q_OBJECT
public:
    explicit ShapesCard(QWidget* parent = nullptr);
    /// Valid ones only.
    void setExperiment(const Experiment& experiment);

private:
    StagesView* m_view;
    QLabel* m_total;
};

}  // namespace headscope
