#pragma once

#include <vector>

#include <QFrame>
#include <QPointer>

class QLabel;
class QPushButton;

namespace headscope {

/// A few steps through a window: a small panel beside each thing it speaks of, which it outlines. Whatever
/// runs goes on, every key and control keeps working, and Escape ends it.
class Tour : public QFrame {
    Q_OBJECT
public:
    struct Stop {
        QWidget* what;  ///< passed over while it is not visible
        QString title, text;
    };

    /// Shows the first stop. The window must have been shown; the tour deletes itself when it ends.
    Tour(std::vector<Stop> stops, QWidget* window);
    ~Tour() override;

    void next();
    void end();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool goTo(std::size_t stop);
    void place();

    std::vector<Stop> m_stops;
    std::size_t m_stop = 0;
    QPointer<QWidget> m_outline;  ///< over the window, which may go first
    QLabel* m_title;
    QLabel* m_text;
    QLabel* m_count;
    QPushButton* m_next;
};

}  // namespace headscope
