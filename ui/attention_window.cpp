#include "ui/attention_window.h"

#include <QApplication>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QVBoxLayout>

#include "engine/formats/input_file.h"
#include "engine/training/opened_attention.h"
#include "ui/attention_text.h"
#include "ui/card.h"
#include "ui/choice_box.h"
#include "ui/head_grid.h"
#include "ui/menu_entry.h"
#include "ui/sentences.h"
#include "ui/similarity_card.h"
#include "ui/style.h"
#include "ui/theme.h"
#include "ui/window_size.h"

namespace headscope {
namespace {

constexpr int kGap = 12;
constexpr int kRightWidth = 300;
constexpr int kBeside = 32;  // the window of the run is still seen behind it
constexpr double kLargeType = 1.6;

/// A choice from `count` things, numbered from 1, that is not there where there is no choice.
void fill(ChoiceBox* box, const QString& name, const QString& each, std::size_t count) {
    for (std::size_t i = 1; i <= count; ++i) box->addItem(each.arg(i));
    box->setAccessibleName(name);
    box->setToolTip(name);
    box->setVisible(count > 1);
}

}  // namespace

AttentionWindow::AttentionWindow(AttentionMaps maps, const QString& name, QWidget* parent)
    : QMainWindow(parent),
      m_maps(std::move(maps)),
      m_name(name),
      m_layers(new ChoiceBox),
      m_rows(new ChoiceBox),
      m_extent(makeLabel(extentText(m_maps), "muted")),
      m_grid(new HeadGrid),
      m_right(new QWidget),
      m_similarity(new SimilarityCard) {
    setWindowTitle(tr("%1 – Attention – Headscope").arg(name));
    layOut();
    makeMenus();
    connect(m_layers, &ChoiceBox::activated, this,
            [this](int layer) { choose(static_cast<std::size_t>(layer), m_row); });
    connect(m_rows, &ChoiceBox::activated, this,
            [this](int row) { choose(m_layer, static_cast<std::size_t>(row)); });
    connect(m_grid, &HeadGrid::headActivated, this,
            [this](int head) { exportPicture(PictureKind::Head, head); });
    refresh();
    if (parent) {
        setScreen(parent->screen());
        move(parent->pos() + QPoint(kBeside, kBeside));
    }
    resize(1280, 800);
    keepInScreen(*this);
    m_grid->setFocus();
}

AttentionWindow::~AttentionWindow() { setLectureMode(false); }

void AttentionWindow::layOut() {
    fill(m_layers, tr("Layer"), tr("Layer %1"), m_maps.layers);
    m_layers->setObjectName(QStringLiteral("layerChoice"));
    fill(m_rows, tr("Row of the batch"), tr("Row %1"), m_maps.rows);
    m_rows->setObjectName(QStringLiteral("rowChoice"));

    auto* heads = new Card(tr("Attention of each head"));
    heads->addToHeader(m_extent);
    heads->addToHeader(m_layers);
    heads->addToHeader(m_rows);
    m_grid->setObjectName(QStringLiteral("headGrid"));
    heads->body()->addWidget(m_grid, 1);
    m_right->setFixedWidth(kRightWidth);
    auto* column = new QVBoxLayout(m_right);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_similarity);
    column->addStretch(1);
    m_right->setVisible(m_maps.n_heads > 1);

    auto* ground = new QWidget;
    ground->setObjectName(QStringLiteral("ground"));
    auto* row = new QHBoxLayout(ground);
    row->setContentsMargins(kGap, kGap, kGap, kGap);
    row->setSpacing(kGap);
    row->addWidget(heads, 1);
    row->addWidget(m_right);
    setCentralWidget(ground);
}

void AttentionWindow::makeMenus() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    add(file, tr("Open To&kens…"), "openTokensAction", {}, [this] { chooseTokens(); });
    file->addSeparator();
    add(file, tr("Export &Heads…"), "exportHeadsAction", {Qt::Key_E, QKeySequence(tr("Ctrl+E"))},
        [this] { exportPicture(PictureKind::HeadGrid, 0); });
    add(file, tr("Export &One Head…"), "exportHeadAction", {QKeySequence(tr("Ctrl+Shift+E"))},
        [this] { exportPicture(PictureKind::Head, chosenHead()); });
    add(file, tr("&Copy Heads"), "copyHeadsAction", {QKeySequence::Copy}, [this] { copyPicture(); });
    file->addSeparator();
    add(file, tr("Close &Window"), "closeAction", {QKeySequence(tr("Ctrl+W"))}, [this] { close(); });

    QMenu* view = menuBar()->addMenu(tr("&View"));
    add(view, tr("&Next Layer"), "nextLayerAction", {QKeySequence(tr("Ctrl+Down"))},
        [this] { choose(m_layer + 1, m_row); });
    add(view, tr("&Previous Layer"), "previousLayerAction", {QKeySequence(tr("Ctrl+Up"))},
        [this] { choose(m_layer - 1, m_row); });
    add(view, tr("Next &Row"), "nextRowAction", {QKeySequence(tr("Ctrl+Right"))},
        [this] { choose(m_layer, m_row + 1); });
    add(view, tr("Previous Ro&w"), "previousRowAction", {QKeySequence(tr("Ctrl+Left"))},
        [this] { choose(m_layer, m_row - 1); });
    view->addSeparator();
    QMenu* colors = view->addMenu(tr("&Color Scale"));
    QActionGroup* group = addColormaps(colors);
    check(*group, m_colormap);
    connect(group, &QActionGroup::triggered, this,
            [this](const QAction* action) { setColormap(static_cast<Colormap>(action->data().toInt())); });
    view->addSeparator();
    add(view, tr("&Lecture Mode"), "lectureAction", {Qt::Key_F11}, [this] { setLectureMode(!m_before); });
    add(view, tr("L&eave Lecture Mode"), "leaveLectureAction", {Qt::Key_Escape},
        [this] { setLectureMode(false); });
    keepShortcuts(*this);
}

void AttentionWindow::choose(std::size_t layer, std::size_t row) {
    if (layer >= m_maps.layers || row >= m_maps.rows) return;
    m_layer = layer;
    m_row = row;
    refresh();
}

void AttentionWindow::refresh() {
    m_layers->setCurrentIndex(static_cast<int>(m_layer));
    m_rows->setCurrentIndex(static_cast<int>(m_row));
    const auto snapshot =
        snapshotOf(m_maps, m_layer, m_row, originText(m_name, m_maps, m_layer, m_row).toStdString());
    m_grid->showSnapshot(snapshot);
    m_similarity->showSnapshot(snapshot);
}

void AttentionWindow::setColormap(Colormap colormap) {
    m_colormap = colormap;
    m_grid->setColormap(colormap);
    m_similarity->setColormap(colormap);
}

int AttentionWindow::chosenHead() const {
    const auto cursor = m_grid->cursor();
    return cursor ? cursor->head : 0;
}

PictureSource AttentionWindow::source(PictureKind kind, int head) const {
    PictureSource source;
    source.frame.snapshot = m_grid->snapshot();
    source.kind = kind;
    source.head = head;
    source.theme = Theme::of(palette());
    source.colormap = m_colormap;
    return source;
}

void AttentionWindow::exportPicture(PictureKind kind, int head) {
    auto* dialog = new ExportDialog(source(kind, head), {}, this);
    dialog->setObjectName(QStringLiteral("exportDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

void AttentionWindow::copyPicture() {
    const PictureSource heads = source(PictureKind::HeadGrid, 0);
    PictureOptions options;
    options.caption = captionOf(heads);
    options.theme = heads.theme;
    options.colormap = heads.colormap;
    copyToClipboard(pictureOf(heads), options);
}

void AttentionWindow::chooseTokens() {
    auto* dialog = new QFileDialog(this, tr("Open tokens"), {}, tr("Tokens (*.txt *.json);;All files (*)"));
    dialog->setObjectName(QStringLiteral("openTokensDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        try {
            const auto bytes = readFile(path.toStdString());
            setTokens({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
        } catch (const Refusal& refusal) {
            complain(sentence(refusal));
        }
    });
    dialog->open();
}

void AttentionWindow::setTokens(const std::string& text, const QString& file) {
    try {
        headscope::setTokens(m_maps, text, file.toStdString());
        refresh();
    } catch (const Refusal& refusal) {
        complain(sentence(refusal));
    }
}

void AttentionWindow::complain(const QString& sentence) {
    auto* box =
        new QMessageBox(QMessageBox::Warning, QStringLiteral("Headscope"), sentence, QMessageBox::Ok, this);
    box->setObjectName(QStringLiteral("refusalBox"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void AttentionWindow::setLectureMode(bool lecture) {
    if (lecture == m_before.has_value()) return;
    QFont font = QApplication::font();
    if (lecture) {
        m_before = Before{QApplication::palette(), font, windowState()};
        font.setPixelSize(static_cast<int>(kLargeType * QFontInfo(font).pixelSize()));
        QApplication::setFont(font);
        QApplication::setPalette(Theme::projector().palette());
        setWindowState(windowState() | Qt::WindowFullScreen);
    } else {
        QApplication::setFont(m_before->font);
        QApplication::setPalette(m_before->palette);
        setWindowState(m_before->state);
        m_before.reset();
    }
    applyStyle(*qApp);
    menuBar()->setVisible(!lecture);
    m_extent->setVisible(!lecture);
    m_right->setVisible(!lecture && m_maps.n_heads > 1);  // the heads take all the room
}

void AttentionWindow::closeEvent(QCloseEvent* event) {
    setLectureMode(false);
    QMainWindow::closeEvent(event);
}

}  // namespace headscope
