#pragma once

#include <QMainWindow>

#include "engine/numeric/built_with.h"
#include "engine/training/update.h"
#include "ui/lesson.h"
#include "ui/panel_state.h"
#include "ui/spoken_language.h"

class QAction;
class QActionGroup;
class QLabel;
class QMenu;
class QSplitter;
class QStackedWidget;
class QVBoxLayout;

namespace headscope {

class Card;
class CardTitle;
class ComparePanel;
class ExperimentCard;
class HeadGrid;
class HeadsCard;
class LessonCard;
class HeadsView;
class LossChart;
class OfferBar;
class ProbeCard;
class Replay;
struct RunRecord;
class RightColumn;
class RunToolbar;
class ScalingCard;
class SegmentedControl;
class StatusStrip;
struct LookBack;
struct PictureOptions;
enum class Colormap;
enum class PictureKind;
struct PictureSource;
enum class ThemeChoice;

/// The whole window. It is told what the engine did by showUpdate() and says what the user wants by its
/// signals; it never sees a session or a thread. What it shows of a run comes from the last update: a click
/// only asks.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    /// What the toolbar offers; choosing one sets all controls and emits paceRequested and restartRequested.
    void setLessons(std::vector<Lesson> lessons);
    /// The same, by id; false where there is no such lesson.
    bool chooseLesson(const QString& id);
    /// Shows a lesson as the one in hand, with its text, and asks for nothing.
    bool showLesson(const QString& id);
    /// Asks for a run of this experiment, with what belongs to the lesson in hand: its twin, its probe.
    void begin(const Experiment& experiment) { ask(experiment); }
    /// Shows a pace that was set elsewhere, such as on the command line; emits nothing.
    void showPace(double steps_per_second);

    /// What was asked for last, or is running; the lesson's id is empty where none is in hand.
    const Experiment& experiment() const { return m_experiment; }
    QString lesson() const;

    /// Show a choice of the View menu, and emit nothing.
    void setTheme(ThemeChoice choice);
    /// What the window and its pictures can be had in. `chosen` is the code of one, or empty where the
    /// system's is followed; `spoken` is the code of that which the window has.
    void setLanguages(const std::vector<SpokenLanguage>& languages, const QString& chosen,
                      const QString& spoken);
    void setColormap(Colormap colormap);
    /// What the export dialog begins with: size, type and parts.
    void setExportLook(const PictureOptions& options);
    /// Where the window is, how large it and its parts are, and what of it is hidden; in lecture mode, of the
    /// window before.
    QByteArray windowLayout() const;
    /// False, and nothing is changed, where it is none.
    bool restoreWindowLayout(const QByteArray& layout);
    /// Size and parts as at the first start.
    void resetWindowLayout();

    /// Says what is to be seen, beside it, in a few steps.
    void startTour();
    /// What the program is built with besides what engine and window are.
    void setOtherLibraries(std::vector<Library> libraries);
    /// What to send along with the report of a fault.
    QString diagnostics() const;

    /// All that the run in the window has told, up to the last update.
    const RunRecord& record() const;
    PanelState panelState() const;
    /// Shows it, with its lesson where there is such a one, and asks for nothing.
    void showPanel(const PanelState& state);
    /// Shows a recorded run as the run with that id, which goes on from there, and asks for the probe that it
    /// was last shown with. The curves before it go.
    void showStory(const RunRecord& record, RunId run);
    /// What belongs to this window's showing of the run, for another that shows its story.
    LookBack lookBack() const;
    void showLookBack(const LookBack& before);

    /// The file that the run is of, empty where none, and whether the run is another by now.
    void setFile(const QString& path, bool modified);
    /// The latest first.
    void setRecentFiles(const QStringList& paths);
    void setHasLastSitting(bool has);
    /// Asks whether what an earlier sitting left is wanted; the answer is a signal.
    void offerToRestore();
    /// Say something beside the facts, or what went wrong.
    void showHint(const QString& sentence);
    /// What is under way stands instead of hints until it is over: an empty sentence.
    void showBusy(const QString& sentence);
    /// Stands across the window until it is dismissed.
    void showProblem(const Refusal& refusal);
    void clearProblem();

public slots:
    /// A run id not seen before begins a new curve; the one before stays as a ghost.
    void showUpdate(const headscope::Update& update);
    /// What was asked for last was not done: says why, and shows again what is running.
    void showRefusal(const headscope::Refusal& refusal);
    /// Asks where to save the file of weights that was requested.
    void offerWeights(const QByteArray& file);

signals:
    /// Start anew from the seed.
    void restartRequested(const headscope::Experiment& experiment);
    /// Go on with the weights there are; only what canCarryOn() allows differs from the running experiment.
    void carryOnRequested(const headscope::Experiment& experiment);
    void pauseRequested(bool paused);
    void stepRequested();
    /// Many runs of the experiment in hand.
    void sweepRequested(const headscope::Experiment& experiment);
    /// The run's weights as they are now: to be given to offerWeights().
    void weightsRequested();
    /// The recorded run as an animation.
    void animationRequested(const headscope::PictureSource& source);
    /// Steps per second; kUnlimitedPace is as fast as it goes.
    void paceRequested(double steps_per_second);
    /// What each head does from now on.
    void headModesRequested(const std::vector<headscope::HeadMode>& modes);
    /// What the snapshots to come show.
    void probeRequested(const headscope::Probe& probe);
    /// Start anew, the twin in lockstep beside it.
    void compareRequested(const headscope::Experiment& experiment, const headscope::Experiment& twin);

    void lectureModeChanged(bool lecture);

    /// What the user chose in the View menu.
    void themeChosen(headscope::ThemeChoice choice);
    /// One of the codes given to setLanguages(), or empty; the window itself stays as it is.
    void languageChosen(const QString& code);
    void colormapChosen(headscope::Colormap colormap);
    /// A picture was exported with these.
    void exportLookUsed(const headscope::PictureOptions& options);
    /// Forget whatever was chosen.
    void resetRequested();

    void openRequested(const QString& path);
    void saveRequested(const QString& path);
    void lastSittingRequested();
    /// The answers to offerToRestore().
    void restoreRequested();
    void discardRequested();

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void layOut();
    QWidget* makeControls();
    QWidget* makeMiddle();
    /// Where the right column is: beside the middle, or under a tab of the left one where room is short.
    void arrange(int width);
    void connectControls();
    void connectReplay();
    void makeMenus();
    void makeRunMenu(QMenu* menu);
    void makeViewMenu(QMenu* menu);
    void makeHelpMenu(QMenu* menu);
    /// The probe's card, by an action and by a button in the header of the heads.
    void offerProbe(QMenu* menu);
    void offerLectureMode(QMenu* menu);
    void makeFileMenu(QMenu* menu);
    void askWhatToOpen();
    void save();
    void saveAs();
    void makeExportMenu(QMenu* menu);
    void makeThemeMenu(QMenu* menu);
    void makeColorMenu(QMenu* menu);
    void makeHeadMenu(QMenu* menu);
    void openHeadMenu(HeadGrid* grid, const QPoint& position);
    void openLossMenu(const QPoint& position);
    /// Whether what is asked of heads is asked of those in this grid.
    bool ruled(const HeadGrid& grid) const;

    void startOrPause();
    void step();
    /// Starts the experiment in hand anew, with its twin where there is one.
    void restart();
    /// Opens the panel that chooses a twin, or ends the comparison.
    void compare();
    /// Shows the step gone back to, or the live one.
    void showFrame();
    void setLectureMode(bool lecture);
    /// Restarts or carries on, as the change and the switch beside the scaling have it.
    void ask(const Experiment& experiment);
    void adopt(const Experiment& experiment);
    /// The twin goes on differing in what it differed; the comparison ends where it cannot.
    void followWithTwin(const Experiment& experiment);
    /// What there is to export of this grid, and of the run.
    PictureSource pictureSource(PictureKind kind, const HeadGrid& grid, int head) const;
    bool requireAvailable(const PictureSource& source);
    bool requireRecorded();
    void makeDataMenu(QMenu* menu);
    /// Asks where, and writes what `content` then gives for that name.
    void saveData(const QString& filter, const QString& name,
                  const std::function<QByteArray(const QString& path)>& content);
    void exportPicture(PictureKind kind, const HeadGrid& grid, int head);
    void copyPicture(PictureKind kind, const HeadGrid& grid, int head);
    /// Where the cursor is; else the run's own, and its first head.
    const HeadGrid& chosenGrid() const;
    int chosenHead() const;
    QList<CardTitle*> cardTitles() const;
    QStringList foldedCards() const;  ///< object names, ascending
    void foldCards(const QStringList& folded);
    void askToReset();
    void showKeys();
    void copyDiagnostics();
    void showAbout();

    std::vector<Lesson> m_lessons;
    std::vector<Library> m_otherLibraries;
    bool m_lecture = false;
    /// What lecture mode brings back when it is left.
    struct {
        QByteArray layout;
        QFont font;
        Qt::WindowStates state;
        QSize size;
        bool controls = true;
    } m_before;
    Experiment m_experiment;           ///< last asked for or told
    std::optional<Experiment> m_twin;  ///< the same of the twin
    Probe m_probe;                     ///< last asked for of the run
    Update m_shown;                    ///< the last, without its points
    QString m_file;
    QMenu* m_recent;
    QAction* m_lastSitting;
    ThemeChoice m_theme;
    Colormap m_colormap;
    std::unique_ptr<PictureOptions> m_exportLook;
    QActionGroup* m_themeActions;
    QMenu* m_languages;
    std::vector<SpokenLanguage> m_spoken;  ///< what pictures are offered in: the window's own first
    QActionGroup* m_colorActions;
    RunToolbar* m_toolbar;
    OfferBar* m_offer;
    OfferBar* m_problem;
    ComparePanel* m_comparePanel;
    HeadsCard* m_heads;
    ScalingCard* m_scaling;
    ExperimentCard* m_training;
    QVBoxLayout* m_controls;  ///< the cards on the left
    Card* m_lookFor;
    LessonCard* m_lessonCard;
    QLabel* m_story;
    QLabel* m_lookForText;
    QWidget* m_left;  ///< the controls and, where room is short, the right column
    SegmentedControl* m_leftTabs;
    QStackedWidget* m_leftPages;
    RightColumn* m_right;
    QWidget* m_rightPlace;
    QSplitter* m_middle;
    Card* m_gridCard;
    Card* m_lossCard;
    HeadsView* m_view;
    ProbeCard* m_probeCard;
    QAction* m_controlsAction;  ///< shows and hides m_left
    QAction* m_probeAction;     ///< shows and hides m_probeCard
    LossChart* m_chart;
    Replay* m_replay;
    StatusStrip* m_status;
};

}  // namespace headscope
