#include "ui/export_dialog.h"

#include <QCheckBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QTimer>
#include <QVBoxLayout>

#include "engine/numeric/refusal.h"
#include "ui/choice_box.h"
#include "ui/loss_chart.h"
#include "ui/output_files.h"
#include "ui/run_text.h"
#include "ui/sentences.h"

namespace headscope {
namespace {

/// The picture, as large as there is room for.
class Preview : public QWidget {
public:
    explicit Preview(QWidget* parent) : QWidget(parent) { setMinimumSize(420, 300); }

    void show(QImage picture) {
        m_picture = std::move(picture);
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        if (m_picture.isNull()) return;
        QPainter painter(this);
        QRectF box(QPointF(),
                   QSizeF(m_picture.size()).scaled(QSizeF(size()) - QSizeF(2, 2), Qt::KeepAspectRatio));
        box.moveCenter(QRectF(rect()).center());
        const double ratio = devicePixelRatioF();
        painter.drawImage(box, m_picture.scaled((box.size() * ratio).toSize(), Qt::IgnoreAspectRatio,
                                                Qt::SmoothTransformation));
        painter.setPen(Theme::of(palette()).border);
        painter.drawRect(box);
    }

private:
    QImage m_picture;
};

QString taskSlug(Task task) {
    switch (task) {
        case Task::PrefixCopy:
            return QStringLiteral("prefix-copy");
        case Task::LagCopy:
            return QStringLiteral("lag-copy");
        case Task::Repeat:
            break;
    }
    return QStringLiteral("repeat");
}

Experiment experimentOf(const PictureSource& source) {
    return source.kind == PictureKind::LossCurve ? *source.chart->experiment() : source.snapshot->experiment;
}

std::int64_t stepOf(const PictureSource& source) {
    return source.kind == PictureKind::LossCurve ? source.chart->lastPoint()->step
                                                 : source.snapshot->steps_done;
}

}  // namespace

bool isAvailable(const PictureSource& source) {
    if (source.kind == PictureKind::LossCurve) return source.chart && !source.chart->isEmpty();
    if (!source.snapshot) return false;
    return source.kind == PictureKind::HeadGrid ||
           (source.head >= 0 && source.head < source.snapshot->experiment.model.n_heads);
}

Picture pictureOf(const PictureSource& source) {
    switch (source.kind) {
        case PictureKind::Head:
            return headPicture(source.snapshot, source.head);
        case PictureKind::LossCurve:
            return lossPicture(source.chart);
        case PictureKind::HeadGrid:
            break;
    }
    return headsPicture(source.snapshot);
}

QString captionOf(const PictureSource& source) { return captionFor(experimentOf(source), stepOf(source)); }

QString suggestedFileName(const PictureSource& source) {
    const Experiment experiment = experimentOf(source);
    const QString what = source.kind == PictureKind::HeadGrid ? QStringLiteral("heads")
                         : source.kind == PictureKind::Head   ? QStringLiteral("head%1").arg(source.head + 1)
                                                              : QStringLiteral("loss");
    return QStringLiteral("%1-%2-h%3-step%4.png")
        .arg(what, taskSlug(experiment.task))
        .arg(experiment.model.n_heads)
        .arg(stepOf(source));
}

struct ExportDialog::Impl {
    PictureSource source;
    ChoiceBox* kind;
    ChoiceBox* head;
    QSpinBox* width;
    QSpinBox* height;
    QSpinBox* dpi;
    ChoiceBox* colors;
    QLineEdit* caption;
    QLabel* message;
    QPushButton* saveButton;
    QPushButton* copyButton;
    Preview* preview;
    QTimer refresh;  // one rendering for many keystrokes

    void update() {
        const bool available = isAvailable(source);
        head->setEnabled(source.kind == PictureKind::Head);
        saveButton->setEnabled(available);
        copyButton->setEnabled(available);
        refresh.start();
    }
};

ExportDialog::ExportDialog(PictureSource source, QWidget* parent)
    : QDialog(parent), m_impl(std::make_unique<Impl>()) {
    Impl& d = *m_impl;
    d.source = std::move(source);
    setWindowTitle(tr("Export picture"));
    const auto named = [](auto* widget, const char* name) {
        widget->setObjectName(QString::fromLatin1(name));
        return widget;
    };

    d.kind = named(new ChoiceBox, "exportKind");
    const auto offer = [&d](const QString& text, PictureKind kind) {
        PictureSource other = d.source;
        other.kind = kind;
        if (isAvailable(other)) d.kind->addItem(text, static_cast<int>(kind));
    };
    offer(tr("All heads"), PictureKind::HeadGrid);
    offer(tr("One head"), PictureKind::Head);
    offer(tr("Loss curve"), PictureKind::LossCurve);
    d.kind->setCurrentIndex(d.kind->findData(static_cast<int>(d.source.kind)));
    d.head = named(new ChoiceBox, "exportHead");
    for (int i = 0; d.source.snapshot && i < d.source.snapshot->experiment.model.n_heads; ++i)
        d.head->addItem(tr("Head %1").arg(i + 1));
    d.head->setCurrentIndex(d.source.head);

    const auto spin = [&](const char* name, int low, int high, int value, const QString& suffix) {
        auto* box = named(new QSpinBox, name);
        box->setRange(low, high);
        box->setValue(value);
        box->setSuffix(suffix);
        return box;
    };
    const PictureOptions defaults;
    d.width = spin("exportWidth", kSmallestPicture, kLargestPicture, defaults.size.width(), tr(" px"));
    d.height = spin("exportHeight", kSmallestPicture, kLargestPicture, defaults.size.height(), tr(" px"));
    d.dpi = spin("exportDpi", 36, 2400, defaults.dpi, tr(" dpi"));
    d.colors = named(new ChoiceBox, "exportColors");
    d.colors->addItems({tr("Light"), tr("Dark")});
    d.colors->setCurrentIndex(d.source.theme.dark ? 1 : 0);
    d.caption = named(new QLineEdit, "exportCaption");
    if (isAvailable(d.source)) d.caption->setText(captionOf(d.source));
    d.caption->setCursorPosition(0);
    d.message = named(new QLabel, "exportMessage");
    d.message->setWordWrap(true);
    d.message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    d.saveButton = named(new QPushButton(tr("&Save PNG…")), "exportSave");
    d.saveButton->setDefault(true);
    d.copyButton = named(new QPushButton(tr("&Copy")), "exportCopy");
    auto* close_button = named(new QPushButton(tr("Close")), "exportClose");
    d.preview = new Preview(this);
    d.preview->setAccessibleName(tr("Preview"));

    auto* form = new QFormLayout;
    form->addRow(tr("&Picture"), d.kind);
    form->addRow(tr("&Head"), d.head);
    form->addRow(tr("&Width"), d.width);
    form->addRow(tr("H&eight"), d.height);
    form->addRow(tr("&Resolution"), d.dpi);
    form->addRow(tr("C&olors"), d.colors);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(d.message, 1);
    for (QPushButton* button : {d.copyButton, d.saveButton, close_button}) buttons->addWidget(button);
    auto* top = new QHBoxLayout;
    top->addLayout(form);
    top->addWidget(d.preview, 1);
    auto* caption_row = new QFormLayout;
    caption_row->addRow(tr("Cap&tion"), d.caption);
    auto* all = new QVBoxLayout(this);
    all->addLayout(top, 1);
    all->addLayout(caption_row);
    all->addLayout(buttons);

    d.refresh.setSingleShot(true);
    d.refresh.setInterval(0);
    connect(&d.refresh, &QTimer::timeout, this, [this] { m_impl->preview->show(picture()); });
    connect(d.kind, &QComboBox::currentIndexChanged, this, [this] {
        Impl& impl = *m_impl;
        // A caption of the user's own stays; the prefilled one follows the choice.
        const bool prefilled = impl.caption->text() == captionOf(impl.source);
        impl.source.kind = static_cast<PictureKind>(impl.kind->currentData().toInt());
        if (prefilled) impl.caption->setText(captionOf(impl.source));
        impl.update();
    });
    connect(d.head, &QComboBox::currentIndexChanged, this, [this](int head) {
        m_impl->source.head = head;
        m_impl->update();
    });
    for (QSpinBox* box : {d.width, d.height, d.dpi})
        connect(box, &QSpinBox::valueChanged, this, [this] { m_impl->update(); });
    connect(d.colors, &QComboBox::currentIndexChanged, this, [this] { m_impl->update(); });
    connect(d.caption, &QLineEdit::textChanged, this, [this] { m_impl->update(); });
    connect(d.saveButton, &QPushButton::clicked, this, &ExportDialog::save);
    connect(d.copyButton, &QPushButton::clicked, this, &ExportDialog::copy);
    connect(close_button, &QPushButton::clicked, this, &QDialog::reject);
    resize(860, 520);
    d.update();
}

ExportDialog::~ExportDialog() = default;

PictureOptions ExportDialog::options() const {
    PictureOptions options;
    options.size = {m_impl->width->value(), m_impl->height->value()};
    options.dpi = m_impl->dpi->value();
    options.caption = m_impl->caption->text();
    options.theme = m_impl->colors->currentIndex() == 1 ? Theme::darkTheme() : Theme::light();
    options.colormap = m_impl->source.colormap;
    return options;
}

QImage ExportDialog::picture() const {
    return isAvailable(m_impl->source) ? imageOf(pictureOf(m_impl->source), options()) : QImage();
}

bool ExportDialog::saveTo(const QString& path) {
    try {
        writeFile(path, fileOf(pictureOf(m_impl->source), options(), formatOf(path)));
    } catch (const Refusal& refusal) {
        m_impl->message->setText(sentence(refusal));
        return false;
    }
    m_impl->message->setText(tr("Saved %1.").arg(QDir::toNativeSeparators(path)));
    return true;
}

void ExportDialog::save() {
    // Without a directory it opens where the last file of this sitting went.
    auto* dialog = new QFileDialog(this, tr("Save picture"), QString(), tr("PNG pictures (*.png)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("png"));
    dialog->selectFile(suggestedFileName(m_impl->source));
    connect(dialog, &QFileDialog::fileSelected, this, &ExportDialog::saveTo);
    dialog->open();
}

void ExportDialog::copy() {
    copyToClipboard(pictureOf(m_impl->source), options());
    m_impl->message->setText(tr("Copied to the clipboard."));
}

}  // namespace headscope
