#pragma once

#include <vector>

#include <QDialog>

#include "engine/training/sweep.h"

class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace headscope {

class SweepView;
enum class PictureFormat;

/// Sets up a sweep over an experiment, shows its figure as it fills, and says what the user wants by its
/// signals; it never sees a thread.
class SweepDialog : public QDialog {
    Q_OBJECT
public:
    /// `base` is the experiment in hand; heads, scaling and seeds come from the fields.
    explicit SweepDialog(const Experiment& base, QWidget* parent = nullptr);

    /// Writes the figure, or where the name ends with .csv the table, and says so, or why it could not.
    void saveAs(const QString& path);

public slots:
    /// More rows of the sweep that was asked for last.
    void addRows(const std::vector<headscope::SweepRow>& rows);
    /// Nothing more will come; `failure`, where not empty, says why not all came.
    void showEnd(const QString& failure = {});

signals:
    /// The sweep is valid.
    void sweepRequested(const headscope::Sweep& sweep);
    void cancelRequested();

private:
    void layOut();
    /// What the fields say; throws Refusal.
    Sweep entered() const;
    void startOrCancel();
    void showState();
    void say(const QString& message, bool warns = false);
    void save();
    QByteArray picture(PictureFormat format) const;
    QByteArray table() const;

    Experiment m_base;
    Sweep m_sweep;  ///< asked for last
    std::vector<SweepRow> m_rows;
    bool m_running = false;
    QLineEdit* m_heads;
    QLineEdit* m_seeds;
    QLineEdit* m_threshold;
    QProgressBar* m_progress;
    QLabel* m_message;
    QPushButton* m_start;
    QPushButton* m_save;
    QPushButton* m_close;
    SweepView* m_view;
};

}  // namespace headscope
