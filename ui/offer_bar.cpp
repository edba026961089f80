#include "ui/offer_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "ui/card.h"

namespace headscope {

OfferBar::OfferBar(QWidget* parent)
    : QFrame(parent),
      m_sentence(makeLabel({}, "strong")),
      m_accept(new QPushButton),
      m_decline(new QPushButton) {
    setObjectName(QStringLiteral("offerBar"));
    m_accept->setObjectName(QStringLiteral("offerAccept"));
    m_accept->setProperty("primary", true);
    m_decline->setObjectName(QStringLiteral("offerDecline"));
    m_sentence->setWordWrap(true);
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
    m_accept->setText(accept);
    m_decline->setText(decline);
    show();
}

}  // namespace headscope
