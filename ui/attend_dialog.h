#pragma once

#include <vector>

#include <QDialog>

#include "engine/training/weights_file.h"

class QLabel;
class QLineEdit;
class QSpinBox;

namespace headscope {

class ChoiceBox;

/// Asks to what tokens the weights in a file shall attend, and for what the file may not say. It stays open
/// until it is told, by accept(), that it was done.
class AttendDialog : public QDialog {
    Q_OBJECT
public:
    explicit AttendDialog(const QString& file, QWidget* parent = nullptr);

    /// Says why what was asked for was not done.
    void showProblem(const QString& sentence);

signals:
    void attendRequested(const std::vector<int>& tokens, const headscope::WeightsHints& hints);

private:
    void ask();

    QLineEdit* m_tokens;
    QSpinBox* m_heads;
    ChoiceBox* m_scaling;
    ChoiceBox* m_positions;
    QLabel* m_message;
};

}  // namespace headscope
