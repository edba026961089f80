#include "ui/sweep_dialog.h"

#include <QDir>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include "engine/training/numbers_from_text.h"
#include "ui/card.h"
#include "ui/output_files.h"
#include "ui/save_dialog.h"
#include "ui/sentences.h"
#include "ui/sweep_picture.h"
#include "ui/theme.h"

namespace headscope {

/// The figure on the screen.
class SweepView : public QWidget {
public:
    explicit SweepView(QWidget* parent) : QWidget(parent) { setMinimumSize(420, 280); }

    void show(const Sweep& sweep, const std::vector<SweepRow>& rows) {
        m_sweep = sweep;
        m_rows = rows;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const Theme theme = Theme::of(palette());
        painter.fillRect(rect(), theme.card);
        paintSweep(painter, QRectF(rect()).adjusted(8, 4, -8, -4), m_sweep, m_rows, theme, font());
    }

private:
    Sweep m_sweep;
    std::vector<SweepRow> m_rows;
};

namespace {

/// Those of the head counts that the width can have.
QString headsThatDivide(int d_model, const std::vector<int>& heads) {
    QStringList words;
    for (const int n_heads : heads)
        if (d_model % n_heads == 0) words += QString::number(n_heads);
    return words.join(u", ");
}

}  // namespace

SweepDialog::SweepDialog(const Experiment& base, QWidget* parent)
    : QDialog(parent),
      m_base(base),
      m_heads(new QLineEdit(headsThatDivide(base.model.d_model, m_sweep.heads))),
      m_seeds(new QLineEdit(QStringLiteral("1..5"))),
      m_threshold(new QLineEdit(QString::number(m_sweep.threshold))),
      m_progress(new QProgressBar),
      m_message(makeLabel({}, "muted")),
      m_start(new QPushButton),
      m_save(new QPushButton(tr("Sa&ve…"))),
      m_close(new QPushButton(tr("C&lose"))),
      m_view(new SweepView(this)) {
    setWindowTitle(tr("Sweep"));
    layOut();
    m_sweep.base = base;
    m_view->show(m_sweep, m_rows);
    connect(m_start, &QPushButton::clicked, this, &SweepDialog::startOrCancel);
    connect(m_save, &QPushButton::clicked, this, &SweepDialog::save);
    connect(m_close, &QPushButton::clicked, this, &SweepDialog::reject);
    connect(this, &QDialog::finished, this, &SweepDialog::cancelRequested);
    showState();
    resize(860, 620);
}

void SweepDialog::layOut() {
    const std::pair<QWidget*, const char*> names[] = {
        {m_heads, "sweepHeads"},       {m_seeds, "sweepSeeds"},     {m_threshold, "sweepThreshold"},
        {m_progress, "sweepProgress"}, {m_message, "sweepMessage"}, {m_start, "sweepStart"},
        {m_save, "sweepSave"},         {m_close, "sweepClose"},     {m_view, "sweepView"}};
    for (const auto& [widget, name] : names) widget->setObjectName(QLatin1String(name));
    m_message->setWordWrap(true);
    m_progress->setTextVisible(false);
    m_start->setDefault(true);
    m_start->setProperty("primary", true);
    for (QPushButton* button : {m_save, m_close}) button->setAutoDefault(false);
    m_view->setAccessibleName(tr("Steps to the threshold against d_head"));
    auto* about = new QLabel(tr(
        "Trains the experiment in hand with every number of heads below, with and without scaling, and with "
        "every seed: how many steps does each take to learn?"));
    about->setWordWrap(true);
    auto* form = new QFormLayout;
    form->addRow(tr("&Heads"), m_heads);
    form->addRow(tr("See&ds"), m_seeds);
    form->addRow(tr("Learned at a loss &below"), m_threshold);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_message, 1);
    buttons->addWidget(m_start);
    buttons->addWidget(m_save);
    buttons->addWidget(m_close);
    auto* all = new QVBoxLayout(this);
    all->addWidget(about);
    all->addLayout(form);
    all->addWidget(m_view, 1);
    all->addWidget(m_progress);
    all->addLayout(buttons);
}

Sweep SweepDialog::entered() const {
    Sweep sweep;
    sweep.base = m_base;
    const auto text = [](const QLineEdit* field) { return field->text().trimmed().toStdString(); };
    sweep.heads = intsFromText(tr("Heads").toStdString(), text(m_heads));
    sweep.seeds = seedsFromText(tr("Seeds").toStdString(), text(m_seeds));
    sweep.threshold = doubleFromText(tr("Threshold").toStdString(), text(m_threshold));
    requireValid(sweep);
    return sweep;
}

void SweepDialog::startOrCancel() {
    if (m_running) {
        emit cancelRequested();
        m_running = false;
        showState();
        return say(tr("Canceled; the runs that ended stay in the picture."));
    }
    try {
        m_sweep = entered();
    } catch (const Refusal& refusal) {
        return say(sentence(refusal), true);
    }
    m_rows.clear();
    m_running = true;
    m_progress->setRange(0, static_cast<int>(runsOf(m_sweep).size()));
    showState();
    emit sweepRequested(m_sweep);
}

void SweepDialog::addRows(const std::vector<SweepRow>& rows) {
    m_rows.insert(m_rows.end(), rows.begin(), rows.end());
    showState();
}

void SweepDialog::showEnd(const QString& failure) {
    m_running = false;
    showState();
    if (!failure.isEmpty()) say(failure, true);
}

void SweepDialog::showState() {
    const int runs = static_cast<int>(m_rows.size());
    m_progress->setValue(runs);
    m_progress->setVisible(m_running);
    say(m_running        ? tr("%1 of %2 runs").arg(runs).arg(m_progress->maximum())
        : m_rows.empty() ? QString()
                         : tr("All %1 runs have ended.").arg(runs));
    m_start->setText(m_running ? tr("&Cancel") : tr("&Start"));
    m_save->setEnabled(!m_rows.empty());
    for (QLineEdit* field : {m_heads, m_seeds, m_threshold}) field->setEnabled(!m_running);
    m_view->show(m_sweep, m_rows);
}

void SweepDialog::say(const QString& message, bool warns) {
    m_message->setText(message);
    m_message->setProperty("role", warns ? "error" : "muted");
    m_message->style()->polish(m_message);
}

void SweepDialog::save() {
    askWhereToSave(this, tr("Save the sweep"),
                   pictureFilter() + tr(";;Table of comma-separated values (*.csv)"),
                   QStringLiteral("sweep.png"), [this](const QString& path) { saveAs(path); });
}

void SweepDialog::saveAs(const QString& path) {
    try {
        writeFile(path, path.endsWith(u".csv", Qt::CaseInsensitive) ? table() : picture(formatOf(path)));
        say(tr("Saved %1.").arg(QDir::toNativeSeparators(path)));
    } catch (const Refusal& refusal) {
        say(sentence(refusal), true);
    }
}

QByteArray SweepDialog::picture(PictureFormat format) const {
    PictureOptions options;
    options.caption = sweepCaption(m_sweep);
    options.theme = Theme::of(palette());
    return fileOf(sweepPicture(m_sweep, m_rows), options, format);
}

QByteArray SweepDialog::table() const {
    std::string text(sweepCsvHead());
    for (const SweepRow& row : inOrder(m_rows, runsOf(m_sweep))) text += toCsvLine(row);
    return QByteArray::fromStdString(text);
}

}  // namespace headscope
