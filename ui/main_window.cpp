#include "ui/main_window.h"

#include <algorithm>

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScreen>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include "ui/card.h"
#include "ui/experiment_card.h"
#include "ui/export_dialog.h"
#include "ui/head_grid.h"
#include "ui/heads_card.h"
#include "ui/loss_chart.h"
#include "ui/run_toolbar.h"
#include "ui/scaling_card.h"
#include "ui/sentences.h"
#include "ui/status_strip.h"
#include "ui/style.h"

namespace headscope {
namespace {

constexpr int kGap = 12;
constexpr int kMargin = 16;
constexpr int kColumnEms = 21;  // width of the controls, in font sizes

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
      m_colormap(Colormap::Viridis),
      m_toolbar(new RunToolbar),
      m_heads(new HeadsCard),
      m_scaling(new ScalingCard),
      m_training(new ExperimentCard),
      m_lookFor(new Card(tr("What to look for"), Card::Folding::Folds)),
      m_lookForText(makeLabel({}, "muted")),
      m_gridCard(new Card(tr("Attention of each head"))),
      m_grid(new HeadGrid),
      m_chart(new LossChart),
      m_status(new StatusStrip) {
    setWindowTitle(QStringLiteral("Headscope"));
    layOut();
    makeMenus();
    connectControls();
    adopt(m_experiment);
    resize(QSize(1280, 800).boundedTo(screen()->availableSize()));
}

void MainWindow::layOut() {
    m_lookForText->setObjectName(QStringLiteral("lookForText"));
    m_lookForText->setWordWrap(true);
    m_lookFor->setObjectName(QStringLiteral("lookForCard"));
    m_lookFor->body()->addWidget(m_lookForText);
    m_lookFor->hide();

    const int columnWidth = kColumnEms * QFontInfo(font()).pixelSize();
    auto* column = new QWidget;
    column->setObjectName(QStringLiteral("column"));
    column->setFixedWidth(columnWidth);
    auto* cards = new QVBoxLayout(column);
    cards->setContentsMargins(0, 0, 0, 0);
    cards->setSpacing(kGap);
    for (QWidget* card : {static_cast<QWidget*>(m_heads), static_cast<QWidget*>(m_scaling),
                          static_cast<QWidget*>(m_lookFor), static_cast<QWidget*>(m_training)})
        cards->addWidget(card);
    cards->addStretch(1);
    auto* scrolled = new QScrollArea;
    scrolled->setWidget(column);
    scrolled->setWidgetResizable(true);
    scrolled->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scrolled->setFrameShape(QFrame::NoFrame);
    scrolled->setFocusPolicy(Qt::ClickFocus);
    scrolled->setFixedWidth(columnWidth + kGap - 2);  // the scroll bar stands in the gap
    m_controls = scrolled;

    m_gridCard->setObjectName(QStringLiteral("headGridCard"));
    m_grid->setObjectName(QStringLiteral("headGrid"));
    m_gridCard->body()->addWidget(m_grid, 1);
    auto* lossCard = new Card(tr("Loss"));
    lossCard->setObjectName(QStringLiteral("lossCard"));
    lossCard->setNote(tr("each batch, and smoothed %1").arg(LossChart::kSmoothing));
    m_chart->setObjectName(QStringLiteral("lossChart"));
    lossCard->body()->addWidget(m_chart, 1);
    auto* middle = new QSplitter(Qt::Vertical);
    middle->setHandleWidth(kGap);
    middle->setChildrenCollapsible(false);
    middle->addWidget(m_gridCard);
    middle->addWidget(lossCard);
    middle->setStretchFactor(0, 5);
    middle->setStretchFactor(1, 2);
    middle->setSizes({5000, 2000});

    auto* body = new QWidget;
    body->setFocusPolicy(Qt::ClickFocus);  // a click beside the fields gives the keys back to the window
    auto* columns = new QHBoxLayout(body);
    columns->setContentsMargins(kMargin, kGap, kMargin, kGap);
    columns->setSpacing(6);
    columns->addWidget(m_controls);
    columns->addWidget(middle, 1);

    auto* all = new QWidget;
    auto* rows = new QVBoxLayout(all);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(m_toolbar);
    rows->addWidget(body, 1);
    rows->addWidget(m_status);
    setCentralWidget(all);
    body->setFocus();
}

void MainWindow::connectControls() {
    connect(m_toolbar, &RunToolbar::startOrPauseClicked, this, &MainWindow::startOrPause);
    connect(m_toolbar, &RunToolbar::stepClicked, this, &MainWindow::step);
    connect(m_toolbar, &RunToolbar::restartClicked, this, &MainWindow::restart);
    connect(m_toolbar, &RunToolbar::paceChosen, this, &MainWindow::paceRequested);
    connect(m_toolbar, &RunToolbar::lessonChosen, this,
            [this](int index) { chooseLesson(m_lessons[std::size_t(index)].id); });
    connect(m_heads, &HeadsCard::chosen, this, [this](int n_heads) {
        Experiment wanted = m_experiment;
        wanted.model.n_heads = n_heads;
        ask(wanted);
    });
    connect(m_scaling, &ScalingCard::chosen, this, [this](bool scale_scores) {
        Experiment wanted = m_experiment;
        wanted.model.scale_scores = scale_scores;
        ask(wanted);
    });
    connect(m_training, &ExperimentCard::edited, this, &MainWindow::ask);
    connect(m_grid, &HeadGrid::headActivated, this,
            [this](int head) { exportPicture(PictureKind::Head, head); });
}

void MainWindow::setLessons(std::vector<Lesson> lessons) {
    m_lessons = std::move(lessons);
    m_toolbar->setLessons(m_lessons);
    m_lookFor->hide();
}

bool MainWindow::showLesson(const QString& id) {
    const auto lesson =
        std::find_if(m_lessons.begin(), m_lessons.end(), [&](const Lesson& l) { return l.id == id; });
    if (lesson == m_lessons.end()) return false;
    m_toolbar->setLesson(int(lesson - m_lessons.begin()));
    m_toolbar->setPace(lesson->pace);
    m_training->reset(lesson->experiment);
    adopt(lesson->experiment);
    m_lookForText->setText(lesson->lookFor);
    m_lookFor->setVisible(!lesson->lookFor.isEmpty());
    return true;
}

bool MainWindow::chooseLesson(const QString& id) {
    if (!showLesson(id)) return false;
    emit paceRequested(m_toolbar->pace());
    emit restartRequested(m_experiment);
    return true;
}

void MainWindow::showPace(double steps_per_second) { m_toolbar->setPace(steps_per_second); }

void MainWindow::showUpdate(const Update& update) {
    const bool begins = update.run != m_shown.run;
    const bool changed = begins || update.experiment != m_shown.experiment;
    if (begins)
        m_chart->beginRun(update.experiment);
    else if (changed && update.run != 0)
        m_chart->carryOn(update.experiment, m_shown.steps_done);
    if (changed) adopt(update.experiment);

    if (!update.points.empty()) m_chart->append(update.points);
    if (update.state == RunState::Diverged && (begins || m_shown.state != RunState::Diverged))
        m_chart->markDiverged(update.steps_done);
    if (update.snapshot) {
        m_grid->showSnapshot(update.snapshot);
        m_gridCard->setNote(
            tr("mean over %1 probe rows · step %2").arg(kProbeRows).arg(update.snapshot->steps_done));
    }
    m_toolbar->showState(update.state);
    m_status->showUpdate(update);
    m_shown = update;
    m_shown.points.clear();
    m_shown.snapshot.reset();
}

void MainWindow::showRefusal(const Refusal& refusal) {
    m_status->showRefusal(sentence(refusal));
    if (m_shown.run != 0) adopt(m_shown.experiment);
}

void MainWindow::startOrPause() {
    switch (m_shown.state) {
        case RunState::Running:
            emit pauseRequested(true);
            break;
        case RunState::Paused:
            emit pauseRequested(false);
            break;
        default:
            restart();
    }
}

void MainWindow::step() {
    if (m_shown.state == RunState::Running) emit pauseRequested(true);
    if (m_shown.state == RunState::Running || m_shown.state == RunState::Paused) emit stepRequested();
}

void MainWindow::restart() { emit restartRequested(m_experiment); }

void MainWindow::ask(const Experiment& experiment) {
    const bool alive =
        m_shown.run != 0 && m_shown.state != RunState::Diverged && m_shown.state != RunState::Failed;
    const bool carriesOn = alive && m_scaling->carriesOn() && canCarryOn(m_experiment, experiment);
    adopt(experiment);
    if (carriesOn)
        emit carryOnRequested(experiment);
    else
        emit restartRequested(experiment);
}

void MainWindow::adopt(const Experiment& experiment) {
    m_experiment = experiment;
    m_heads->setExperiment(experiment);
    m_scaling->setExperiment(experiment);
    m_training->setExperiment(experiment);
}

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

}  // namespace headscope
