#include "ui/compare_panel.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include "ui/card.h"
#include "ui/choice_box.h"
#include "ui/sentences.h"

namespace headscope {

ComparePanel::ComparePanel(QWidget* parent)
    : QFrame(parent, Qt::Popup),
      m_field(new ChoiceBox),
      m_value(new ChoiceBox),
      m_typed(new QLineEdit),
      m_message(makeLabel({}, "error")),
      m_start(new QPushButton(tr("Compare from the seed"))) {
    setObjectName(QStringLiteral("comparePanel"));
    setAccessibleName(tr("Compare with a twin"));
    m_field->setObjectName(QStringLiteral("twinField"));
    m_field->setAccessibleName(tr("What differs"));
    m_value->setObjectName(QStringLiteral("twinValue"));
    m_value->setAccessibleName(tr("The twin's value"));
    m_typed->setObjectName(QStringLiteral("twinTyped"));
    m_typed->setAccessibleName(tr("The twin's value"));
    m_message->setObjectName(QStringLiteral("twinMessage"));
    m_message->setWordWrap(true);
    m_start->setObjectName(QStringLiteral("twinStart"));
    m_start->setProperty("primary", true);
    m_start->setToolTip(tr("Both learn from the same seed on the same batches, step by step"));
    for (const TwinField field : {TwinField::Scaling, TwinField::Heads, TwinField::LearningRate,
                                  TwinField::Positions, TwinField::ModelWidth, TwinField::TokenStd})
        m_field->addItem(twinFieldName(field), static_cast<int>(field));

    auto* what = makeLabel(tr("A twin learns beside this run, on the same batches. It differs in"), "muted");
    what->setWordWrap(true);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(16, 12, 16, 14);
    rows->setSpacing(8);
    for (QWidget* row :
         {static_cast<QWidget*>(makeLabel(tr("Compare"), "title")), static_cast<QWidget*>(what),
          static_cast<QWidget*>(m_field), static_cast<QWidget*>(m_value), static_cast<QWidget*>(m_typed),
          static_cast<QWidget*>(m_message), static_cast<QWidget*>(m_start)})
        rows->addWidget(row);
    setFixedWidth(QFontInfo(font()).pixelSize() * 22);

    connect(m_field, &QComboBox::currentIndexChanged, this, &ComparePanel::showValues);
    connect(m_typed, &QLineEdit::textEdited, this, [this] { refuse({}); });
    connect(m_typed, &QLineEdit::returnPressed, this, &ComparePanel::commit);
    connect(m_start, &QPushButton::clicked, this, &ComparePanel::commit);
}

void ComparePanel::open(const Experiment& experiment, const QWidget& anchor) {
    m_experiment = experiment;
    showValues();
    adjustSize();
    move(anchor.mapToGlobal(QPoint(anchor.width() - width(), anchor.height() + 4)));
    show();
    m_field->setFocus();
}

TwinField ComparePanel::field() const { return static_cast<TwinField>(m_field->currentData().toInt()); }

void ComparePanel::showValues() {
    m_twins = twinsOf(m_experiment, field());
    const QString typed = typedValue(m_experiment, field());
    m_value->clear();
    for (const auto& [text, twin] : m_twins) m_value->addItem(text);
    m_value->setVisible(!m_twins.empty());
    m_typed->setText(typed);
    m_typed->setVisible(!typed.isEmpty());
    m_start->setEnabled(!m_twins.empty() || !typed.isEmpty());
    refuse(m_start->isEnabled() ? QString() : tr("This model can have no other"));
}

void ComparePanel::commit() {
    std::optional<Experiment> twin;
    if (!m_twins.empty()) {
        twin = m_twins[static_cast<std::size_t>(m_value->currentIndex())].second;
    } else {
        twin = twinTyped(m_experiment, field(), m_typed->text());
        if (!twin) return refuse(tr("%1 is no such number").arg(m_typed->text()));
        if (*twin == m_experiment) return refuse(tr("The twin must have another value"));
        if (const auto found = problems(*twin); !found.empty())
            return refuse(sentence(found.front().refusal));
    }
    close();
    emit chosen(*twin);
}

void ComparePanel::refuse(const QString& sentence) {
    m_message->setText(sentence);
    m_message->setVisible(!sentence.isEmpty());
    m_typed->setProperty("invalid", !sentence.isEmpty());
    m_typed->style()->polish(m_typed);
    if (isVisible()) adjustSize();
}

}  // namespace headscope
