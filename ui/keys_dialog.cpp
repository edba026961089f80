#include "ui/keys_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/card.h"

namespace headscope {
namespace {

QString plain(QString text) {
    static const QRegularExpression chinese(
        QStringLiteral("\\(&\\w\\)"));  // the mnemonic that follows the text
    return text.remove(chinese).remove(u'&').remove(u'…');
}

QString row(const QString& keys, const QString& what) {
    return QStringLiteral("<tr><td><b>%1</b></td><td style='padding-left:14px'>%2</td></tr>")
        .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
}

/// What is in a menu within the menu has that one's name before its own.
QString rowsOf(const QMenu& menu, const QString& before = {}) {
    QString rows;
    for (const QAction* action : menu.actions()) {
        if (action->menu()) rows += rowsOf(*action->menu(), plain(action->text()) + QStringLiteral(" · "));
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts()) keys += key.toString(QKeySequence::NativeText);
        if (!keys.isEmpty()) rows += row(keys.join(QStringLiteral(", ")), before + plain(action->text()));
    }
    return rows;
}

QLabel* section(const QString& title, const QString& rows) {
    auto* label = new QLabel(QStringLiteral("<p style='margin:8px 0 2px 0'><b>%1</b></p><table>%2</table>")
                                 .arg(title.toHtmlEscaped(), rows));
    label->setTextFormat(Qt::RichText);
    label->setAlignment(Qt::AlignTop);
    label->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    return label;
}

}  // namespace

KeysDialog::KeysDialog(const QMenuBar& menus, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Keys"));
    QVBoxLayout* columns[] = {new QVBoxLayout, new QVBoxLayout};
    for (const QAction* action : menus.actions()) {
        const QString rows = action->menu() ? rowsOf(*action->menu()) : QString();
        // The longest menu has a column to itself.
        if (!rows.isEmpty())
            columns[rows.count(QStringLiteral("<tr>")) > 12 ? 0 : 1]->addWidget(
                section(plain(action->text()), rows));
    }
    columns[1]->addWidget(
        section(tr("In the pictures"), row(tr("arrows"), tr("Go from cell to cell, and along a curve")) +
                                           row(tr("M"), tr("Mute the head of the cell")) +
                                           row(tr("Enter"), tr("Export the head of the cell")) +
                                           row(tr("Tab"), tr("Go on to the next control"))));
    auto* page = new QWidget;
    page->setObjectName(QStringLiteral("column"));
    auto* side = new QHBoxLayout(page);
    side->setContentsMargins(0, 0, 16, 0);
    side->setSpacing(36);
    for (QVBoxLayout* column : columns) {
        column->addStretch(1);
        side->addLayout(column);
    }
    auto* scrolled = new QScrollArea;
    scrolled->setObjectName(QStringLiteral("keysList"));
    scrolled->setWidget(page);
    scrolled->setWidgetResizable(true);
    scrolled->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* close = new QPushButton(tr("Close"));
    close->setDefault(true);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(20, 8, 12, 16);
    all->addWidget(scrolled, 1);
    all->addWidget(close, 0, Qt::AlignRight);
    const QSize needed = page->sizeHint() + QSize(60, 90);
    resize(needed.boundedTo(parent ? parent->size() : needed));
}

}  // namespace headscope
