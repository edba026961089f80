#pragma once

#include <QColor>
#include <QFont>
#include <QPainter>
#include <QString>

namespace headscope {

struct Theme;

/// A word or two on a small round ground.
struct Pill {
    QString text;
    QColor ink, ground;

    static Pill accent(const QString& text, const Theme& theme);
    static Pill quiet(const QString& text, const Theme& theme);
    /// Written in `ink`, on a ground faintly of the same color.
    static Pill tinted(const QString& text, const QColor& ink, const Theme& theme);
};

double pillWidth(const QFont& font, const QString& text);

/// Paints it in the painter's font; `box` is centered on, in height, and begun at, from the left.
void paintPill(QPainter& painter, const QRectF& box, const Pill& pill);

}  // namespace headscope
