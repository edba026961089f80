#include "ui/run_toolbar.h"

#include <algorithm>

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>

#include "ui/card.h"
#include "ui/choice_box.h"
#include "ui/figure_label.h"
#include "ui/pace_scale.h"
#include "ui/play_icon.h"
#include "ui/theme.h"
#include "ui/tick_slider.h"

namespace headscope {
namespace {

constexpr int kWide = 1100;

QPushButton* makeButton(const QString& text, const char* objectName, const QString& tip) {
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(objectName));
    button->setFocusPolicy(
        Qt::TabFocus);  // a click leaves the keys to the window: Space stays start and pause
    button->setToolTip(tip);
    return button;
}

}  // namespace

RunToolbar::RunToolbar(QWidget* parent)
    : QFrame(parent),
      m_start(makeButton({}, "startButton", {})),
      m_step(makeButton(tr("Step"), "stepButton", tr("One batch, one Adam step, then a pause (→ or N)"))),
      m_restart(makeButton(tr("Restart"), "restartButton", tr("Trains anew from the seed (R)"))),
      m_pace(new TickSlider),
      m_paceText(new FigureLabel),
      m_lessonPart(new QWidget),
      m_lessonLabel(makeLabel(tr("Lesson"), "muted")),
      m_lesson(new ChoiceBox),
      m_compare(makeButton(tr("Compare"), "compareButton", {})),
      m_export(makeButton(tr("Export ▾"), "exportButton", tr("Pictures as PNG, or to the clipboard"))),
      m_lecture(makeButton(tr("Lecture"), "lectureButton",
                           tr("Large type and thick lines for a projector, without the controls (F11; Esc "
                              "leaves)"))) {
    m_start->setProperty("primary", true);
    m_start->setIconSize({kPlayIcon + kPlayIconGap, kPlayIcon});

    m_pace->setObjectName(QStringLiteral("paceSlider"));
    m_pace->setAccessibleName(tr("Pace in steps per second, logarithmic"));
    m_pace->setToolTip(
        tr("From 1 to 1000 steps per second, then as fast as it goes. The numbers are the same "
           "at any pace"));
    m_pace->setRange(0, PaceScale::kUnlimitedPlace);
    m_pace->setPageStep(10);
    m_pace->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_paceText->setObjectName(QStringLiteral("paceText"));
    m_paceText->setFixedWidth(FigureLabel(PaceScale::text(1000)).sizeHint().width() + 4);
    m_lesson->setObjectName(QStringLiteral("lessonChoice"));
    m_lesson->setAccessibleName(tr("Lesson"));
    m_lesson->setPlaceholderText(tr("Choose a lesson"));
    m_lesson->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_compare->setCheckable(true);
    layOut();
    connectControls();
    m_lessonPart->hide();
    setPace(m_steps_per_second);
    showComparing(false);
    // As wide as its widest text: the toolbar must not move when a run starts or ends.
    m_start->setText(tr("Pause"));
    const int pauseWidth = m_start->sizeHint().width();
    showState(m_state);
    m_start->setMinimumWidth(std::max(pauseWidth, m_start->sizeHint().width()));
}

void RunToolbar::connectControls() {
    connect(m_pace, &TickSlider::valueChanged, this, [this](int place) {
        m_steps_per_second = PaceScale::at(place);
        m_paceText->setText(PaceScale::text(m_steps_per_second));
        emit paceChosen(m_steps_per_second);
    });
    connect(m_lesson, &QComboBox::activated, this, &RunToolbar::lessonChosen);
    connect(m_start, &QPushButton::clicked, this, &RunToolbar::startOrPauseClicked);
    connect(m_step, &QPushButton::clicked, this, &RunToolbar::stepClicked);
    connect(m_restart, &QPushButton::clicked, this, &RunToolbar::restartClicked);
    connect(m_compare, &QPushButton::clicked, this, [this] {
        m_compare->setChecked(m_comparing);  // a click only asks
        emit compareClicked();
    });
    connect(m_lecture, &QPushButton::clicked, this, &RunToolbar::lectureClicked);
}

void RunToolbar::layOut() {
    auto* line = new QFrame;
    line->setObjectName(QStringLiteral("toolbarLine"));
    line->setFixedSize(1, 28);
    auto* lessonRow = new QHBoxLayout(m_lessonPart);
    lessonRow->setContentsMargins(0, 0, 0, 0);
    lessonRow->setSpacing(12);
    lessonRow->addWidget(line);
    lessonRow->addWidget(m_lessonLabel);
    lessonRow->addWidget(m_lesson);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 10, 16, 10);
    row->setSpacing(8);
    row->addWidget(m_start);
    row->addWidget(m_step);
    row->addWidget(m_restart);
    row->addSpacing(8);
    row->addWidget(makeLabel(tr("Pace"), "muted"));
    row->addWidget(m_pace);
    row->addWidget(m_paceText);
    row->addWidget(m_lessonPart);
    row->addStretch(1);
    row->addWidget(m_compare);
    row->addWidget(m_export);
    row->addWidget(m_lecture);
}

void RunToolbar::showState(RunState state) {
    m_state = state;
    const bool running = state == RunState::Running;
    m_start->setText(running ? tr("Pause") : tr("Start"));
    m_start->setToolTip(running             ? tr("Stands still after the step in hand (Space)")
                        : isTerminal(state) ? tr("Trains anew from the seed (Space)")
                                            : tr("Trains on (Space)"));
    m_step->setEnabled(state == RunState::Running || state == RunState::Paused);
    paintIcon();
}

void RunToolbar::paintIcon() {
    m_start->setIcon(playOrPauseIcon(m_state == RunState::Running, Theme::of(palette()).accentText));
}

void RunToolbar::setPace(double steps_per_second) {
    const QSignalBlocker quiet(m_pace);
    m_pace->setValue(PaceScale::placeOf(steps_per_second));
    m_pace->update();
    m_steps_per_second = steps_per_second;
    m_paceText->setText(PaceScale::text(steps_per_second));
}

void RunToolbar::setLessons(const std::vector<Lesson>& lessons) {
    m_lesson->clear();
    for (const Lesson& lesson : lessons) {
        m_lesson->addItem(lesson.title);
        m_lesson->setItemData(m_lesson->count() - 1, lesson.story, Qt::ToolTipRole);
    }
    m_lesson->setCurrentIndex(-1);
    m_lessonPart->setVisible(!lessons.empty());
}

void RunToolbar::setLesson(int index) {
    m_lesson->setCurrentIndex(index);
    m_lesson->setToolTip(m_lesson->itemData(index, Qt::ToolTipRole).toString());
}

int RunToolbar::lesson() const { return m_lesson->currentIndex(); }

void RunToolbar::setExportMenu(QMenu* menu) { m_export->setMenu(menu); }

void RunToolbar::showComparing(bool comparing) {
    m_comparing = comparing;
    m_compare->setChecked(comparing);
    m_compare->setToolTip(comparing ? tr("Ends the comparison: trains alone, from the seed (C)")
                                    : tr("A twin that differs in one thing learns beside this run (C)"));
}

const QWidget& RunToolbar::compareButton() const { return *m_compare; }

void RunToolbar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    // The names of lessons are long: where room is short, what the menus have too gives way to them.
    const bool wide = width() >= kWide;
    m_lessonLabel->setVisible(wide);
    m_lecture->setVisible(wide);
}

void RunToolbar::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) paintIcon();
}

}  // namespace headscope
