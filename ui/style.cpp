#include "ui/style.h"

#include <algorithm>

#include <QApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QProxyStyle>
#include <QStyleFactory>

#include "ui/theme.h"

namespace headscope {
namespace {

/// Fusion, with the theme's palette for whatever the system's is: dialogs and tool tips follow too.
class Style : public QProxyStyle {
public:
    Style() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

    using QProxyStyle::polish;
    void polish(QPalette& palette) override { palette = Theme::of(palette).palette(); }

    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override {
        if (hint == SH_ComboBox_Popup) return 0;  // a list below the box, not a menu over it
        if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
};

QFont applicationFont(QFont font) {
    const QString inter = QStringLiteral("Inter");
    if (QFontDatabase::families().contains(inter)) font.setFamilies({inter, font.family()});
    font.setPixelSize(std::max(13, QFontInfo(font).pixelSize()));
    return font;
}

QString withColors(QString sheet, const Theme& t) {
    const QPalette palette = t.palette();
    const std::pair<const char*, QColor> colors[] = {
        {"@ground", t.ground},
        {"@card", t.card},
        {"@border", t.border},
        {"@text", t.text},
        {"@muted", t.mutedText},
        {"@onAccent", t.accentText},
        {"@softAccent", t.accentSoft},
        {"@hoverAccent", t.accent.lighter(110)},
        {"@downAccent", t.accent.darker(112)},
        {"@accent", t.accent},
        {"@hover", t.gridLine},
        {"@warning", t.warning},
        {"@ghost", t.ghost},
        {"@tipGround", palette.color(QPalette::ToolTipBase)},
        {"@tipText", palette.color(QPalette::ToolTipText)},
    };
    for (const auto& [name, color] : colors) sheet.replace(QLatin1String(name), color.name());
    return sheet;
}

constexpr const char* kSheet = R"(
QLabel { color: @text; }
QLabel[role="title"] { font-weight: 600; }
QLabel[role="strong"] { font-weight: 600; }
QLabel[role="big"] { font-weight: 700; font-size: @big; }
QLabel[role="small"] { font-size: @small; }
QLabel[role="muted"] { color: @muted; font-size: @small; }
QLabel[role="error"] { color: @warning; font-size: @small; }

headscope--Card { background: @card; border: 1px solid @border; border-radius: 10px; }
headscope--RunToolbar { background: @card; border: 0; border-bottom: 1px solid @border; }
headscope--Tour { background: @card; border: 1px solid @accent; border-radius: 10px; }
headscope--OfferBar { background: @softAccent; border: 0; border-bottom: 1px solid @border; }
headscope--OfferBar[warns="true"] { background: @card; border-left: 4px solid @warning; }
headscope--ComparePanel { background: @card; border: 1px solid @border; }
headscope--StatusStrip { background: @card; border: 0; border-top: 1px solid @border; }
QFrame#toolbarLine { background: @border; border: 0; }

QPushButton { background: @card; color: @text; border: 1px solid @border; border-radius: 6px; padding: 6px 14px; }
QPushButton[compact="true"] { padding: 3px 10px; }
QPushButton:hover { background: @hover; }
QPushButton:pressed { background: @border; }
QPushButton:checked { background: @softAccent; color: @accent; border-color: @accent; }
QPushButton:disabled { color: @ghost; }
QPushButton:focus { border-color: @accent; }
QPushButton:default { border-color: @accent; }
QPushButton[small="true"] { padding: 2px 8px; font-size: @small; }
QPushButton::menu-indicator { width: 0; }
QPushButton[primary="true"] { background: @accent; color: @onAccent; border: 1px solid @accent; font-weight: 600; }
QPushButton[primary="true"]:hover { background: @hoverAccent; border-color: @hoverAccent; }
QPushButton[primary="true"]:pressed { background: @downAccent; }
QPushButton[primary="true"]:focus { border-color: @text; }

QLineEdit, QSpinBox, QDoubleSpinBox, QPlainTextEdit {
    background: @card; color: @text; border: 1px solid @border; border-radius: 6px; padding: 4px 7px;
    selection-background-color: @accent; selection-color: @onAccent; }
QLineEdit:hover, QSpinBox:hover, QDoubleSpinBox:hover { border-color: @ghost; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QPlainTextEdit:focus { border-color: @accent; }
QLineEdit[invalid="true"] { border-color: @warning; }

QComboBox QAbstractItemView {
    background: @card; color: @text; border: 1px solid @border; padding: 4px; outline: 0;
    selection-background-color: @softAccent; selection-color: @text; }

QComboBox QAbstractItemView::item { padding: 4px 6px; border: 0; border-radius: 4px; }
QComboBox QAbstractItemView::item:selected, QComboBox QAbstractItemView::item:hover { background: @softAccent; color: @text; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button { width: 0; border: 0; }

QProgressBar { background: @border; border: 0; border-radius: 3px; max-height: 6px; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }

QMenuBar { background: @card; color: @text; padding: 2px 8px; }
QMenuBar::item { background: transparent; padding: 4px 8px; border-radius: 4px; }
QMenuBar::item:selected { background: @softAccent; color: @text; }
QMenu { background: @card; color: @text; border: 1px solid @border; padding: 4px; }
QMenu::item { padding: 6px 24px 6px 24px; border-radius: 4px; }
QMenu::item:selected { background: @softAccent; }
QMenu::item:disabled { color: @ghost; }
QMenu::separator { height: 1px; background: @border; margin: 4px 8px; }

QScrollArea, QScrollArea > QWidget > QWidget#column { background: transparent; border: 0; }
QScrollBar:vertical { background: transparent; width: 8px; margin: 0; }
QScrollBar::handle:vertical { background: @border; border-radius: 3px; min-height: 32px; margin: 0 1px; }
QScrollBar::handle:vertical:hover { background: @ghost; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QSplitter::handle { background: transparent; }

QToolTip { background: @tipGround; color: @tipText; border: 1px solid @tipGround; padding: 5px 8px; }
)";

}  // namespace

QString styleSheet(const Theme& theme) {
    QString sheet = withColors(QString::fromUtf8(kSheet), theme);
    const int size = QFontInfo(QApplication::font()).pixelSize();
    sheet.replace(QLatin1String("@big"), QStringLiteral("%1px").arg(size * 2 + 2));
    sheet.replace(QLatin1String("@small"), QStringLiteral("%1px").arg(size - 1));
    return sheet;
}

void applyStyle(QApplication& application) {
    if (application.styleSheet().isEmpty()) {
        QApplication::setStyle(new Style);
        QApplication::setFont(applicationFont(QApplication::font()));
    }
    const QString sheet = styleSheet(Theme::of(QApplication::palette()));
    if (sheet != application.styleSheet()) application.setStyleSheet(sheet);
}

}  // namespace headscope
