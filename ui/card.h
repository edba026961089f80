#pragma once

#include <QAbstractButton>
#include <QFrame>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace headscope {

class FigureLabel;

/// The title of a card that folds: its text and a small arrow.
class CardTitle : public QAbstractButton {
    Q_OBJECT
public:
    explicit CardTitle(const QString& title, QWidget* parent = nullptr);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QFont titleFont() const;
};

/// A calm panel: a title, at the right of it a note or a control, and below them the body. Press the title to
/// fold the body away where the card can fold.
class Card : public QFrame {
    Q_OBJECT
public:
    enum class Folding { Fixed, Folds };

    explicit Card(const QString& title, Folding folding = Folding::Fixed, QWidget* parent = nullptr);

    QVBoxLayout* body() const { return m_body; }
    /// A muted remark at the right of the title line.
    void setNote(const QString& note);
    /// Puts a control at the right end of the title line.
    void addToHeader(QWidget* control);

private:
    QHBoxLayout* m_header;
    FigureLabel* m_note;
    QWidget* m_content;
    QVBoxLayout* m_body;
};

/// A label of one of the style's ranks (see styleSheet()).
QLabel* makeLabel(const QString& text, const char* role, QWidget* parent = nullptr);

}  // namespace headscope
