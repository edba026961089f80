#include "ui/tour.h"

#include <algorithm>

#include <QEvent>
#include <QFontInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

#include "ui/card.h"
#include "ui/theme.h"

namespace headscope {
namespace {

constexpr int kGap = 10;

/// Lies over the window and lets the mouse through.
class Outline : public QWidget {
public:
    explicit Outline(QWidget* window) : QWidget(window) { setAttribute(Qt::WA_TransparentForMouseEvents); }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Theme::of(palette()).accent, 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), 11, 11);
    }
};

/// Beside what it speaks of where there is room, the right side first; inside it, in a corner, where not.
QPoint placeBeside(const QRect& what, const QSize& size, const QRect& window) {
    const int top = std::clamp(what.top(), window.top(), window.bottom() - size.height());
    const int left = std::clamp(what.left(), window.left(), window.right() - size.width());
    const QPoint candidates[] = {{what.right() + kGap, top},
                                 {what.left() - kGap - size.width(), top},
                                 {left, what.top() - kGap - size.height()},
                                 {left, what.bottom() + kGap}};
    for (const QPoint& candidate : candidates)
        if (window.contains(QRect(candidate, size))) return candidate;
    return {what.right() - size.width() - kGap, what.bottom() - size.height() - kGap};
}

}  // namespace

Tour::Tour(std::vector<Stop> stops, QWidget* window)
    : QFrame(window),
      m_stops(std::move(stops)),
      m_outline(new Outline(window)),
      m_title(makeLabel({}, "title")),
      m_text(makeLabel({}, "")),
      m_count(makeLabel({}, "muted")),
      m_next(new QPushButton) {
    setObjectName(QStringLiteral("tour"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_text->setWordWrap(true);
    m_next->setObjectName(QStringLiteral("tourNext"));
    m_next->setProperty("primary", true);
    auto* close = new QPushButton(tr("Close"));
    close->setObjectName(QStringLiteral("tourClose"));
    close->setToolTip(tr("It is in the Help menu when it is wanted again (Esc)"));
    for (QPushButton* button : {m_next, close})
        button->setFocusPolicy(Qt::TabFocus);  // the keys stay the run's
    connect(m_next, &QPushButton::clicked, this, &Tour::next);
    connect(close, &QPushButton::clicked, this, &Tour::end);
    connect(new QShortcut(Qt::Key_Escape, this), &QShortcut::activated, this, &Tour::end);

    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_count, 1);
    buttons->addWidget(close);
    buttons->addWidget(m_next);
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(16, 14, 16, 14);
    rows->setSpacing(8);
    rows->addWidget(m_title);
    rows->addWidget(m_text);
    rows->addLayout(buttons);
    setFixedWidth(QFontInfo(font()).pixelSize() * 23);
    window->installEventFilter(this);
    if (!goTo(0)) end();
}

Tour::~Tour() { delete m_outline.data(); }

void Tour::next() {
    if (!goTo(m_stop + 1)) end();
}

void Tour::end() { close(); }

bool Tour::goTo(std::size_t stop) {
    while (stop < m_stops.size() && !m_stops[stop].what->isVisible()) ++stop;
    if (stop >= m_stops.size()) return false;
    m_stop = stop;
    m_title->setText(m_stops[stop].title);
    m_text->setText(m_stops[stop].text);
    m_count->setText(tr("%1 of %2").arg(stop + 1).arg(m_stops.size()));
    m_next->setText(stop + 1 < m_stops.size() ? tr("Next") : tr("Done"));
    setAccessibleName(m_stops[stop].title);
    setAccessibleDescription(m_stops[stop].text);
    place();
    m_outline->show();
    m_outline->raise();
    show();
    raise();
    return true;
}

void Tour::place() {
    const QWidget* what = m_stops[m_stop].what;
    const QRect there(what->mapTo(window(), QPoint()), what->size());
    m_outline->setGeometry(there.adjusted(-4, -4, 4, 4));
    layout()->activate();
    resize(width(), heightForWidth(width()));
    move(placeBeside(there, size(), parentWidget()->rect().adjusted(kGap, kGap, -kGap, -kGap)));
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    // What is spoken of is laid out before the next turn of the event loop.
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)
        QMetaObject::invokeMethod(
            this, [this] { place(); }, Qt::QueuedConnection);
    return QFrame::eventFilter(watched, event);
}

}  // namespace headscope
