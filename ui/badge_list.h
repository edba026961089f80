#pragma once

#include <vector>

#include "ui/described_widget.h"
#include "ui/mechanism_text.h"

namespace headscope {

/// The legend of a MechanismChart: of each head its line, its number, its value and its badge in a word, in
/// as many columns as there is room for. Beyond kWritten heads each is a number colored by its badge.
class BadgeList : public DescribedWidget {
    Q_OBJECT
public:
    static constexpr int kWritten = 16;

    explicit BadgeList(QWidget* parent = nullptr);

    void show(const std::vector<HeadDiagnostics>& heads, Measure measure);

    /// Where a head (from 0) stands.
    QRectF entryRect(int head) const;
    /// What the pointer is told there.
    QString entryText(int head) const;

    QString description() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    int count() const { return static_cast<int>(m_heads.size()); }
    int columns(int width) const;
    int rowHeight() const;

    std::vector<HeadDiagnostics> m_heads;
    Measure m_measure = Measure::RowEntropy;
};

}  // namespace headscope
