#pragma once

#include <QFrame>

class QLabel;
class QPushButton;

namespace headscope {

/// A line across the window that offers to do something, and can be declined, or says what went wrong, and
/// stands until it has been read; it waits, and holds nothing up. Hidden until it is opened, and after either
/// answer.
class OfferBar : public QFrame {
    Q_OBJECT
public:
    explicit OfferBar(QWidget* parent = nullptr);

    void open(const QString& sentence, const QString& accept, const QString& decline);
    /// With nothing to accept.
    void warn(const QString& sentence, const QString& dismiss);
    QString sentence() const;

signals:
    void accepted();
    void declined();

private:
    QLabel* m_sentence;
    QPushButton* m_accept;
    QPushButton* m_decline;
};

}  // namespace headscope
