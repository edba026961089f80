#include "ui/replay_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPushButton>

#include "ui/choice_box.h"
#include "ui/figure_label.h"
#include "ui/play_icon.h"
#include "ui/replay.h"
#include "ui/theme.h"
#include "ui/timeline.h"

namespace headscope {
namespace {

constexpr int kSpeeds[] = {10, 30, 60, 120, 300, 1000};  // steps per second

}  // namespace

ReplayBar::ReplayBar(Replay& replay, QWidget* parent)
    : QWidget(parent),
      m_replay(replay),
      m_timeline(new Timeline(replay)),
      m_play(new QPushButton),
      m_speed(new ChoiceBox),
      m_memory(new FigureLabel),
      m_live(new QPushButton(tr("Live"))) {
    m_timeline->setObjectName(QStringLiteral("timeline"));
    m_timeline->setToolTip(tr("Drag to see the heads, the curve and the mechanism as they were at a step. "
                              "A tick ends each epoch of %1 steps, a diamond marks what happened to a head")
                               .arg(kStepsPerEpoch));
    m_play->setObjectName(QStringLiteral("replayButton"));
    m_play->setIconSize({kPlayIcon, kPlayIcon});
    m_live->setObjectName(QStringLiteral("liveButton"));
    m_live->setToolTip(tr("Shows the run as it is now"));
    for (QPushButton* button : {m_play, m_live}) {
        button->setFocusPolicy(Qt::TabFocus);
        button->setProperty("compact", true);
    }
    m_speed->setObjectName(QStringLiteral("replaySpeed"));
    m_speed->setAccessibleName(tr("Speed of the replay in steps per second"));
    m_speed->setToolTip(tr("Speed of the replay"));
    m_speed->setFocusPolicy(Qt::TabFocus);
    for (const int speed : kSpeeds) m_speed->addItem(tr("%1 steps/s").arg(speed), speed);
    m_speed->setCurrentIndex(m_speed->findData(static_cast<int>(replay.speed())));
    m_memory->setObjectName(QStringLiteral("replayMemory"));
    m_memory->setProperty("role", "muted");

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_play);
    row->addWidget(m_speed);
    row->addWidget(m_timeline, 1);
    row->addWidget(m_memory);
    row->addWidget(m_live);

    connect(m_play, &QPushButton::clicked, this, [this] { m_replay.setPlaying(!m_replay.isPlaying()); });
    connect(m_live, &QPushButton::clicked, &replay, &Replay::goLive);
    connect(m_speed, &QComboBox::currentIndexChanged, this,
            [this] { m_replay.setSpeed(m_speed->currentData().toInt()); });
    connect(&replay, &Replay::grown, this, &ReplayBar::follow);
    connect(&replay, &Replay::moved, this, &ReplayBar::follow);
    connect(&replay, &Replay::playingChanged, this, &ReplayBar::showPlaying);
    showPlaying(false);
    follow();
}

void ReplayBar::follow() {
    const Recorder& recorder = m_replay.recorder();
    const double used = static_cast<double>(recorder.bytes()) / (1 << 20);
    const auto budget = recorder.budget() >> 20;
    m_memory->setText(tr("%1 of %2 MB").arg(used, 0, 'f', used < 10 ? 1 : 0).arg(budget));
    m_memory->setToolTip(
        tr("%1 frames are recorded. Where they would take more than %2 MB, those between the "
           "first and the last thin out")
            .arg(recorder.size())
            .arg(budget));
    m_live->setEnabled(!m_replay.isLive());
    m_play->setEnabled(recorder.size() > 0);
}

void ReplayBar::showPlaying(bool playing) {
    const QString text = playing ? tr("Pause the replay") : tr("Play the recorded run");
    m_play->setToolTip(text);
    m_play->setAccessibleName(text);
    paintIcon();
}

void ReplayBar::paintIcon() {
    m_play->setIcon(playOrPauseIcon(m_replay.isPlaying(), Theme::of(palette()).text, 0));
}

void ReplayBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) paintIcon();
    QWidget::changeEvent(event);
}

}  // namespace headscope
