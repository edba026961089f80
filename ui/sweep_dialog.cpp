#include "ui/sweep_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/output_files.h"
#include "ui/pictures.h"
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

/// The numbers of a field, with commas between.
template <typename Number, typename Convert>
std::vector<Number> numbersIn(const QLineEdit& field, const QString& name, const Convert& convert) {
    std::vector<Number> numbers;
    for (const QString& word : field.text().split(u',')) {
        bool good = false;
        numbers.push_back(static_cast<Number>(convert(word.trimmed(), good)));
        if (!good)
            throw Refusal(
                QT_TRANSLATE_NOOP("headscope::Refusal",
                                  "%1 has '%2' in it: it must be whole numbers with commas between"),
                {name.toStdString(), word.trimmed().toStdString()});
    }
    return numbers;
}

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
      m_seeds(new QLineEdit(QStringLiteral("1, 2, 3, 4, 5"))),
      m_threshold(new QLineEdit(QString::number(m_sweep.threshold))),
      m_progress(new QProgressBar),
      m_message(new QLabel),
      m_start(new QPushButton),
      m_save(new QPushButton(tr("Save &Picture…"))),
      m_view(new SweepView(this)) {
    setWindowTitle(tr("Sweep"));
    layOut();
    m_sweep.base = base;
    m_view->show(m_sweep, m_rows);
    connect(m_start, &QPushButton::clicked, this, &SweepDialog::startOrCancel);
    connect(m_save, &QPushButton::clicked, this, &SweepDialog::save);
    connect(this, &QDialog::finished, this, &SweepDialog::cancelRequested);
    showState();
    resize(860, 620);
}

void SweepDialog::layOut() {
    const std::pair<QWidget*, const char*> names[] = {
        {m_heads, "sweepHeads"},       {m_seeds, "sweepSeeds"},     {m_threshold, "sweepThreshold"},
        {m_progress, "sweepProgress"}, {m_message, "sweepMessage"}, {m_start, "sweepStart"},
        {m_save, "sweepSave"},         {m_view, "sweepView"}};
    for (const auto& [widget, name] : names) widget->setObjectName(QLatin1String(name));
    m_message->setWordWrap(true);
    m_view->setAccessibleName(tr("Steps to the threshold against d_head"));
    auto* about = new QLabel(tr(
        "Trains the experiment in hand with every number of heads below, with and without scaling, and with "
        "every seed: how many steps does each take to learn?"));
    about->setWordWrap(true);
    auto* form = new QFormLayout;
    form->addRow(tr("&Heads"), m_heads);
    form->addRow(tr("S&eeds"), m_seeds);
    form->addRow(tr("Learned at a loss &below"), m_threshold);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_progress, 1);
    buttons->addWidget(m_start);
    buttons->addWidget(m_save);
    auto* all = new QVBoxLayout(this);
    all->addWidget(about);
    all->addLayout(form);
    all->addWidget(m_view, 1);
    all->addWidget(m_message);
    all->addLayout(buttons);
}

Sweep SweepDialog::entered() const {
    Sweep sweep;
    sweep.base = m_base;
    sweep.heads =
        numbersIn<int>(*m_heads, tr("Heads"), [](const QString& w, bool& good) { return w.toInt(&good); });
    sweep.seeds = numbersIn<std::uint64_t>(*m_seeds, tr("Seeds"),
                                           [](const QString& w, bool& good) { return w.toULongLong(&good); });
    bool good = false;
    sweep.threshold = m_threshold->text().toDouble(&good);
    if (!good)
        throw Refusal(QT_TRANSLATE_NOOP("headscope::Refusal", "%1 is '%2': it must be a number"),
                      {"threshold", m_threshold->text().toStdString()});
    requireValid(sweep);
    return sweep;
}

void SweepDialog::startOrCancel() {
    if (m_running) {
        emit cancelRequested();
        return showEnd(tr("Canceled; the runs that ended stay in the picture."));
    }
    try {
        m_sweep = entered();
    } catch (const Refusal& refusal) {
        return m_message->setText(sentence(refusal));
    }
    m_rows.clear();
    m_running = true;
    m_message->clear();
    m_progress->setRange(0, static_cast<int>(runsOf(m_sweep).size()));
    showState();
    emit sweepRequested(m_sweep);
}

void SweepDialog::addRows(const std::vector<SweepRow>& rows) {
    m_rows.insert(m_rows.end(), rows.begin(), rows.end());
    showState();
}

void SweepDialog::showEnd(const QString& message) {
    m_running = false;
    m_message->setText(message);
    showState();
}

void SweepDialog::showState() {
    m_progress->setValue(static_cast<int>(m_rows.size()));
    m_start->setText(m_running ? tr("&Cancel") : tr("&Start"));
    m_save->setEnabled(!m_rows.empty());
    for (QLineEdit* field : {m_heads, m_seeds, m_threshold}) field->setEnabled(!m_running);
    m_view->show(m_sweep, m_rows);
}

void SweepDialog::save() {
    auto* dialog = new QFileDialog(this, tr("Save picture"), QString(), tr("PNG pictures (*.png)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("png"));
    dialog->selectFile(QStringLiteral("sweep.png"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        PictureOptions options;
        options.theme = Theme::of(palette());
        try {
            writeFile(path, pngOf(sweepPicture(m_sweep, m_rows, options)));
            m_message->setText(tr("Saved %1.").arg(QDir::toNativeSeparators(path)));
        } catch (const Refusal& refusal) {
            m_message->setText(sentence(refusal));
        }
    });
    dialog->open();
}

}  // namespace headscope
