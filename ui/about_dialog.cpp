#include "ui/about_dialog.h"

#include <thread>

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QSysInfo>
#include <QVBoxLayout>
#include <qcustomplot.h>

#include "engine/numeric/matmul.h"
#include "ui/card.h"

namespace headscope {
namespace {

std::vector<Library> libraries(const std::vector<Library>& others) {
    std::vector<Library> all{{"Qt", qVersion(), "LGPL-3.0-only"},
                             {"QCustomPlot", QCUSTOMPLOT_VERSION_STR, "GPL-3.0-or-later"}};
    for (Library& library : engineLibraries()) all.push_back(std::move(library));
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

QString backend() {
    const std::string_view name = matmulBackend();
    return QString::fromUtf8(name.data(), qsizetype(name.size()));
}

QString libraryTable(const std::vector<Library>& others) {
    QString rows;
    for (const Library& library : libraries(others))
        rows += QStringLiteral(
                    "<tr><td>%1</td><td style='padding-left:18px'>%2</td>"
                    "<td style='padding-left:18px'>%3</td></tr>")
                    .arg(QString::fromStdString(library.name), QString::fromStdString(library.version),
                         QString::fromStdString(library.license));
    return QStringLiteral("<table>%1</table>").arg(rows);
}

}  // namespace

QString systemFacts(const std::vector<Library>& others) {
    QString facts = QStringLiteral("Headscope %1\n").arg(QApplication::applicationVersion());
    for (const Library& library : libraries(others))
        facts += QStringLiteral("%1 %2\n").arg(QString::fromStdString(library.name),
                                               QString::fromStdString(library.version));
    facts += QStringLiteral("Matrices by %1\n").arg(backend());
    facts += QStringLiteral("System: %1, %2 %3, %4, %5 threads\n")
                 .arg(QSysInfo::prettyProductName(), QSysInfo::kernelType(), QSysInfo::kernelVersion(),
                      QSysInfo::currentCpuArchitecture())
                 .arg(std::thread::hardware_concurrency());
    facts += QStringLiteral("Platform: %1, locale %2\n")
                 .arg(QGuiApplication::platformName(), QLocale::system().name());
    for (const QScreen* screen : QGuiApplication::screens())
        facts += QStringLiteral("Screen %1: %2 × %3 at %4\n")
                     .arg(screen->name())
                     .arg(screen->size().width())
                     .arg(screen->size().height())
                     .arg(screen->devicePixelRatio());
    return facts;
}

AboutDialog::AboutDialog(const std::vector<Library>& others, const QString& diagnostics, QWidget* parent)
    : QDialog(parent) {
    setWindowTitle(tr("About Headscope"));
    auto* icon = new QLabel;
    icon->setPixmap(QApplication::windowIcon().pixmap(64));
    icon->setAlignment(Qt::AlignTop);
    auto* name = makeLabel(QStringLiteral("Headscope %1").arg(QApplication::applicationVersion()), "big");
    name->setObjectName(QStringLiteral("aboutName"));
    auto* what = makeLabel(tr("See how attention learns. Free software under the GNU General Public License, "
                              "version 3 or later."),
                           "muted");
    what->setWordWrap(true);
    auto* with = makeLabel(tr("Built with"), "title");
    auto* table = makeLabel(libraryTable(others), "small");
    table->setTextFormat(Qt::RichText);
    table->setObjectName(QStringLiteral("aboutLibraries"));
    table->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto* multiplies =
        makeLabel(tr("Matrices are multiplied by %1 on this machine.").arg(backend()), "muted");

    auto* copy = new QPushButton(tr("Copy &Diagnostics"));
    copy->setObjectName(QStringLiteral("aboutCopy"));
    copy->setToolTip(tr("Versions, system, screens and the experiment, as text: for a report of a fault"));
    connect(copy, &QPushButton::clicked, this,
            [diagnostics] { QGuiApplication::clipboard()->setText(diagnostics); });
    auto* close = new QPushButton(tr("Close"));
    close->setDefault(true);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);

    auto* text = new QVBoxLayout;
    text->setSpacing(6);
    for (QWidget* part : {name, what}) text->addWidget(part);
    text->addSpacing(8);
    for (QWidget* part : {with, table, multiplies}) text->addWidget(part);
    auto* upper = new QHBoxLayout;
    upper->setSpacing(18);
    upper->addWidget(icon);
    upper->addLayout(text, 1);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(copy);
    buttons->addWidget(close);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(20, 18, 20, 16);
    all->setSpacing(16);
    all->addLayout(upper);
    all->addLayout(buttons);
    setFixedWidth(QFontInfo(font()).pixelSize() * 36);
    for (QLabel* label : findChildren<QLabel*>()) label->ensurePolished();  // their type is in their heights
    adjustSize();
    close->setFocus();
}

}  // namespace headscope
