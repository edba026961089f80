#include "ui/animation_dialog.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStyle>
#include <QVBoxLayout>

#include "ui/card.h"
#include "ui/choice_box.h"
#include "ui/save_dialog.h"

namespace headscope {
namespace {

constexpr int kSmallestFrame = 160, kLargestFrame = 4096;
constexpr int kFittingFrames = 100;  // what is offered at first has about so many

}  // namespace

AnimationDialog::AnimationDialog(PictureSource source, bool mp4, QWidget* parent)
    : QDialog(parent),
      m_source(std::move(source)),
      m_mp4(mp4),
      m_kind(new ChoiceBox),
      m_every(new QSpinBox),
      m_rate(new QDoubleSpinBox),
      m_loop(new QCheckBox(tr("&Over and over"))),
      m_captions(new QCheckBox(tr("Captio&n, with the step"))),
      m_width(new QSpinBox),
      m_height(new QSpinBox),
      m_colors(new ChoiceBox),
      m_length(makeLabel({}, "muted")),
      m_message(makeLabel({}, "muted")),
      m_progress(new QProgressBar),
      m_save(new QPushButton) {
    setWindowTitle(tr("Export the recorded run as an animation"));
    const AnimationOptions defaults;
    m_kind->addItem(tr("All heads"), static_cast<int>(PictureKind::HeadGrid));
    m_kind->addItem(tr("Head %1").arg(m_source.head + 1), static_cast<int>(PictureKind::Head));
    if (m_source.recorded.front().twin)
        m_kind->addItem(tr("The run and its twin"), static_cast<int>(PictureKind::Twin));
    const auto count = static_cast<int>(m_source.recorded.size());
    m_every->setRange(1, std::max(1, count - 1));
    m_every->setValue(1 + (count - 1) / kFittingFrames);
    m_rate->setRange(kSlowestAnimation, kFastestAnimation);
    m_rate->setDecimals(1);
    m_rate->setValue(defaults.frames_per_second);
    m_rate->setSuffix(tr(" a second"));
    for (const auto& [box, value] :
         {std::pair{m_width, defaults.look.size.width()}, {m_height, defaults.look.size.height()}}) {
        box->setRange(kSmallestFrame, kLargestFrame);
        box->setSuffix(tr(" px"));
        box->setValue(value);
    }
    m_loop->setChecked(defaults.loop);
    m_captions->setChecked(defaults.captions);
    m_colors->addItems({tr("Light"), tr("Dark")});
    m_colors->setCurrentIndex(m_source.theme.dark ? 1 : 0);
    layOut();

    for (QSpinBox* box : {m_every, m_width, m_height})
        connect(box, &QSpinBox::valueChanged, this, &AnimationDialog::changed);
    connect(m_rate, &QDoubleSpinBox::valueChanged, this, &AnimationDialog::changed);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &AnimationDialog::changed);
    connect(m_save, &QPushButton::clicked, this, &AnimationDialog::saveOrCancel);
    connect(this, &QDialog::finished, this, &AnimationDialog::cancelRequested);
    changed();
}

void AnimationDialog::layOut() {
    const std::pair<QWidget*, const char*> names[] = {
        {m_kind, "animationKind"},       {m_every, "animationEvery"},       {m_rate, "animationRate"},
        {m_loop, "animationLoop"},       {m_captions, "animationCaptions"}, {m_width, "animationWidth"},
        {m_height, "animationHeight"},   {m_colors, "animationColors"},     {m_length, "animationLength"},
        {m_message, "animationMessage"}, {m_progress, "animationProgress"}, {m_save, "animationSave"}};
    for (const auto& [widget, name] : names) widget->setObjectName(QLatin1String(name));
    m_message->setWordWrap(true);
    m_progress->setAccessibleName(tr("Frames done"));
    m_progress->setTextVisible(false);
    auto* form = new QFormLayout;
    form->addRow(tr("&Picture"), m_kind);
    form->addRow(tr("&Every n-th recorded step"), m_every);
    form->addRow(tr("&Frames"), m_rate);
    form->addRow(QString(), m_length);
    form->addRow(tr("&Width"), m_width);
    form->addRow(tr("&Height"), m_height);
    form->addRow(tr("C&olors"), m_colors);
    form->addRow(QString(), m_captions);
    form->addRow(QString(), m_loop);
    auto* close = new QPushButton(tr("C&lose"));
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_progress, 1);
    buttons->addWidget(m_save);
    buttons->addWidget(close);
    auto* all = new QVBoxLayout(this);
    all->addLayout(form);
    all->addWidget(m_message);
    all->addStretch(1);
    all->addLayout(buttons);
    resize(460, 380);
}

AnimationOptions AnimationDialog::options() const {
    AnimationOptions options;
    options.look.size = {m_width->value(), m_height->value()};
    options.look.theme = m_colors->currentIndex() == 1 ? Theme::darkTheme() : Theme::light();
    options.look.colormap = m_source.colormap;
    options.captions = m_captions->isChecked();
    options.every = m_every->value();
    options.frames_per_second = m_rate->value();
    options.loop = m_loop->isChecked();
    return options;
}

void AnimationDialog::changed() {
    m_source.kind = static_cast<PictureKind>(m_kind->currentData().toInt());
    const auto frames = static_cast<int>(animationFrames(m_source, m_every->value()).size());
    m_length->setText(tr("%1 frames, %2 seconds").arg(frames).arg(frames / m_rate->value(), 0, 'f', 1));
    m_progress->setRange(0, std::max(1, frames));
    m_save->setEnabled(frames > 0);
    m_save->setText(m_running ? tr("&Cancel") : tr("&Save…"));
    for (QWidget* field : findChildren<QWidget*>())
        if (qobject_cast<QAbstractSpinBox*>(field) || qobject_cast<QComboBox*>(field) ||
            qobject_cast<QCheckBox*>(field))
            field->setEnabled(!m_running);
}

void AnimationDialog::saveOrCancel() {
    if (m_running) {
        emit cancelRequested();
        return showEnd(tr("Canceled; nothing was written."), false);
    }
    QString filter = tr("GIF animation (*.gif);;WebP animation, lossless (*.webp)");
    if (m_mp4) filter += tr(";;MP4 film (*.mp4)");
    const QString name = suggestedName(animationFrames(m_source, m_every->value()).back());
    askWhereToSave(this, tr("Save animation"), filter, name + QStringLiteral(".gif"),
                   [this](const QString& path) {
                       m_running = true;
                       showProgress(0);
                       say({}, false);
                       changed();
                       emit saveRequested(path);
                   });
}

void AnimationDialog::showProgress(int frames) { m_progress->setValue(frames); }

void AnimationDialog::showEnd(const QString& message, bool failed) {
    m_running = false;
    say(message, failed);
    changed();
    showProgress(0);
}

void AnimationDialog::say(const QString& sentence, bool warns) {
    m_message->setText(sentence);
    m_message->setProperty("role", warns ? "error" : "muted");
    m_message->style()->polish(m_message);
}

}  // namespace headscope
