#include "ui/probe_card.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QStyle>
#include <QVBoxLayout>

#include "engine/model/copy_tasks.h"
#include "ui/choice_box.h"
#include "ui/segmented_control.h"
#include "ui/sentences.h"
#include "ui/token_strip.h"

namespace headscope {
namespace {

QString tokensText(const std::vector<int>& tokens) {
    QStringList words;
    for (const int token : tokens) words << QString::number(token);
    return words.join(QLatin1Char(' '));
}

/// The problem of a field that a probe has, in words; empty when it has none.
QString problemOf(const Probe& probe, const ModelConfig& model, std::string_view field) {
    for (const Problem& problem : problems(probe, model))
        if (problem.field == field) return sentence(problem.refusal);
    return {};
}

QPushButton* makeButton(const QString& text, const char* objectName, const QString& tip) {
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(objectName));
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::TabFocus);
    button->setProperty("compact", true);
    return button;
}

}  // namespace

ProbeCard::ProbeCard(QWidget* parent)
    : Card(tr("Probe"), Folding::Fixed, parent),
      m_row(new ChoiceBox),
      m_values(new SegmentedControl({tr("weights"), tr("scores")})),
      m_tokens(new QLineEdit),
      m_tokensMessage(makeLabel({}, "error")),
      m_strip(new TokenStrip),
      m_rippleText(makeLabel({}, "muted")),
      m_ripple(new QLineEdit),
      m_rippleMessage(makeLabel({}, "error")),
      m_clear(makeButton(tr("Clear"), "rippleClear", tr("Puts the token back"))) {
    setObjectName(QStringLiteral("probeCard"));
    m_row->setObjectName(QStringLiteral("probeRow"));
    m_row->setAccessibleName(tr("Probe row"));
    m_row->setToolTip(tr("Whose attention is shown: the mean over the probe batch, or one row of it"));
    m_row->addItem(tr("mean of %1 rows").arg(kProbeRows), Probe::kMeanOfRows);
    for (int row = 0; row < kProbeRows; ++row) m_row->addItem(tr("row %1").arg(row + 1), row);
    m_values->setObjectName(QStringLiteral("probeValues"));
    m_values->button(0)->setToolTip(tr("Attention after the softmax: each row sums to 1"));
    m_values->button(1)->setToolTip(tr("Scores before the softmax, on a scale that is symmetric about 0"));
    m_tokens->setObjectName(QStringLiteral("probeTokens"));
    m_tokens->setAccessibleName(tr("Probe tokens"));
    m_tokensMessage->setObjectName(QStringLiteral("probeTokensMessage"));
    m_strip->setObjectName(QStringLiteral("tokenStrip"));
    m_strip->setToolTip(tr("Click a token to change it below"));
    m_ripple->setObjectName(QStringLiteral("rippleToken"));
    m_ripple->setAccessibleName(tr("Token to put at the position"));
    m_ripple->setToolTip(tr("The outputs that change light up: none to the left of the token"));
    m_rippleMessage->setObjectName(QStringLiteral("rippleMessage"));
    auto* random = makeButton(tr("Draw"), "probeRandom", tr("A new random row of the task"));
    layOut(random, m_clear);

    connect(m_row, &QComboBox::currentIndexChanged, this, &ProbeCard::chooseRow);
    connect(m_values, &SegmentedControl::currentChanged, this,
            [this](int index) { emit scoresChosen(index == 1); });
    connect(m_tokens, &QLineEdit::returnPressed, this, &ProbeCard::readTokens);
    connect(random, &QPushButton::clicked, this, &ProbeCard::drawTokens);
    connect(m_ripple, &QLineEdit::returnPressed, this, &ProbeCard::readRipple);
    connect(m_strip, &TokenStrip::positionChosen, this, [this](int position) {
        m_rippleText->setText(tr("Change position %1 to").arg(position));
        if (m_strip->hasFocus()) return;  // the arrow keys go on
        m_ripple->setFocus();
        m_ripple->selectAll();
    });
    connect(m_clear, &QPushButton::clicked, this, [this] {
        Probe probe = m_probe;
        probe.ripple.reset();
        ask(probe);
    });
    setProbe(m_experiment, m_probe);
}

void ProbeCard::layOut(QPushButton* random, QPushButton* clear) {
    addToHeader(m_values);
    addToHeader(m_row);
    auto* tokens = new QHBoxLayout;
    tokens->addWidget(m_tokens, 1);
    tokens->addWidget(random);
    m_ripple->setFixedWidth(QFontInfo(font()).pixelSize() * 5);
    auto* ripple = new QHBoxLayout;
    ripple->addWidget(m_rippleText);
    ripple->addWidget(m_ripple);
    ripple->addWidget(clear);
    ripple->addWidget(m_rippleMessage);
    ripple->addStretch(1);
    body()->setSpacing(6);
    body()->addLayout(tokens);
    body()->addWidget(m_tokensMessage);
    body()->addWidget(m_strip);
    body()->addLayout(ripple);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
}

void ProbeCard::setProbe(const Experiment& experiment, const Probe& probe) {
    m_experiment = experiment;
    m_probe = probe;
    const QSignalBlocker quiet(m_row);
    m_row->setCurrentIndex(m_row->findData(probe.row));
    m_tokens->setToolTip(tr("%1 tokens from 0 to %2, then Enter")
                             .arg(experiment.model.context_length)
                             .arg(experiment.model.vocab_size - 1));
    const int position = probe.ripple ? probe.ripple->position : m_strip->position();
    m_strip->setPosition(position);
    m_rippleText->setText(tr("Change position %1 to").arg(position));
    m_ripple->setText(probe.ripple ? QString::number(probe.ripple->token) : QString());
    m_clear->setEnabled(probe.ripple.has_value());
    setNote(probe.row == Probe::kMeanOfRows ? tr("tokens and answers: row 1 of them")
            : probe.tokens.empty()          ? QString()
                                            : tr("row 1 as edited"));
    refuse(m_tokens, m_tokensMessage, {});
    refuse(m_ripple, m_rippleMessage, {});
}

void ProbeCard::showSnapshot(std::shared_ptr<const Snapshot> snapshot) {
    const bool other = snapshot && (!m_snapshot || m_snapshot->tokens != snapshot->tokens);
    m_snapshot = std::move(snapshot);
    m_strip->showSnapshot(m_snapshot);
    if (other && !m_tokens->hasFocus()) m_tokens->setText(tokensText(m_snapshot->tokens));
}

void ProbeCard::showScores(bool scores) { m_values->setCurrent(scores ? 1 : 0); }

bool ProbeCard::showsScores() const { return m_values->current() == 1; }

void ProbeCard::ask(const Probe& probe) {
    if (probe == m_probe) return;
    setProbe(m_experiment, probe);
    emit probeRequested(probe);
}

void ProbeCard::chooseRow() {
    Probe probe = m_probe;
    probe.row = m_row->currentData().toInt();
    probe.tokens.clear();
    ask(probe);
}

void ProbeCard::readTokens() {
    static const QRegularExpression kBetween(QStringLiteral("[,;\\s]+"));
    Probe probe = m_probe;
    probe.row = 0;
    probe.tokens.clear();
    for (const QString& word : m_tokens->text().split(kBetween, Qt::SkipEmptyParts)) {
        bool ok = false;
        probe.tokens.push_back(word.toInt(&ok));
        if (!ok) return refuse(m_tokens, m_tokensMessage, tr("%1 is no token").arg(word));
    }
    QString problem = problemOf(probe, m_experiment.model, "tokens");
    if (probe.tokens.empty())
        problem = tr("0 probe tokens for a context length of %1").arg(m_experiment.model.context_length);
    refuse(m_tokens, m_tokensMessage, problem);
    if (problem.isEmpty()) ask(probe);
}

void ProbeCard::drawTokens() {
    const ModelConfig& model = m_experiment.model;
    Probe probe = m_probe;
    probe.row = 0;
    probe.tokens.resize(static_cast<std::size_t>(model.context_length));
    std::vector<int> targets(probe.tokens.size());
    Random random(QRandomGenerator::global()->generate64(), RandomStream::Probe);
    CopyTask(m_experiment.task, m_experiment.lags, model.vocab_size, model.context_length)
        .sample(random, probe.tokens, targets);
    m_tokens->setText(tokensText(probe.tokens));
    ask(probe);
}

void ProbeCard::readRipple() {
    Probe probe = m_probe;
    bool ok = false;
    probe.ripple = Ripple{m_strip->position(), m_ripple->text().trimmed().toInt(&ok)};
    if (!ok) return refuse(m_ripple, m_rippleMessage, tr("%1 is no token").arg(m_ripple->text()));
    const QString problem = problemOf(probe, m_experiment.model, "ripple");
    refuse(m_ripple, m_rippleMessage, problem);
    if (problem.isEmpty()) ask(probe);
}

void ProbeCard::refuse(QLineEdit* field, QLabel* message, const QString& sentence) {
    message->setText(sentence);
    message->setVisible(!sentence.isEmpty());
    field->setProperty("invalid", !sentence.isEmpty());
    field->style()->polish(field);
}

}  // namespace headscope
