#include "ui/export_dialog.h"

#include <algorithm>
#include <cmath>
#include <new>

#include <QCheckBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QStyle>
#include <QTimer>
#include <QVBoxLayout>

#include "engine/numeric/refusal.h"
#include "ui/choice_box.h"
#include "ui/output_files.h"
#include "ui/save_dialog.h"
#include "ui/sentences.h"

namespace headscope {
namespace {

constexpr int kFilmstripFrames = 5, kMostFilmstripFrames = 32;

/// Sizes that fit where pictures go: a 16:9 slide of 13⅓ × 7½ inches, and 170 × 105 mm of a page.
struct Preset {
    QSize size;
    int dpi;
};
constexpr Preset kPresets[] = {{{1920, 1080}, 144}, {{2008, 1240}, 300}};

/// The picture, as large as there is room for, on squares where it is transparent.
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
        const Theme theme = Theme::of(palette());
        if (m_picture.hasAlphaChannel()) {
            painter.fillRect(box, theme.card);
            painter.fillRect(box, QBrush(theme.border, Qt::Dense4Pattern));
        }
        const double ratio = devicePixelRatioF();
        painter.drawImage(box, m_picture.scaled((box.size() * ratio).toSize(), Qt::IgnoreAspectRatio,
                                                Qt::SmoothTransformation));
        painter.setPen(theme.border);
        painter.drawRect(box);
    }

private:
    QImage m_picture;
};

/// The steps of "0, 40, 100", ascending; none where that is not what it says.
std::vector<std::int64_t> stepsIn(const QString& text) {
    std::vector<std::int64_t> steps;
    for (const QString& word : text.split(u',')) {
        bool good = false;
        steps.push_back(word.trimmed().toLongLong(&good));
        if (!good || steps.back() < 0) return {};
    }
    std::sort(steps.begin(), steps.end());
    if (steps.size() > kMostFilmstripFrames) return {};
    return steps;
}

QString textOf(const std::vector<std::int64_t>& steps) {
    QStringList words;
    for (const std::int64_t step : steps) words << QString::number(step);
    return words.join(QStringLiteral(", "));
}

}  // namespace

struct ExportDialog::Impl {
    PictureSource source;
    std::vector<SpokenLanguage> languages;
    QString prefilled;  ///< the last caption that was no one's own
    QFormLayout* form = new QFormLayout;
    ChoiceBox* kind = new ChoiceBox;
    ChoiceBox* head = new ChoiceBox;
    QLineEdit* steps = new QLineEdit;
    ChoiceBox* measure = new ChoiceBox;
    ChoiceBox* preset = new ChoiceBox;
    QSpinBox* width = new QSpinBox;
    QSpinBox* height = new QSpinBox;
    QSpinBox* dpi = new QSpinBox;
    QSpinBox* textSize = new QSpinBox;
    ChoiceBox* colors = new ChoiceBox;
    ChoiceBox* colormap = new ChoiceBox;
    ChoiceBox* scales = new ChoiceBox;
    ChoiceBox* language = new ChoiceBox;
    QCheckBox* titles = new QCheckBox;
    QCheckBox* colorBar = new QCheckBox;
    QLineEdit* caption = new QLineEdit;
    QLabel* message = new QLabel;
    QPushButton* each = new QPushButton;
    QPushButton* copy = new QPushButton;
    QPushButton* save = new QPushButton;
    QPushButton* close = new QPushButton;
    Preview* preview;
    QTimer refresh;  // one rendering for many keystrokes

    bool shows(std::initializer_list<PictureKind> kinds) const {
        return std::find(kinds.begin(), kinds.end(), source.kind) != kinds.end();
    }
    void say(const QString& sentence, bool warns) {
        message->setText(sentence);
        message->setProperty("role", warns ? "error" : "muted");
        message->style()->polish(message);
    }
};

ExportDialog::ExportDialog(PictureSource source, std::vector<SpokenLanguage> languages, QWidget* parent)
    : QDialog(parent), m_impl(std::make_unique<Impl>()) {
    Impl& d = *m_impl;
    d.source = std::move(source);
    d.languages = std::move(languages);
    if (d.source.steps.empty()) d.source.steps = evenSteps(d.source, kFilmstripFrames);
    d.preview = new Preview(this);
    setWindowTitle(tr("Export picture"));
    layOut();

    const auto offer = [&d](const QString& text, PictureKind kind) {
        PictureSource other = d.source;
        other.kind = kind;
        if (isAvailable(other)) d.kind->addItem(text, static_cast<int>(kind));
    };
    offer(tr("All heads"), PictureKind::HeadGrid);
    offer(tr("One head"), PictureKind::Head);
    offer(tr("One head at several steps"), PictureKind::Filmstrip);
    offer(tr("The run and its twin"), PictureKind::Twin);
    offer(tr("Loss curve"), PictureKind::LossCurve);
    offer(tr("Mechanism"), PictureKind::Mechanism);
    d.kind->setCurrentIndex(d.kind->findData(static_cast<int>(d.source.kind)));
    for (int i = 0; d.source.frame.snapshot && i < d.source.frame.snapshot->experiment.model.n_heads; ++i)
        d.head->addItem(tr("Head %1").arg(i + 1));
    d.head->setCurrentIndex(d.source.head);
    d.steps->setText(textOf(d.source.steps));
    for (const Measure measure : kMeasures) d.measure->addItem(measureName(measure));
    d.measure->setCurrentIndex(static_cast<int>(d.source.measure));
    d.preset->addItems({tr("Slide (16:9)"), tr("Print (170 × 105 mm)"), tr("Own size")});
    d.colors->addItems(
        {tr("Light"), tr("Dark"), tr("Transparent, on a light slide"), tr("Transparent, on a dark slide")});
    d.colors->setCurrentIndex(d.source.theme.dark ? 1 : 0);
    for (const Colormap map : kColormaps) d.colormap->addItem(colormapName(map), static_cast<int>(map));
    d.colormap->setCurrentIndex(d.colormap->findData(static_cast<int>(d.source.colormap)));
    d.scales->addItems({tr("The same for all heads"), tr("Every head's own")});
    for (const SpokenLanguage& language : d.languages) d.language->addItem(language.name);
    d.form->setRowVisible(d.language, d.languages.size() > 1);
    if (isAvailable(d.source)) d.caption->setText(d.prefilled = captionOf(d.source));
    d.caption->setCursorPosition(0);
    usePreset();
    connectFields();
    resize(940, 600);
    changed();
}

ExportDialog::~ExportDialog() = default;

void ExportDialog::layOut() {
    Impl& d = *m_impl;
    const std::pair<QWidget*, const char*> names[] = {
        {d.kind, "exportKind"},         {d.head, "exportHead"},         {d.steps, "exportSteps"},
        {d.measure, "exportMeasure"},   {d.preset, "exportPreset"},     {d.width, "exportWidth"},
        {d.height, "exportHeight"},     {d.dpi, "exportDpi"},           {d.textSize, "exportTextSize"},
        {d.colors, "exportColors"},     {d.scales, "exportScales"},     {d.titles, "exportTitles"},
        {d.colorBar, "exportColorBar"}, {d.caption, "exportCaption"},   {d.message, "exportMessage"},
        {d.each, "exportEach"},         {d.copy, "exportCopy"},         {d.save, "exportSave"},
        {d.close, "exportClose"},       {d.language, "exportLanguage"}, {d.colormap, "exportColormap"}};
    for (const auto& [widget, name] : names) widget->setObjectName(QLatin1String(name));
    const auto spin = [](QSpinBox* box, int low, int high, const QString& suffix) {
        box->setRange(low, high);
        box->setSuffix(suffix);
    };
    spin(d.width, kSmallestPicture, kLargestPicture, tr(" px"));
    spin(d.height, kSmallestPicture, kLargestPicture, tr(" px"));
    spin(d.dpi, 36, 2400, tr(" dpi"));
    spin(d.textSize, 50, 200, tr(" %"));
    d.textSize->setSingleStep(10);
    d.textSize->setValue(100);
    d.titles->setText(tr("T&itles"));
    d.titles->setChecked(true);
    d.colorBar->setText(tr("Color &bar"));
    d.colorBar->setChecked(true);
    d.message->setWordWrap(true);
    d.message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    d.each->setText(tr("Each Head in a &File…"));
    d.copy->setText(tr("&Copy"));
    d.copy->setToolTip(tr("As pixels and as SVG: what is pasted into takes what it knows"));
    d.save->setText(tr("&Save…"));
    d.save->setDefault(true);
    d.close->setText(tr("Close"));
    d.preview->setAccessibleName(tr("Preview"));
    d.steps->setToolTip(tr("Steps with commas between; each shows the recorded one nearest to it"));

    auto* parts = new QHBoxLayout;
    parts->addWidget(d.titles);
    parts->addWidget(d.colorBar);
    d.form->addRow(tr("&Picture"), d.kind);
    d.form->addRow(tr("&Head"), d.head);
    d.form->addRow(tr("At s&teps"), d.steps);
    d.form->addRow(tr("&Measure"), d.measure);
    d.form->addRow(tr("F&or"), d.preset);
    d.form->addRow(tr("&Width"), d.width);
    d.form->addRow(tr("H&eight"), d.height);
    d.form->addRow(tr("&Resolution"), d.dpi);
    d.form->addRow(tr("Te&xt size"), d.textSize);
    d.form->addRow(tr("Co&lors"), d.colors);
    d.form->addRow(tr("Color sc&ale"), d.colormap);
    d.form->addRow(tr("Its ran&ge"), d.scales);
    d.form->addRow(QString(), parts);
    d.form->addRow(tr("Lang&uage"), d.language);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(d.message, 1);
    for (QPushButton* button : {d.each, d.copy, d.save, d.close}) buttons->addWidget(button);
    auto* top = new QHBoxLayout;
    top->addLayout(d.form);
    top->addWidget(d.preview, 1);
    auto* caption_row = new QFormLayout;
    caption_row->addRow(tr("Captio&n"), d.caption);
    auto* all = new QVBoxLayout(this);
    all->addLayout(top, 1);
    all->addLayout(caption_row);
    all->addLayout(buttons);
}

void ExportDialog::connectFields() {
    Impl& d = *m_impl;
    d.refresh.setSingleShot(true);
    d.refresh.setInterval(0);
    connect(&d.refresh, &QTimer::timeout, this, [this] { m_impl->preview->show(picture()); });
    for (ChoiceBox* box : {d.kind, d.head, d.measure, d.colors, d.colormap, d.scales, d.language})
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::changed);
    for (QSpinBox* box : {d.width, d.height, d.dpi, d.textSize})
        connect(box, &QSpinBox::valueChanged, this, &ExportDialog::changed);
    for (QCheckBox* box : {d.titles, d.colorBar})
        connect(box, &QCheckBox::toggled, this, &ExportDialog::changed);
    for (QLineEdit* field : {d.steps, d.caption})
        connect(field, &QLineEdit::textChanged, this, &ExportDialog::changed);
    connect(d.preset, &QComboBox::currentIndexChanged, this, &ExportDialog::usePreset);
    connect(d.save, &QPushButton::clicked, this, [this] {
        askWhereToSave(this, tr("Save picture"), pictureFilter(),
                       suggestedName(m_impl->source) + QStringLiteral(".png"),
                       [this](const QString& path) { saveTo(path); });
    });
    connect(d.each, &QPushButton::clicked, this, [this] {
        askWhereToSave(this, tr("A file for every head, its number behind this name"), pictureFilter(),
                       QStringLiteral("attention.png"), [this](const QString& path) { saveEachTo(path); });
    });
    connect(d.copy, &QPushButton::clicked, this, [this] {
        {
            const auto spoken = speak();
            copyToClipboard(pictureOf(m_impl->source), options());
        }
        m_impl->say(tr("Copied to the clipboard."), false);
        emit used(options());
    });
    connect(d.close, &QPushButton::clicked, this, &QDialog::reject);
}

void ExportDialog::changed() {
    Impl& d = *m_impl;
    // A caption of the user's own stays; the prefilled one follows the choice.
    const bool prefilled = d.caption->text() == d.prefilled;
    d.source.kind = static_cast<PictureKind>(d.kind->currentData().toInt());
    d.source.head = std::max(0, d.head->currentIndex());
    d.source.measure = static_cast<Measure>(d.measure->currentIndex());
    d.source.steps = stepsIn(d.steps->text());
    const bool available = isAvailable(d.source);
    if (prefilled && available) {
        {
            const auto spoken = speak();
            d.prefilled = captionOf(d.source);
        }
        d.caption->setText(d.prefilled);
    }

    d.form->setRowVisible(d.head, d.shows({PictureKind::Head, PictureKind::Filmstrip}));
    d.form->setRowVisible(d.steps, d.shows({PictureKind::Filmstrip}));
    d.form->setRowVisible(d.measure, d.shows({PictureKind::Mechanism}));
    const bool curve = d.shows({PictureKind::LossCurve, PictureKind::Mechanism});
    for (QWidget* field : {static_cast<QWidget*>(d.colormap), static_cast<QWidget*>(d.scales),
                           static_cast<QWidget*>(d.titles), static_cast<QWidget*>(d.colorBar)})
        field->setEnabled(!curve);
    d.each->setVisible(d.shows({PictureKind::Head}));
    for (QPushButton* button : {d.save, d.copy, d.each}) button->setEnabled(available);
    const bool steps = d.shows({PictureKind::Filmstrip}) && d.source.steps.empty();
    d.say(steps ? tr("Steps are whole numbers with commas between, at most %1.").arg(kMostFilmstripFrames)
                : QString(),
          steps);

    int preset = std::size(kPresets);
    for (int i = 0; const Preset& known : kPresets) {
        if (known.size == QSize(d.width->value(), d.height->value()) && known.dpi == d.dpi->value())
            preset = i;
        ++i;
    }
    d.preset->setCurrentIndex(preset);
    d.refresh.start();
}

void ExportDialog::usePreset() {
    Impl& d = *m_impl;
    const auto chosen = static_cast<std::size_t>(d.preset->currentIndex());
    if (chosen >= std::size(kPresets)) return;
    const Preset preset = kPresets[chosen];
    // Each would otherwise be taken for a size of the user's own before all are set.
    const QSignalBlocker width(d.width), height(d.height);
    d.width->setValue(preset.size.width());
    d.height->setValue(preset.size.height());
    d.dpi->setValue(preset.dpi);
    changed();
}

PictureOptions ExportDialog::options() const {
    const Impl& d = *m_impl;
    PictureOptions options;
    options.size = {d.width->value(), d.height->value()};
    options.dpi = d.dpi->value();
    options.caption = d.caption->text();
    options.theme = d.colors->currentIndex() % 2 == 1 ? Theme::darkTheme() : Theme::light();
    options.transparent = d.colors->currentIndex() >= 2;
    options.colormap = static_cast<Colormap>(d.colormap->currentData().toInt());
    options.text_scale = d.textSize->value() / 100.0;
    options.titles = d.titles->isChecked();
    options.color_bar = d.colorBar->isChecked();
    options.own_scales = d.scales->currentIndex() == 1;
    return options;
}

void ExportDialog::setLook(const PictureOptions& options) {
    Impl& d = *m_impl;
    {
        const QSignalBlocker width(d.width), height(d.height);  // a preset is known by all three
        d.width->setValue(options.size.width());
        d.height->setValue(options.size.height());
        d.dpi->setValue(options.dpi);
    }
    d.textSize->setValue(static_cast<int>(std::lround(options.text_scale * 100)));
    d.titles->setChecked(options.titles);
    d.colorBar->setChecked(options.color_bar);
    d.scales->setCurrentIndex(options.own_scales ? 1 : 0);
    d.colors->setCurrentIndex(d.colors->currentIndex() % 2 + (options.transparent ? 2 : 0));
    changed();
}

std::shared_ptr<const void> ExportDialog::speak() const {
    const auto chosen = static_cast<std::size_t>(m_impl->language->currentIndex());
    return chosen < m_impl->languages.size() ? m_impl->languages[chosen].speak() : nullptr;
}

QImage ExportDialog::picture() const {
    const auto spoken = speak();
    return isAvailable(m_impl->source) ? imageOf(pictureOf(m_impl->source), options()) : QImage();
}

bool ExportDialog::orSay(const std::function<void()>& work) {
    try {
        work();
    } catch (const Refusal& refusal) {
        m_impl->say(sentence(refusal), true);
        return false;
    } catch (const std::bad_alloc&) {
        m_impl->say(tr("There is not enough memory for this picture."), true);
        return false;
    }
    return true;
}

bool ExportDialog::saveTo(const QString& path) {
    return orSay([&] {
        writeFile(path, [&] {
            const auto spoken = speak();
            return fileOf(pictureOf(m_impl->source), options(), formatOf(path));
        }());
        m_impl->say(tr("Saved %1.").arg(QDir::toNativeSeparators(path)), false);
        emit used(options());
    });
}

void ExportDialog::saveEachTo(const QString& path) {
    QStringList there;
    for (const QString& file : pathsOfEachHead(m_impl->source, path))
        if (QFileInfo::exists(file)) there << QFileInfo(file).fileName();
    if (there.isEmpty()) return writeEach(path);
    auto* question = new QMessageBox(
        QMessageBox::NoIcon, tr("Replace files"),
        tr("These files are there already: %1. Replace them?").arg(there.join(QStringLiteral(", "))),
        QMessageBox::Yes | QMessageBox::Cancel, this);
    question->setObjectName(QStringLiteral("exportReplace"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->button(QMessageBox::Yes)->setText(tr("Replace"));
    connect(question, &QMessageBox::finished, this, [this, path](int answer) {
        if (answer == QMessageBox::Yes) writeEach(path);
    });
    question->open();
}

void ExportDialog::writeEach(const QString& path) {
    orSay([&] {
        const PictureFormat format = formatOf(path);
        PictureSource source = m_impl->source;
        std::vector<OutputFile> files;
        for (const QString& file : pathsOfEachHead(source, path)) {
            source.head = static_cast<int>(files.size());
            const auto spoken = speak();
            files.push_back({QFileInfo(file).fileName(), fileOf(pictureOf(source), options(), format)});
        }
        writeFiles(QFileInfo(path).path(), files);
        m_impl->say(tr("Saved %1 files in %2.")
                        .arg(files.size())
                        .arg(QDir::toNativeSeparators(QFileInfo(path).path())),
                    false);
        emit used(options());
    });
}

}  // namespace headscope
