#include "ui/status_strip.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QPainter>
#include <QStyle>
#include <QVBoxLayout>

#include "ui/card.h"
#include "ui/figure_label.h"
#include "ui/replay.h"
#include "ui/replay_bar.h"
#include "ui/theme.h"

namespace headscope {
namespace {

QColor colorOf(RunState state, const Theme& theme) {
    switch (state) {
        case RunState::Running:
            return theme.good;
        case RunState::Finished:
            return theme.accent;
        case RunState::Diverged:
        case RunState::Failed:
            return theme.warning;
        case RunState::Idle:
        case RunState::Paused:
            break;
    }
    return theme.mutedText;
}

}  // namespace

StateChip::StateChip(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    setFont(strong);
}

void StateChip::showState(RunState state, const QString& text) {
    m_state = state;
    setText(text);
    update();
}

QSize StateChip::sizeHint() const {
    return {fontMetrics().horizontalAdvance(text()) + 36, fontMetrics().height() + 8};
}

void StateChip::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    const QColor color = colorOf(m_state, theme);
    const bool warns = m_state == RunState::Diverged || m_state == RunState::Failed;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accentSoft);
    painter.drawRoundedRect(rect(), height() / 2.0, height() / 2.0);
    painter.setBrush(color);
    painter.drawEllipse(QPointF(15, height() / 2.0), 4, 4);
    painter.setPen(warns ? color : theme.text);
    painter.drawText(rect().adjusted(25, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text());
}

HintLabel::HintLabel(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setProperty("role", "muted");
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void HintLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter,
                     fontMetrics().elidedText(text(), Qt::ElideRight, width()));
}

StatusStrip::StatusStrip(Replay& replay, QWidget* parent)
    : QFrame(parent),
      m_replay(replay),
      m_step(new FigureLabel),
      m_of(new FigureLabel),
      m_chip(new StateChip),
      m_facts(new FigureLabel),
      m_hint(new HintLabel) {
    m_step->setObjectName(QStringLiteral("statusStep"));
    m_of->setObjectName(QStringLiteral("statusOf"));
    m_chip->setObjectName(QStringLiteral("statusState"));
    m_facts->setObjectName(QStringLiteral("statusFacts"));
    m_facts->setToolTip(
        tr("Of the last batch: mean cross-entropy in nats, and the share of targets foretold"));
    m_hint->setObjectName(QStringLiteral("statusHint"));
    m_step->setAlignment(Qt::AlignRight);
    m_step->setProperty("role", "strong");
    m_of->setProperty("role", "muted");
    m_facts->setProperty("role", "muted");

    auto* upper = new QHBoxLayout;
    upper->setSpacing(6);
    upper->addWidget(makeLabel(tr("Step"), "muted"));
    upper->addWidget(m_step);
    upper->addWidget(m_of);
    upper->addSpacing(12);
    upper->addWidget(new ReplayBar(replay), 1);
    upper->addSpacing(12);
    upper->addWidget(m_chip);
    auto* lower = new QHBoxLayout;
    lower->setSpacing(24);
    lower->addWidget(m_facts);
    lower->addWidget(m_hint, 1);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(16, 10, 16, 10);
    all->setSpacing(6);
    all->addLayout(upper);
    all->addLayout(lower);

    connect(&replay, &Replay::moved, this, &StatusStrip::showPlace);
    m_clock.start();
    showUpdate({});
}

void StatusStrip::showUpdate(const Update& update) {
    if (update.run != m_run || update.state != RunState::Running) m_rate.clear();
    if (update.run != m_run) m_last.reset();
    if (!update.points.empty()) m_last = update.points.back();
    if (update.state == RunState::Running) m_rate.add(update.steps_done, m_clock.elapsed());
    if (update.run != m_run || update.state != m_state) showState(update);
    m_run = update.run;
    m_state = update.state;
    m_stepsDone = update.steps_done;
    showFacts(update);
    showPlace();
}

void StatusStrip::showHint(const QString& sentence) { say(sentence, false); }

void StatusStrip::showRefusal(const QString& sentence) { say(sentence, true); }

void StatusStrip::say(const QString& sentence, bool warns) {
    m_said = sentence;
    m_saidWarns = warns;
    showSaid();
}

void StatusStrip::showBusy(const QString& sentence) {
    m_busy = sentence;
    showSaid();
}

void StatusStrip::showSaid() {
    const bool is_busy = !m_busy.isEmpty();
    const QString& sentence = is_busy ? m_busy : m_said;
    m_hint->setText(sentence);
    m_hint->setToolTip(sentence);
    m_hint->setProperty("role", m_saidWarns && !is_busy ? "error" : "muted");
    m_hint->style()->polish(m_hint);
}

void StatusStrip::showState(const Update& update) {
    QString word, hint;
    switch (update.state) {
        case RunState::Idle:
            word = tr("no run yet");
            hint = tr("Press Start (Space) to train the model");
            break;
        case RunState::Running:
            word = tr("live");
            break;
        case RunState::Paused:
            word = tr("paused");
            hint = tr("Space trains on, → makes one step");
            break;
        case RunState::Finished:
            word = tr("finished");
            hint = tr("Change one thing and compare: this curve stays as a ghost");
            break;
        case RunState::Diverged:
            word = tr("diverged at step %1").arg(update.steps_done);
            hint = tr("The loss is no finite number any more: lower the learning rate and press Restart (R)");
            break;
        case RunState::Failed:
            word = tr("failed");
            hint =
                tr("failed: %1. Press Restart (R) to try again").arg(QString::fromStdString(update.message));
            break;
    }
    m_stateWord = word;
    say(hint, update.state == RunState::Diverged || update.state == RunState::Failed);
}

void StatusStrip::showFacts(const Update& update) {
    const int steps = update.experiment.steps;
    const QString total = QString::number(steps);
    m_step->setMinimumWidth(FigureLabel(total).sizeHint().width());
    m_of->setText(tr("of %1").arg(total));

    QStringList facts;
    if (m_last)
        facts << tr("loss %1").arg(double(m_last->loss), 0, 'f', 4)
              << tr("accuracy %1 %").arg(double(m_last->accuracy) * 100, 0, 'f', 0);
    if (m_rate.rate() > 0) facts << tr("%1 steps/s").arg(m_rate.rate(), 0, 'f', 0);
    const int epochs = (steps + kStepsPerEpoch - 1) / kStepsPerEpoch;
    const auto epoch = std::min<std::int64_t>(epochs, update.steps_done / kStepsPerEpoch + 1);
    facts << tr("epoch %1 of %2").arg(epoch).arg(epochs);
    m_facts->setText(facts.join(QStringLiteral(" · ")));
}

void StatusStrip::showPlace() {
    if (m_replay.isLive()) {
        m_step->setText(QString::number(m_stepsDone));
        m_chip->showState(*m_state, m_stateWord);
    } else {
        m_step->setText(QString::number(m_replay.shown().snapshot->steps_done));
        m_chip->showState(RunState::Paused, tr("replay"));
    }
}

}  // namespace headscope
