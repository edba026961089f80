#include "ui/save_dialog.h"

#include <QFileDialog>
#include <QFileInfo>

namespace headscope {
namespace {

/// "svg" of "SVG drawing (*.svg)".
QString suffixIn(const QString& filter) {
    const qsizetype begin = filter.lastIndexOf(u"*.") + 2;
    return filter.mid(begin, filter.lastIndexOf(u')') - begin);
}

}  // namespace

void askWhereToSave(QWidget* parent, const QString& title, const QString& filter, const QString& name,
                    const std::function<void(const QString& path)>& chosen) {
    auto* dialog = new QFileDialog(parent, title, QString(), filter);
    dialog->setObjectName(QStringLiteral("saveDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    const QString suffix = QFileInfo(name).suffix();
    for (const QString& choice : dialog->nameFilters())
        if (suffixIn(choice) == suffix) dialog->selectNameFilter(choice);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(name);
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& choice) {
        dialog->setDefaultSuffix(suffixIn(choice));
        const QStringList files = dialog->selectedFiles();
        if (files.isEmpty()) return;
        const QFileInfo file(files.front());
        dialog->selectFile(file.completeBaseName() + u'.' + suffixIn(choice));
    });
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, chosen);
    dialog->open();
}

}  // namespace headscope
