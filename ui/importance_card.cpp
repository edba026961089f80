#include "ui/importance_card.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <QAction>
#include <QActionGroup>
#include <QFontInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/mechanism_text.h"
#include "ui/theme.h"

namespace headscope {
namespace {

constexpr int kRowsShown = 16;  // more scroll inside the card
constexpr int kGap = 6;

constexpr std::array kModes = {HeadMode::Trained, HeadMode::Uniform, HeadMode::Frozen};

/// The loss at the end of the bars: the smallest half, quarter … or double … of a little more than chance
/// that holds them all, so that bars do not grow and shrink with every step.
double fullLoss(const Snapshot& snapshot) {
    double most = 1e-3;
    for (const float loss : snapshot.loss_without)
        if (std::isfinite(loss)) most = std::max(most, double{loss});
    const double chance = 1.05 * std::log(snapshot.experiment.model.vocab_size);
    return chance * std::exp2(std::ceil(std::log2(most / chance)));
}

QString withoutTip(int head) {
    return ImportanceBar::
        tr("Mean cross-entropy on the probe batch with the context of head %1 zeroed, in nats: the bar. The "
           "mark is the loss with it")
            .arg(head + 1);
}

}  // namespace

ImportanceBar::ImportanceBar(int head, QWidget* parent) : DescribedWidget(parent), m_head(head) {
    setAccessibleName(tr("Loss without head %1").arg(head + 1));
    setToolTip(withoutTip(head));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ImportanceBar::show(float loss_without, float with_all, double full, HeadMode mode) {
    m_loss = loss_without;
    m_withAll = with_all;
    m_full = full;
    m_mode = mode;
    update();
    announce();
}

QSize ImportanceBar::sizeHint() const { return {90, QFontMetrics(font()).height() + 4}; }

QString ImportanceBar::valueText() const {
    return m_mode == HeadMode::Muted ? tr("muted") : shortNumber(double{m_loss});
}

QString ImportanceBar::description() const {
    if (m_mode == HeadMode::Muted)
        return tr("Head %1 is muted; the loss is %2.").arg(m_head + 1).arg(shortNumber(double{m_withAll}));
    return tr("Without head %1 the loss is %2, with it %3.")
        .arg(m_head + 1)
        .arg(shortNumber(double{m_loss}), shortNumber(double{m_withAll}));
}

double ImportanceBar::barRoom() const {
    return std::max(0.0, width() - QFontMetricsF(font()).horizontalAdvance(tr("muted")) - kGap);
}

QRectF ImportanceBar::bar() const {
    if (m_mode == HeadMode::Muted || !std::isfinite(m_loss) || m_loss <= 0) return {};
    const double height = std::round(0.8 * QFontMetricsF(font()).height());
    return {0, std::floor((this->height() - height) / 2), barRoom() * std::min(1.0, m_loss / m_full), height};
}

void ImportanceBar::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = bar();
    if (!box.isEmpty()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.heads[static_cast<std::size_t>(m_head) % theme.heads.size()]);
        painter.drawRoundedRect(box, std::min(3.0, box.width() / 2), 3);
        if (std::isfinite(m_withAll)) {
            const double x = barRoom() * std::clamp(m_withAll / m_full, 0.0, 1.0);
            painter.setPen(QPen(theme.text, 1.5));
            painter.drawLine(QPointF(x, box.top() - 1.5), QPointF(x, box.bottom() + 1.5));
        }
    }
    QFont small = font();
    small.setPixelSize(std::max(10, QFontInfo(small).pixelSize() - 1));
    painter.setFont(small);
    painter.setPen(std::isfinite(m_loss) ? theme.mutedText : theme.warning);
    const double left = box.isEmpty() ? 0 : box.right() + kGap;
    painter.drawText(QRectF(left, 0, width() - left, height()),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, valueText());
}

ImportanceCard::ImportanceCard(QWidget* parent)
    : Card(tr("Without this head"), Folding::Folds, parent),
      m_scrolled(new QScrollArea),
      m_empty(makeLabel(tr("Start a run to see what each head is worth."), "muted")),
      m_undo(new QPushButton(tr("Undo"))) {
    setObjectName(QStringLiteral("importanceCard"));
    m_empty->setWordWrap(true);
    m_scrolled->setFrameShape(QFrame::NoFrame);
    m_scrolled->setWidgetResizable(true);
    m_scrolled->setFocusPolicy(Qt::NoFocus);
    m_scrolled->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scrolled->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_undo->setObjectName(QStringLiteral("undoHeadModes"));
    m_undo->setProperty("compact", true);
    m_undo->setFocusPolicy(Qt::TabFocus);
    m_undo->setAccessibleName(tr("Undo the last change of a head"));
    m_undo->setToolTip(tr("Takes the last change of a head back; the weights stay as they are now"));
    body()->addWidget(m_empty);
    body()->addWidget(m_scrolled);
    body()->addWidget(m_undo, 0, Qt::AlignRight);
    connect(m_undo, &QPushButton::clicked, this, &ImportanceCard::undo);
    clear();
}

void ImportanceCard::beginRun() {
    m_before.clear();
    refreshModes();
}

void ImportanceCard::setUndoList(std::vector<std::vector<HeadMode>> list) {
    m_before = std::move(list);
    refreshModes();
}

void ImportanceCard::showModes(const std::vector<HeadMode>& modes) {
    if (modes == m_modes) return;
    if (modes.size() != m_modes.size()) m_before.clear();
    m_modes = modes;
    refreshModes();
}

void ImportanceCard::showSnapshot(const Snapshot& snapshot) {
    const std::size_t n_heads = snapshot.loss_without.size();
    if (n_heads == 0) return clear();
    if (n_heads != m_rows.size()) makeRows(static_cast<int>(n_heads));
    const double full = fullLoss(snapshot);
    for (std::size_t head = 0; head < n_heads; ++head) {
        const HeadMode mode = head < snapshot.modes.size() ? snapshot.modes[head] : HeadMode::Trained;
        m_rows[head].bar->show(snapshot.loss_without[head], snapshot.probe_loss, full, mode);
    }
    const bool all = std::ranges::count(snapshot.modes, HeadMode::Muted) == 0;
    const QString loss = shortNumber(double{snapshot.probe_loss});
    setNote(all ? tr("with all: %1").arg(loss) : tr("now: %1").arg(loss));
}

void ImportanceCard::clear() {
    makeRows(0);
    setNote({});
}

void ImportanceCard::makeRows(int n_heads) {
    m_rows.clear();
    auto* rows = new QWidget;
    rows->setObjectName(QStringLiteral("column"));
    m_grid = new QGridLayout(rows);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(kGap);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(1, 1);
    for (int head = 0; head < n_heads; ++head) m_rows.push_back(makeRow(head));
    m_scrolled->setWidget(rows);  // and the rows before are gone
    const int height = rows->sizeHint().height();
    const int most = n_heads > kRowsShown ? height * kRowsShown / n_heads : height;
    m_scrolled->setFixedHeight(most);
    m_scrolled->setVisible(n_heads > 0);
    m_undo->setVisible(n_heads > 0);
    m_empty->setVisible(n_heads == 0);
    refreshModes();
}

ImportanceCard::Row ImportanceCard::makeRow(int head) {
    Row row{new ImportanceBar(head), new QPushButton(tr("mute")), new QPushButton(QStringLiteral("⋯")), {}};
    row.bar->setObjectName(QStringLiteral("lossWithout%1").arg(head + 1));

    row.mute->setObjectName(QStringLiteral("muteHead%1").arg(head + 1));
    int widest = 0;
    for (const QString& word : {tr("mute"), tr("unmute")}) {
        row.mute->setText(word);
        row.mute->setProperty("compact", true);
        row.mute->ensurePolished();
        widest = std::max(widest, row.mute->sizeHint().width());
    }
    row.mute->setFixedWidth(widest);
    row.mute->setFocusPolicy(Qt::TabFocus);
    connect(row.mute, &QPushButton::clicked, this, [this, head] { toggleMute(head); });

    row.more->setObjectName(QStringLiteral("headMode%1").arg(head + 1));
    row.more->setProperty("compact", true);
    row.more->setFocusPolicy(Qt::TabFocus);
    row.more->setAccessibleName(tr("What else head %1 can do").arg(head + 1));
    row.more->setToolTip(tr("As trained, attend uniformly, or freeze"));
    auto* menu = new QMenu(row.more);
    auto* group = new QActionGroup(menu);
    const std::array words = {tr("As trained"), tr("Attend uniformly"), tr("Freeze")};
    for (std::size_t i = 0; i < kModes.size(); ++i) {
        auto* action = menu->addAction(words[i]);
        action->setCheckable(true);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, head, i] { request(head, kModes[i]); });
        row.modes.push_back(action);
    }
    group->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
    row.more->setMenu(menu);

    auto* name = makeLabel(tr("head %1").arg(head + 1), "muted");
    m_grid->addWidget(name, head, 0);
    m_grid->addWidget(row.bar, head, 1);
    m_grid->addWidget(row.mute, head, 2);
    m_grid->addWidget(row.more, head, 3);
    return row;
}

void ImportanceCard::request(int head, HeadMode mode) {
    if (!canAsk() || head < 0 || head >= static_cast<int>(m_modes.size())) return;
    std::vector<HeadMode> wanted = m_modes;
    wanted[static_cast<std::size_t>(head)] = mode;
    if (wanted != m_modes) {
        m_before.push_back(m_modes);
        m_modes = wanted;  // until told otherwise, so that a second click before that builds on the first
        emit headModesRequested(wanted);
    }
    refreshModes();
}

void ImportanceCard::toggleMute(int head) {
    if (head < 0 || head >= static_cast<int>(m_modes.size())) return;
    const bool muted = m_modes[static_cast<std::size_t>(head)] == HeadMode::Muted;
    request(head, muted ? HeadMode::Trained : HeadMode::Muted);
}

void ImportanceCard::undo() {
    if (!canAsk() || m_before.empty()) return;
    m_modes = m_before.back();
    m_before.pop_back();
    refreshModes();
    emit headModesRequested(m_modes);
}

void ImportanceCard::refreshModes() {
    const bool can_ask = canAsk();
    m_undo->setEnabled(can_ask && !m_before.empty());
    for (std::size_t head = 0; head < m_rows.size(); ++head) {
        const Row& row = m_rows[head];
        const HeadMode mode = can_ask ? m_modes[head] : HeadMode::Trained;
        const bool muted = mode == HeadMode::Muted;
        const int number = static_cast<int>(head) + 1;
        row.mute->setEnabled(can_ask);
        row.more->setEnabled(can_ask);
        row.mute->setText(muted ? tr("unmute") : tr("mute"));
        row.mute->setAccessibleName(muted ? tr("Unmute head %1").arg(number)
                                          : tr("Mute head %1").arg(number));
        const QString key = head < 9 ? tr(" (%1)").arg(number) : QString();
        row.mute->setToolTip((muted ? tr("Lets head %1 work again").arg(number)
                                    : tr("Zeroes the context of head %1 in the running model").arg(number)) +
                             key);
        for (std::size_t i = 0; i < kModes.size(); ++i) row.modes[i]->setChecked(mode == kModes[i]);
    }
}

}  // namespace headscope
