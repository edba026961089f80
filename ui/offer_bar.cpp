#include "ui/offer_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>

#include "ui/card.h"

namespace headscope {

OfferBar::OfferBar(QWidget* parent)
    : QFrame(parent),
      m_sentence(makeLabel({}, "strong")),
      m_accept(new QPushButton),
      m_decline(new QPushButton) {
    m_accept->setObjectName(QStringLiteral("offerAccept"));
    m_accept->setProperty("primary", true);
    m_decline->setObjectName(QStringLiteral("offerDecline"));
    m_sentence->setWordWrap(true);
    m_sentence->setMinimumWidth(1);  // the name of a file may be one long word
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 8, 16, 8);
    row->setSpacing(8);
    row->addWidget(m_sentence, 1);
    for (QPushButton* button : {m_accept, m_decline}) {
        button->setProperty("compact", true);
        button->setFocusPolicy(Qt::TabFocus);
        row->addWidget(button);
        connect(button, &QPushButton::clicked, this, &QWidget::hide);
    }
    connect(m_accept, &QPushButton::clicked, this, &OfferBar::accepted);
    connect(m_decline, &QPushButton::clicked, this, &OfferBar::declined);
    hide();
}

void OfferBar::open(const QString& sentence, const QString& accept, const QString& decline) {
    m_sentence->setText(sentence);
    m_sentence->setToolTip(sentence);
    m_accept->setText(accept);
    m_accept->setVisible(!accept.isEmpty());
    m_decline->setText(decline);
    show();
}

void OfferBar::warn(const QString& sentence, const QString& dismiss) {
    setProperty("warns", true);
    style()->polish(this);
    open(sentence, {}, dismiss);
}

QString OfferBar::sentence() const { return m_sentence->text(); }

}  // namespace headscope
