#pragma once

#include <QFrame>

#include "ui/twin_choice.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace headscope {

class ChoiceBox;

/// Chooses the one thing in which a twin differs from the run, and its value. A small popup below a button;
/// Escape or a click beside it closes it.
class ComparePanel : public QFrame {
    Q_OBJECT
public:
    explicit ComparePanel(QWidget* parent = nullptr);

    /// Opens below `anchor`, with twins of this experiment.
    void open(const Experiment& experiment, const QWidget& anchor);

signals:
    void chosen(const headscope::Experiment& twin);

private:
    TwinField field() const;
    void showValues();
    void commit();
    void refuse(const QString& sentence);

    Experiment m_experiment;
    std::vector<std::pair<QString, Experiment>> m_twins;
    ChoiceBox* m_field;
    ChoiceBox* m_value;
    QLineEdit* m_typed;
    QLabel* m_message;
    QPushButton* m_start;
};

}  // namespace headscope
