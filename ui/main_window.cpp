#include "ui/main_window.h"

#include <algorithm>

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/card.h"
#include "ui/compare_panel.h"
#include "ui/experiment_card.h"
#include "ui/export_dialog.h"
#include "ui/head_grid.h"
#include "ui/heads_card.h"
#include "ui/heads_view.h"
#include "ui/lesson_card.h"
#include "ui/loss_chart.h"
#include "ui/offer_bar.h"
#include "ui/probe_card.h"
#include "ui/replay.h"
#include "ui/right_column.h"
#include "ui/run_toolbar.h"
#include "ui/scaling_card.h"
#include "ui/segmented_control.h"
#include "ui/sheet.h"
#include "ui/status_strip.h"
#include "ui/style.h"
#include "ui/theme.h"

namespace headscope {
namespace {

constexpr int kGap = 12;
constexpr int kMargin = 16;
constexpr int kScrollBar = 10;  // of a column, part of the gap to the next
constexpr int kColumnEms = 21;  // width of the controls, in font sizes
constexpr int kWideWindow = 1100;
constexpr int kNarrowInsights = 300, kWideInsights = 380;  // width of the right column

bool isArrow(int key) { return key >= Qt::Key_Left && key <= Qt::Key_Down; }

/// Whether a widget with the focus has its own use for a key that is also a shortcut of the window. Fields
/// see to it themselves.
bool keepsKey(const QWidget* widget, const QKeyEvent& key) {
    if (key.modifiers() & ~Qt::KeypadModifier) return false;
    if (qobject_cast<const QAbstractButton*>(widget)) return key.key() == Qt::Key_Space;
    if (qobject_cast<const QComboBox*>(widget)) return key.key() < Qt::Key_Escape || isArrow(key.key());
    if (qobject_cast<const QAbstractSlider*>(widget)) return isArrow(key.key());
    return qobject_cast<const DescribedWidget*>(widget) && isArrow(key.key());
}

}  // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent),
      m_recent(nullptr),
      m_lastSitting(nullptr),
      m_theme(ThemeChoice::System),
      m_colormap(Colormap::Viridis),
      m_exportLook(std::make_unique<PictureOptions>()),
      m_themeActions(nullptr),
      m_languages(nullptr),
      m_colorActions(nullptr),
      m_toolbar(new RunToolbar),
      m_offer(new OfferBar),
      m_problem(new OfferBar),
      m_comparePanel(new ComparePanel(this)),
      m_heads(new HeadsCard),
      m_scaling(new ScalingCard),
      m_training(new ExperimentCard),
      m_controls(nullptr),
      m_lookFor(new Card(tr("What to look for"), Card::Folding::Folds)),
      m_lessonCard(new LessonCard),
      m_story(makeLabel({}, "muted")),
      m_lookForText(makeLabel({}, "small")),
      m_left(nullptr),
      m_leftTabs(new SegmentedControl({tr("Settings"), tr("Insights")})),
      m_leftPages(new QStackedWidget),
      m_right(new RightColumn),
      m_rightPlace(new QWidget),
      m_middle(new QSplitter(Qt::Vertical)),
      m_gridCard(new Card(tr("Attention of each head"))),
      m_lossCard(new Card(tr("Loss"))),
      m_view(new HeadsView),
      m_probeCard(new ProbeCard),
      m_controlsAction(nullptr),
      m_probeAction(nullptr),
      m_chart(new LossChart),
      m_replay(new Replay(this)),
      m_status(new StatusStrip(*m_replay)) {
    setFile({}, false);
    setAcceptDrops(true);
    layOut();
    makeMenus();
    connectControls();
    connectReplay();
    adopt(m_experiment);
    resetWindowLayout();
}

MainWindow::~MainWindow() = default;

QWidget* MainWindow::makeControls() {
    m_story->setObjectName(QStringLiteral("lessonStory"));
    m_story->setWordWrap(true);
    m_lookForText->setObjectName(QStringLiteral("lookForText"));
    m_lookForText->setWordWrap(true);
    m_lookFor->setObjectName(QStringLiteral("lookForCard"));
    m_lookFor->body()->addWidget(m_story);
    m_lookFor->body()->addWidget(m_lookForText);
    m_lookFor->hide();

    auto* column = new QWidget;
    column->setObjectName(QStringLiteral("column"));
    auto* cards = m_controls = new QVBoxLayout(column);
    cards->setContentsMargins(0, 0, kScrollBar, 0);
    cards->setSpacing(kGap);
    for (QWidget* card : {static_cast<QWidget*>(m_lessonCard), static_cast<QWidget*>(m_heads),
                          static_cast<QWidget*>(m_scaling), static_cast<QWidget*>(m_lookFor),
                          static_cast<QWidget*>(m_training)})
        cards->addWidget(card);
    cards->addStretch(1);
    auto* scrolled = new QScrollArea;
    scrolled->setWidget(column);
    scrolled->setWidgetResizable(true);
    scrolled->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scrolled->setFrameShape(QFrame::NoFrame);
    scrolled->setFocusPolicy(Qt::ClickFocus);

    m_leftTabs->setObjectName(QStringLiteral("leftTabs"));
    m_leftPages->addWidget(scrolled);
    auto* insights = new QWidget;
    (new QVBoxLayout(insights))->setContentsMargins(0, 0, kScrollBar, 0);
    m_leftPages->addWidget(insights);
    auto* left = new QWidget;
    auto* rows = new QVBoxLayout(left);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(kGap / 2);
    auto* tabs = new QHBoxLayout;
    tabs->setContentsMargins(0, 0, kScrollBar, 0);
    tabs->addWidget(m_leftTabs);
    rows->addLayout(tabs);
    rows->addWidget(m_leftPages, 1);
    return left;
}

QWidget* MainWindow::makeMiddle() {
    m_gridCard->setObjectName(QStringLiteral("headGridCard"));
    m_gridCard->body()->addWidget(m_view, 1);
    m_lossCard->setObjectName(QStringLiteral("lossCard"));
    m_lossCard->setNote(tr("each batch, and smoothed %1").arg(LossChart::kSmoothing));
    m_chart->setObjectName(QStringLiteral("lossChart"));
    m_lossCard->body()->addWidget(m_chart, 1);
    m_middle->setHandleWidth(kGap);
    m_middle->setChildrenCollapsible(false);
    m_middle->addWidget(m_gridCard);
    m_middle->addWidget(m_probeCard);
    m_middle->addWidget(m_lossCard);
    m_middle->setStretchFactor(0, 5);
    m_middle->setStretchFactor(2, 2);
    m_probeCard->hide();
    return m_middle;
}

void MainWindow::layOut() {
    m_left = makeControls();
    (new QVBoxLayout(m_rightPlace))->setContentsMargins(0, 0, 0, 0);
    m_rightPlace->layout()->addWidget(m_right);  // a window that is never shown is never arranged

    auto* body = new QWidget;
    body->setFocusPolicy(Qt::ClickFocus);  // a click beside the fields gives the keys back to the window
    auto* columns = new QHBoxLayout(body);
    columns->setContentsMargins(kMargin, kGap, kMargin - kScrollBar, kGap);
    columns->setSpacing(kGap - kScrollBar);  // the scroll bars stand in the gaps
    columns->addWidget(m_left);
    columns->addWidget(makeMiddle(), 1);
    columns->addSpacing(kScrollBar);
    columns->addWidget(m_rightPlace);

    auto* all = new QWidget;
    auto* rows = new QVBoxLayout(all);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(m_toolbar);
    m_offer->setObjectName(QStringLiteral("offerBar"));
    rows->addWidget(m_offer);
    m_problem->setObjectName(QStringLiteral("problemBar"));
    rows->addWidget(m_problem);
    rows->addWidget(body, 1);
    rows->addWidget(m_status);
    setCentralWidget(all);
    body->setFocus();
}

void MainWindow::arrange(int width) {
    const bool wide = width >= kWideWindow;
    const int controls = kColumnEms * QFontInfo(font()).pixelSize() + kScrollBar;
    const int insights = std::clamp(width / 4, kNarrowInsights, kWideInsights) + kScrollBar;
    m_right->setArrangement(wide ? RightColumn::Arrangement::Column : RightColumn::Arrangement::Tabs);
    (wide ? m_rightPlace : m_leftPages->widget(1))->layout()->addWidget(m_right);
    m_rightPlace->setVisible(wide && !m_lecture);
    m_rightPlace->setFixedWidth(insights);
    m_leftTabs->setVisible(!wide);
    m_leftPages->setCurrentIndex(wide ? 0 : m_leftTabs->current());
    m_left->setFixedWidth(wide ? controls : std::max(controls, kNarrowInsights + kScrollBar));
}

void MainWindow::connectControls() {
    connect(m_toolbar, &RunToolbar::startOrPauseClicked, this, &MainWindow::startOrPause);
    connect(m_toolbar, &RunToolbar::stepClicked, this, &MainWindow::step);
    connect(m_toolbar, &RunToolbar::restartClicked, this, &MainWindow::restart);
    connect(m_toolbar, &RunToolbar::paceChosen, this, &MainWindow::paceRequested);
    connect(m_toolbar, &RunToolbar::lessonChosen, this,
            [this](int index) { chooseLesson(m_lessons[std::size_t(index)].id); });
    connect(m_toolbar, &RunToolbar::compareClicked, this, &MainWindow::compare);
    connect(m_offer, &OfferBar::accepted, this, &MainWindow::restoreRequested);
    connect(m_offer, &OfferBar::declined, this, &MainWindow::discardRequested);
    connect(m_toolbar, &RunToolbar::lectureClicked, this, [this] { setLectureMode(true); });
    connect(m_comparePanel, &ComparePanel::chosen, this, [this](const Experiment& twin) {
        m_twin = twin;
        restart();
    });
    connect(m_heads, &HeadsCard::chosen, this, [this](int n_heads) {
        Experiment wanted = m_experiment;
        wanted.model.n_heads = n_heads;
        ask(wanted);
    });
    connect(m_heads, &HeadsCard::previewed, this, [this](int n_heads) {
        Experiment preview = m_experiment;
        preview.model.n_heads = n_heads;
        m_scaling->setExperiment(preview);
        m_right->setExperiment(preview);
    });
    connect(m_scaling, &ScalingCard::chosen, this, [this](bool scale_scores) {
        Experiment wanted = m_experiment;
        wanted.model.scale_scores = scale_scores;
        ask(wanted);
    });
    connect(m_training, &ExperimentCard::edited, this, &MainWindow::ask);
    for (HeadGrid* grid : {m_view->grid(), m_view->twinGrid()}) {
        connect(grid, &HeadGrid::headActivated, this,
                [this, grid](int head) { exportPicture(PictureKind::Head, *grid, head); });
        connect(grid, &HeadGrid::muteToggled, this, [this, grid](int head) {
            if (ruled(*grid)) return m_right->toggleMute(head);
            m_status->showHint(tr("The twin has heads of its own: what is muted is muted in the first run"));
        });
        grid->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(grid, &QWidget::customContextMenuRequested, this,
                [this, grid](const QPoint& position) { openHeadMenu(grid, position); });
    }
    connect(m_probeCard, &ProbeCard::probeRequested, this, [this](const Probe& probe) {
        m_probe = probe;
        m_replay->goLive();
        emit probeRequested(probe);
    });
    connect(m_probeCard, &ProbeCard::scoresChosen, this,
            [this](bool scores) { m_view->setKind(scores ? HeatmapKind::Scores : HeatmapKind::Attention); });
    connect(m_right, &RightColumn::headModesRequested, this, &MainWindow::headModesRequested);
    connect(m_leftTabs, &SegmentedControl::currentChanged, m_leftPages, &QStackedWidget::setCurrentIndex);
}

void MainWindow::connectReplay() {
    connect(m_replay, &Replay::moved, this, &MainWindow::showFrame);
    connect(m_chart, &LossChart::stepChosen, m_replay, &Replay::goTo);
    m_chart->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_chart, &QWidget::customContextMenuRequested, this, &MainWindow::openLossMenu);
    connect(m_right, &RightColumn::stepChosen, m_replay, &Replay::goTo);
}

void MainWindow::setLessons(std::vector<Lesson> lessons) {
    m_lessons = std::move(lessons);
    m_toolbar->setLessons(m_lessons);
    m_lookFor->hide();
    m_lessonCard->showPanel(LessonPanel::None);
}

bool MainWindow::showLesson(const QString& id) {
    const auto lesson =
        std::find_if(m_lessons.begin(), m_lessons.end(), [&](const Lesson& l) { return l.id == id; });
    if (lesson == m_lessons.end()) return false;
    m_toolbar->setLesson(int(lesson - m_lessons.begin()));
    m_toolbar->setPace(lesson->pace);
    m_training->reset(lesson->experiment);
    m_twin = lesson->twin;
    m_probe = lesson->probe;
    if (m_probe != Probe{}) m_probeAction->setChecked(true);
    adopt(lesson->experiment);
    m_story->setText(lesson->story);
    m_story->setVisible(!lesson->story.isEmpty());
    m_lookForText->setText(lesson->lookFor);
    m_lookFor->setVisible(!lesson->lookFor.isEmpty());
    m_lessonCard->showPanel(lesson->panel);
    // Below the controls it speaks of, or below what the lesson measures.
    m_controls->insertWidget(lesson->panel == LessonPanel::None ? 3 : 1, m_lookFor);
    return true;
}

bool MainWindow::chooseLesson(const QString& id) {
    if (!showLesson(id)) return false;
    emit paceRequested(m_toolbar->pace());
    restart();
    return true;
}

QString MainWindow::lesson() const {
    const int index = m_toolbar->lesson();
    return index < 0 ? QString() : m_lessons[std::size_t(index)].id;
}

void MainWindow::showPace(double steps_per_second) { m_toolbar->setPace(steps_per_second); }

bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride &&
        keepsKey(focusWidget(), *static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QMainWindow::event(event);
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::PaletteChange)
        applyStyle(*qApp);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    arrange(width());
}

}  // namespace headscope
