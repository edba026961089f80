// What the window looks like, and what is kept of that between sittings.

#include <algorithm>

#include <QActionGroup>
#include <QApplication>
#include <QDataStream>
#include <QIODevice>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QSplitter>

#include "ui/card.h"
#include "ui/heads_view.h"
#include "ui/main_window.h"
#include "ui/menu_entry.h"
#include "ui/right_column.h"
#include "ui/sheet.h"
#include "ui/theme.h"
#include "ui/window_size.h"

namespace headscope {
namespace {

constexpr QSize kFirstSize(1280, 800);

}  // namespace

void MainWindow::makeThemeMenu(QMenu* menu) {
    m_themeActions = addChoices<ThemeChoice>(menu, {
                                                       {tr("As the &System"), ThemeChoice::System},
                                                       {tr("&Light"), ThemeChoice::Light},
                                                       {tr("&Dark"), ThemeChoice::Dark},
                                                   });
    check(*m_themeActions, m_theme);
    connect(m_themeActions, &QActionGroup::triggered, this, [this](const QAction* action) {
        setTheme(static_cast<ThemeChoice>(action->data().toInt()));
        emit themeChosen(m_theme);
    });
}

void MainWindow::makeColorMenu(QMenu* menu) {
    m_colorActions = addColormaps(menu);
    check(*m_colorActions, m_colormap);
    connect(m_colorActions, &QActionGroup::triggered, this, [this](const QAction* action) {
        setColormap(static_cast<Colormap>(action->data().toInt()));
        emit colormapChosen(m_colormap);
    });
}

void MainWindow::setLanguages(const std::vector<SpokenLanguage>& languages, const QString& chosen,
                              const QString& spoken) {
    m_spoken = languages;
    std::stable_partition(m_spoken.begin(), m_spoken.end(),
                          [&](const SpokenLanguage& language) { return language.code == spoken; });
    m_languages->clear();
    auto* group = new QActionGroup(m_languages);
    const auto offer = [&](const QString& code, const QString& name) {
        QAction* action = group->addAction(name);
        action->setCheckable(true);
        action->setChecked(code == chosen);
        m_languages->addAction(action);
        connect(action, &QAction::triggered, this, [this, code] {
            setLectureMode(false);
            emit languageChosen(code);
        });
    };
    offer({}, tr("As the &System"));
    for (const SpokenLanguage& language : languages) offer(language.code, language.name);
}

void MainWindow::setTheme(ThemeChoice choice) {
    m_theme = choice;
    check(*m_themeActions, choice);
    if (!m_lecture) QApplication::setPalette(paletteOf(choice));
}

void MainWindow::setColormap(Colormap colormap) {
    m_colormap = colormap;
    check(*m_colorActions, colormap);
    m_view->setColormap(colormap);
    m_right->setColormap(colormap);
}

void MainWindow::setExportLook(const PictureOptions& options) { *m_exportLook = options; }

/// Before the window is shown for the first time, the right column has no place in it yet.
QList<CardTitle*> MainWindow::cardTitles() const {
    QList<CardTitle*> titles = findChildren<CardTitle*>();
    if (!isAncestorOf(m_right)) titles += m_right->findChildren<CardTitle*>();
    return titles;
}

QStringList MainWindow::foldedCards() const {
    QStringList folded;
    for (const CardTitle* title : cardTitles())
        if (!title->isChecked()) folded << title->parentWidget()->objectName();
    folded.sort();
    return folded;
}

void MainWindow::foldCards(const QStringList& folded) {
    for (CardTitle* title : cardTitles())
        title->setChecked(!folded.contains(title->parentWidget()->objectName()));
}

QByteArray MainWindow::windowLayout() const {
    if (m_lecture) return m_before.layout;
    QByteArray layout;
    QDataStream out(&layout, QIODevice::WriteOnly);
    out.setVersion(QDataStream::Qt_6_4);
    out << saveGeometry() << m_middle->saveState() << m_controlsAction->isChecked()
        << m_probeAction->isChecked() << foldedCards();
    return layout;
}

bool MainWindow::restoreWindowLayout(const QByteArray& layout) {
    QDataStream in(layout);
    in.setVersion(QDataStream::Qt_6_4);
    QByteArray geometry, middle;
    bool controls = true, probe = false;
    QStringList folded;
    in >> geometry >> middle >> controls >> probe >> folded;
    if (in.status() != QDataStream::Ok || !in.atEnd()) return false;
    const QByteArray before = m_middle->saveState();
    if (!m_middle->restoreState(middle)) return false;
    if (!restoreGeometry(geometry)) {
        m_middle->restoreState(before);
        return false;
    }
    if (QScreen* there = QGuiApplication::screenAt(frameGeometry().center())) setScreen(there);
    keepInScreen(*this);
    m_controlsAction->setChecked(controls);
    m_probeAction->setChecked(probe);
    foldCards(folded);
    return true;
}

void MainWindow::resetWindowLayout() {
    m_controlsAction->setChecked(true);
    m_probeAction->setChecked(false);
    foldCards({});
    m_middle->setSizes({5000, 0, 2000});
    resize(kFirstSize);
    keepInScreen(*this);
}

void MainWindow::askToReset() {
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Reset settings"),
                                tr("The size of the window, the colors, the language, what exports offer and "
                                   "the list of recent files become what they were at the first start. The "
                                   "run goes on."),
                                QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("resetBox"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    const QPushButton* reset = box->addButton(tr("&Reset"), QMessageBox::AcceptRole);
    connect(reset, &QPushButton::clicked, this, &MainWindow::resetRequested);
    box->open();
}

}  // namespace headscope
