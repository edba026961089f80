#include "ui/experiment_card.h"

#include <algorithm>
#include <cmath>

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QStyle>
#include <QVBoxLayout>

#include "ui/choice_box.h"
#include "ui/sentences.h"
#include "ui/tick_slider.h"

namespace headscope {
namespace {

// The learning rate's slider: logarithmic, 10⁻⁵ … 1, twenty places a decade.
constexpr int kRatePlaces = 100;
constexpr double kRateDecades = 5;

constexpr std::string_view kRateSlider = "learning_rate_slider";

// The grid: rows of one, two or three editors. Each row has a line of labels, one of editors, and one for the
// message of each.
constexpr int kColumns = 6;
constexpr int kLinesPerRow = 5;

double rateAt(int place) {
    const double rate = std::pow(10, kRateDecades * (double(place) / kRatePlaces - 1));
    const double unit = std::pow(10, std::floor(std::log10(rate)) - 1);
    return std::round(rate / unit) * unit;
}

int placeOfRate(double rate) {
    const double share = std::log10(rate) / kRateDecades + 1;
    return int(std::lround(std::clamp(share, 0.0, 1.0) * kRatePlaces));
}

QString toText(double value) { return QLocale::c().toString(value, 'g', 6); }

bool toNumber(const QString& text, double& value) {
    bool ok = false;
    value = QLocale::c().toDouble(text.trimmed(), &ok);
    return ok;
}

bool toWholeNumber(const QString& text, int& value) {
    bool ok = false;
    value = text.trimmed().toInt(&ok);
    return ok;
}

bool toWholeNumber(const QString& text, std::uint64_t& value) {
    bool ok = false;
    value = text.trimmed().toULongLong(&ok);
    return ok;
}

QString lagsToText(const std::vector<int>& lags) {
    QStringList words;
    for (const int lag : lags) words << QString::number(lag);
    return words.join(QStringLiteral(", "));
}

bool toLags(const QString& text, std::vector<int>& lags) {
    static const QRegularExpression kBetween(QStringLiteral("[,;\\s]+"));
    std::vector<int> found;
    for (const QString& word : text.split(kBetween, Qt::SkipEmptyParts))
        if (!toWholeNumber(word, found.emplace_back())) return false;
    lags = std::move(found);
    return true;
}

/// The most heads, up to those wanted, that the width and the positions allow; 1 where none do.
int fittingHeads(const ModelConfig& model) {
    for (int n = std::min(model.n_heads, model.d_model); n > 1; --n)
        if (model.d_model % n == 0 && (model.positions != Positions::Rotary || model.d_model / n % 2 == 0))
            return n;
    return 1;
}

}  // namespace

QWidget* ExperimentCard::Field::editor() const {
    return edit ? static_cast<QWidget*>(edit) : static_cast<QWidget*>(choice);
}

ExperimentCard::ExperimentCard(QWidget* parent)
    : Card(tr("Task and training"), Folding::Folds, parent), m_rate(new TickSlider), m_grid(new QGridLayout) {
    setObjectName(QStringLiteral("experimentCard"));
    addChoice(
        "task", "taskChoice", tr("Task"),
        tr("repeat: one random token, repeated\nprefix-copy: T/2 random tokens, then the same "
           "again\nlag-copy: the "
           "word of the symbols that stand lag₁, lag₂ … places back"),
        {tr("repeat"), tr("prefix-copy"), tr("lag-copy")}, [](const Experiment& e) { return int(e.task); },
        [](int i, Experiment& e) { e.task = Task(i); });
    addLags();
    addWholeNumber(
        "context_length", "contextField", tr("Context"),
        tr("T, the tokens in a row: query t sees the keys 0 … t"),
        [](auto& e) -> auto& { return e.model.context_length; });
    addWholeNumber(
        "vocab_size", "vocabularyField", tr("Vocabulary"), tr("V, the number of tokens; guessing loses ln V"),
        [](auto& e) -> auto& { return e.model.vocab_size; });
    addWholeNumber(
        "d_model", "dModelField", tr("d_model"), tr("D = n_heads · d_head, the width of the model"),
        [](auto& e) -> auto& { return e.model.d_model; });
    addWholeNumber(
        "batch_size", "batchField", tr("Batch"),
        tr("B, the rows in a step; the loss is the mean of −ln p(target) over them"),
        [](auto& e) -> auto& { return e.batch_size; });
    addNumber(
        "learning_rate", "learningRateField", tr("Learning rate"), tr("Adam: θ ← θ − rate · m̂ / (√v̂ + ε)"),
        [](auto& e) -> auto& { return e.learning_rate; });
    addChoice(
        "positions", "positionsChoice", tr("Positions"),
        tr("How the model knows where a token stands.\nsinusoidal: sin and cos of t / 10000^(2i/D), "
           "added\nlearned: an embedding of its own, added\nrotary: pairs of q and k turned by t / "
           "10000^(2i/d_head)"),
        {tr("sinusoidal"), tr("learned"), tr("rotary"), tr("none")},
        [](const Experiment& e) { return int(e.model.positions); },
        [](int i, Experiment& e) { e.model.positions = Positions(i); });
    addNumber(
        "position_std", "positionStdField", tr("Position std"),
        tr("σ of the learned positions at the start: each number is drawn from N(0, σ²)"),
        [](auto& e) -> auto& { return e.position_std; });
    addNumber(
        "token_std", "tokenStdField", tr("Token std"),
        tr("σ of the token embedding at the start: each number is drawn from N(0, σ²)"),
        [](auto& e) -> auto& { return e.token_std; });
    addWholeNumber(
        "seed", "seedField", tr("Seed"), tr("The same seed gives the same run, bit by bit"),
        [](auto& e) -> auto& { return e.seed; });
    addWholeNumber(
        "steps", "stepsField", tr("Steps"), tr("An epoch is %1 steps").arg(kStepsPerEpoch),
        [](auto& e) -> auto& { return e.steps; });
    addRateSlider();

    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(2);
    for (int column = 0; column < kColumns; ++column) m_grid->setColumnStretch(column, 1);
    body()->addLayout(m_grid);
    reset(m_experiment);
}

void ExperimentCard::addChoice(std::string_view name, const char* objectName, const QString& label,
                               const QString& tip, const QStringList& words,
                               std::function<int(const Experiment&)> write,
                               std::function<void(int, Experiment&)> read) {
    Field field{.name = name, .choice = new ChoiceBox};
    field.choice->addItems(words);
    field.write = [write = std::move(write)](const Experiment& e) { return QString::number(write(e)); };
    field.read = [read = std::move(read)](const QString& text, Experiment& e) {
        read(text.toInt(), e);
        return true;
    };
    connect(field.choice, &QComboBox::activated, this, &ExperimentCard::commit);
    finishField(field, objectName, label, tip);
}

ExperimentCard::Field& ExperimentCard::addEdit(std::string_view name, const char* objectName,
                                               const QString& label, const QString& tip) {
    Field field{.name = name, .edit = new QLineEdit};
    field.edit->installEventFilter(this);
    connect(field.edit, &QLineEdit::editingFinished, this, &ExperimentCard::commit);
    finishField(field, objectName, label, tip);
    return m_fields.back();
}

void ExperimentCard::finishField(Field& field, const char* objectName, const QString& label,
                                 const QString& tip) {
    field.label = makeLabel(label, "muted", this);
    field.message = makeLabel({}, "error", this);
    field.message->setObjectName(QLatin1String(objectName) + QLatin1String("Message"));
    field.message->setWordWrap(true);
    field.message->hide();
    QWidget* editor = field.editor();
    editor->setParent(this);
    for (QWidget* widget : {static_cast<QWidget*>(field.label), editor})  // the grid's columns are alike
        widget->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    editor->setObjectName(QLatin1String(objectName));
    editor->setAccessibleName(label);
    editor->setToolTip(tip);
    field.label->setBuddy(editor);
    field.label->setToolTip(tip);
    m_fields.push_back(std::move(field));
}

template <typename Member>
void ExperimentCard::addWholeNumber(std::string_view name, const char* objectName, const QString& label,
                                    const QString& tip, Member member) {
    Field& f = addEdit(name, objectName, label, tip);
    f.write = [member](const Experiment& e) { return QString::number(member(e)); };
    f.read = [member](const QString& text, Experiment& e) { return toWholeNumber(text, member(e)); };
    f.refusal = tr("“%1” is not a whole number that fits here");
}

template <typename Member>
void ExperimentCard::addNumber(std::string_view name, const char* objectName, const QString& label,
                               const QString& tip, Member member) {
    Field& f = addEdit(name, objectName, label, tip);
    f.write = [member](const Experiment& e) { return toText(member(e)); };
    f.read = [member](const QString& text, Experiment& e) { return toNumber(text, member(e)); };
    f.refusal = tr("“%1” is not a number");
}

void ExperimentCard::addLags() {
    Field& f =
        addEdit("lags", "lagsField", tr("Lags"), tr("How many places back each symbol of the answer stands"));
    f.write = [](const Experiment& e) { return lagsToText(e.lags); };
    f.read = [](const QString& text, Experiment& e) { return toLags(text, e.lags); };
    f.refusal = tr("“%1” is no list of whole numbers, such as 1, 4, 7");
}

void ExperimentCard::addRateSlider() {
    m_rate->setParent(this);
    m_rate->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_rate->setObjectName(QStringLiteral("learningRateSlider"));
    m_rate->setAccessibleName(tr("Learning rate, logarithmic"));
    m_rate->setToolTip(tr("From 0.00001 to 1, logarithmic"));
    m_rate->setRange(0, kRatePlaces);
    m_rate->setPageStep(kRatePlaces / 5);
    const auto show = [this](int place) { field("learning_rate").edit->setText(toText(rateAt(place))); };
    connect(m_rate, &TickSlider::sliderMoved, this, show);
    connect(m_rate, &TickSlider::chosen, this, [this, show](int place) {
        show(place);
        commit();
    });
}

ExperimentCard::Field& ExperimentCard::field(std::string_view name) {
    const auto found =
        std::find_if(m_fields.begin(), m_fields.end(), [&](const Field& f) { return f.name == name; });
    Q_ASSERT(found != m_fields.end());
    return *found;
}

void ExperimentCard::arrange() {
    const bool lags = field("task").choice->currentIndex() == int(Task::LagCopy);
    const bool learned = field("positions").choice->currentIndex() == int(Positions::Learned);
    while (QLayoutItem* item = m_grid->takeAt(0)) delete item;
    m_tabbed = nullptr;

    int line = 0;
    const auto row = [&](std::initializer_list<std::string_view> names) {
        int column = 0;
        const int span = kColumns / int(names.size());
        for (const std::string_view name : names) {
            place(name, line, column, span);
            column += span;
        }
        line += kLinesPerRow;
    };
    if (lags)
        row({"task", "lags"});
    else
        row({"task"});
    row({"context_length", "vocab_size", "d_model"});
    row({"batch_size", "seed", "steps"});
    row({"learning_rate", kRateSlider});
    if (learned)
        row({"positions", "position_std", "token_std"});
    else
        row({"positions", "token_std"});
    field("lags").show(lags);
    field("position_std").show(learned);
}

void ExperimentCard::place(std::string_view name, int line, int column, int span) {
    QWidget* editor = m_rate;
    if (name != kRateSlider) {
        const Field& f = field(name);
        editor = f.editor();
        f.label->setContentsMargins(0, line > 0 ? 4 : 0, 0, 0);
        m_grid->addWidget(f.label, line, column, 1, span);
        m_grid->addWidget(f.message, line + 2 + column / 2, 0, 1, kColumns);
    }
    m_grid->addWidget(editor, line + 1, column, 1, span);
    if (m_tabbed) setTabOrder(m_tabbed, editor);
    m_tabbed = editor;
}

void ExperimentCard::Field::show(bool shown) const {
    label->setVisible(shown);
    editor()->setVisible(shown);
    if (!shown) message->hide();
}

void ExperimentCard::setExperiment(const Experiment& experiment) {
    for (Field& f : m_fields) {
        const QString text = f.write(experiment);
        if (text != f.write(m_experiment)) write(f, text);
    }
    m_rate->setValue(placeOfRate(experiment.learning_rate));
    m_experiment = experiment;
    arrange();
}

void ExperimentCard::reset(const Experiment& experiment) {
    for (Field& f : m_fields) write(f, f.write(experiment));
    setExperiment(experiment);
}

void ExperimentCard::write(Field& field, const QString& text) {
    if (field.edit)
        field.edit->setText(text);
    else
        field.choice->setCurrentIndex(text.toInt());
    say(field, {}, false);
}

void ExperimentCard::commit() {
    arrange();
    Experiment wanted = m_experiment;
    bool valid = true;
    for (Field& f : m_fields) {
        if (f.editor()->isHidden()) continue;
        const QString text = f.edit ? f.edit->text() : QString::number(f.choice->currentIndex());
        Experiment read = wanted;
        const bool ok = f.read(text, read);
        say(f, ok ? QString() : f.refusal.arg(text), true);
        if (ok) wanted = read;
        valid = valid && ok;
    }
    const int n_heads = wanted.model.n_heads;
    if (wanted.model.d_model > 0) wanted.model.n_heads = fittingHeads(wanted.model);
    for (const Problem& problem : problems(wanted)) {
        // With an odd width no number of heads suits rotary positions.
        Field& f = field(problem.field == "n_heads" ? "positions" : problem.field);
        if (f.message->isHidden()) say(f, sentence(problem.refusal), true);
        valid = false;
    }
    if (!valid || wanted == m_experiment) return;
    if (wanted.model.d_model % n_heads != 0)
        say(field("d_model"),
            tr("%1 heads do not divide %2: now %3")
                .arg(n_heads)
                .arg(wanted.model.d_model)
                .arg(wanted.model.n_heads),
            false);
    else if (wanted.model.n_heads != n_heads)
        say(field("positions"),
            tr("rotary positions need an even d_head: now %1 heads").arg(wanted.model.n_heads), false);
    m_rate->setValue(placeOfRate(wanted.learning_rate));
    m_experiment = wanted;
    emit edited(wanted);
}

void ExperimentCard::say(Field& field, const QString& text, bool refused) {
    field.message->setText(text);
    field.message->setProperty("role", refused ? "error" : "muted");
    field.message->setVisible(!text.isEmpty());
    field.message->style()->polish(field.message);
    QWidget* editor = field.editor();
    const bool invalid = refused && !text.isEmpty();
    editor->setAccessibleDescription(text);
    if (editor->property("invalid").toBool() == invalid) return;
    editor->setProperty("invalid", invalid);
    editor->style()->unpolish(editor);
    editor->style()->polish(editor);
}

bool ExperimentCard::eventFilter(QObject* watched, QEvent* event) {
    const auto* key = event->type() == QEvent::KeyPress ? static_cast<QKeyEvent*>(event) : nullptr;
    if (!key || key->key() != Qt::Key_Escape) return Card::eventFilter(watched, event);
    // Escape: back to what is running, and back to the shortcuts.
    for (Field& f : m_fields) {
        if (f.edit != watched) continue;
        f.edit->setText(f.write(m_experiment));
        say(f, {}, false);
        f.edit->clearFocus();
    }
    return true;
}

}  // namespace headscope
