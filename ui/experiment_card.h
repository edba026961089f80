#pragma once

#include <functional>
#include <vector>

#include "engine/training/experiment.h"
#include "ui/card.h"

class QGridLayout;
class QLineEdit;

namespace headscope {

class ChoiceBox;
class TickSlider;

/// The task and all numbers of the training. A value counts when its editing is finished (Enter, another
/// field, a slider let go). What cannot be run is kept as it was typed, with the reason below it, and nothing
/// is emitted until all of it can be run.
class ExperimentCard : public Card {
    Q_OBJECT
public:
    explicit ExperimentCard(QWidget* parent = nullptr);

    /// Shows an experiment that is asked for or running. Touches only the fields whose value it changes, so
    /// that what is being typed elsewhere stays.
    void setExperiment(const Experiment& experiment);
    /// Shows it in every field; what was typed is gone.
    void reset(const Experiment& experiment);

signals:
    /// Valid, and not what was shown. Where the head count does not divide a new d_model, it is the largest
    /// divisor below.
    void edited(const headscope::Experiment& experiment);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// One value: how it is read and written. `name` is the member of Experiment, as in Problem.
    struct Field {
        std::string_view name;
        QLabel* label = nullptr;
        QLabel* message = nullptr;
        QLineEdit* edit = nullptr;  ///< or
        ChoiceBox* choice = nullptr;
        std::function<QString(const Experiment&)> write = {};
        /// False when the text is no such value.
        std::function<bool(const QString&, Experiment&)> read = {};
        QString refusal = {};  ///< said when it is not

        QWidget* editor() const;
        void show(bool shown) const;
    };

    void addChoice(std::string_view name, const char* objectName, const QString& label, const QString& tip,
                   const QStringList& words, std::function<int(const Experiment&)> write,
                   std::function<void(int, Experiment&)> read);
    Field& addEdit(std::string_view name, const char* objectName, const QString& label, const QString& tip);
    template <typename Member>
    void addWholeNumber(std::string_view name, const char* objectName, const QString& label,
                        const QString& tip, Member member);
    template <typename Member>
    void addNumber(std::string_view name, const char* objectName, const QString& label, const QString& tip,
                   Member member);
    void addLags();
    void addRateSlider();
    void finishField(Field& field, const char* objectName, const QString& label, const QString& tip);

    Field& field(std::string_view name);
    void write(Field& field, const QString& text);
    void arrange();
    void place(std::string_view name, int line, int column, int span);
    void commit();
    void say(Field& field, const QString& text, bool refused);

    Experiment m_experiment;
    std::vector<Field> m_fields;
    TickSlider* m_rate;
    QGridLayout* m_grid;
    QWidget* m_tabbed = nullptr;  ///< the last placed, which the next one follows
};

}  // namespace headscope
