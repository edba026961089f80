#pragma once

#include <vector>

#include "engine/training/update.h"
#include "ui/card.h"
#include "ui/described_widget.h"

class QAction;
class QGridLayout;
class QPushButton;
class QScrollArea;

namespace headscope {

/// The probe loss without one head: a bar from 0, and its value.
class ImportanceBar : public DescribedWidget {
    Q_OBJECT
public:
    explicit ImportanceBar(int head, QWidget* parent = nullptr);

    /// `full` is the loss at the end of the bar's room, positive; `with_all` has a mark. A value that is not
    /// finite is said and has no bar.
    void show(float loss_without, float with_all, double full, HeadMode mode);
    /// The bar itself; empty where there is none.
    QRectF bar() const;
    QString valueText() const;

    QString description() const override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double barRoom() const;

    int m_head;
    float m_loss = 0, m_withAll = 0;
    double m_full = 1;
    HeadMode m_mode = HeadMode::Trained;
};

/// What each head is worth, and what else it could do: mute it, let it attend uniformly, freeze it, undo. The
/// numbers came from showSnapshot(); the buttons show what was asked for last or told since.
class ImportanceCard : public Card {
    Q_OBJECT
public:
    explicit ImportanceCard(QWidget* parent = nullptr);

    /// Forgets what could be undone.
    void beginRun();
    /// The modes that undo() goes back to, the newest last.
    const std::vector<std::vector<HeadMode>>& undoList() const { return m_before; }
    void setUndoList(std::vector<std::vector<HeadMode>> list);
    /// As they are in the running model; no head can be asked anything while another number of them is shown.
    void showModes(const std::vector<HeadMode>& modes);
    void showSnapshot(const Snapshot& snapshot);
    void clear();

    void request(int head, HeadMode mode);
    void toggleMute(int head);
    void undo();

signals:
    void headModesRequested(const std::vector<headscope::HeadMode>& modes);

private:
    struct Row {
        ImportanceBar* bar;
        QPushButton* mute;
        QPushButton* more;
        std::vector<QAction*> modes;  ///< of its menu, in the order of kModes
    };

    void makeRows(int n_heads);
    Row makeRow(int head);
    void refreshModes();
    bool canAsk() const { return !m_rows.empty() && m_modes.size() == m_rows.size(); }

    QScrollArea* m_scrolled;
    QGridLayout* m_grid = nullptr;
    QLabel* m_empty;
    QPushButton* m_undo;
    std::vector<Row> m_rows;
    std::vector<HeadMode> m_modes;
    std::vector<std::vector<HeadMode>> m_before;  ///< the undo list
};

}  // namespace headscope
