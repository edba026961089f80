#include "ui/attend_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

#include "ui/attention_text.h"
#include "ui/card.h"
#include "ui/choice_box.h"

namespace headscope {

AttendDialog::AttendDialog(const QString& file, QWidget* parent)
    : QDialog(parent),
      m_tokens(new QLineEdit(QStringLiteral("3 1 4 1 5"))),
      m_heads(new QSpinBox),
      m_scaling(new ChoiceBox),
      m_positions(new ChoiceBox),
      m_message(makeLabel({}, "error")) {
    setWindowTitle(tr("Attend with weights"));
    const QString said = tr("as the file says");
    m_tokens->setObjectName(QStringLiteral("attendTokens"));
    m_tokens->setToolTip(tr("Numbers from 0 to V−1, with spaces between"));
    m_heads->setObjectName(QStringLiteral("attendHeads"));
    m_heads->setRange(0, 4096);
    m_heads->setSpecialValueText(said);
    m_scaling->setObjectName(QStringLiteral("attendScaling"));
    m_scaling->addItem(said);
    m_scaling->addItem(tr("divided by √d_head"), true);
    m_scaling->addItem(tr("not scaled"), false);
    m_positions->setObjectName(QStringLiteral("attendPositions"));
    m_positions->addItem(said);
    for (const auto& [text, positions] : {std::pair(tr("sinusoidal"), Positions::Sinusoidal),
                                          {tr("learned"), Positions::Learned},
                                          {tr("rotary"), Positions::Rotary},
                                          {tr("none"), Positions::None}})
        m_positions->addItem(text, static_cast<int>(positions));
    m_message->setObjectName(QStringLiteral("attendMessage"));
    m_message->setWordWrap(true);
    m_message->hide();

    auto* form = new QFormLayout(this);
    form->addRow(makeLabel(file, "title"));
    form->addRow(tr("&Tokens"), m_tokens);
    form->addRow(tr("&Heads"), m_heads);
    form->addRow(tr("&Scores"), m_scaling);
    form->addRow(tr("&Positions"), m_positions);
    form->addRow(m_message);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    auto* attend = buttons->addButton(tr("&Attend"), QDialogButtonBox::AcceptRole);
    attend->setObjectName(QStringLiteral("attendButton"));
    form->addRow(buttons);
    attend->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &AttendDialog::ask);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    setMinimumWidth(420);
}

void AttendDialog::showProblem(const QString& sentence) {
    m_message->setText(sentence);
    m_message->show();
}

void AttendDialog::ask() {
    std::vector<int> tokens;
    for (const QString& word : splitTokens(m_tokens->text())) {
        bool number = false;
        tokens.push_back(word.toInt(&number));
        if (!number) return showProblem(tr("“%1” is no number: tokens are numbers from 0 to V−1.").arg(word));
    }
    WeightsHints hints;
    if (m_heads->value() > 0) hints.n_heads = m_heads->value();
    if (m_scaling->currentIndex() > 0) hints.scale_scores = m_scaling->currentData().toBool();
    if (m_positions->currentIndex() > 0)
        hints.positions = static_cast<Positions>(m_positions->currentData().toInt());
    emit attendRequested(tokens, hints);
}

}  // namespace headscope
