#include "ui/svg_device.h"

#include <cassert>
#include <cmath>

#include <QFontInfo>
#include <QHash>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>

namespace headscope {
namespace {

QByteArray number(double value) {
    QByteArray digits = QByteArray::number(value, 'f', 3);
    while (digits.endsWith('0')) digits.chop(1);
    if (digits.endsWith('.')) digits.chop(1);
    return digits == "-0" ? QByteArray("0") : digits;
}

QByteArray attribute(const char* name, const QByteArray& value) {
    return QByteArray(" ") + name + "=\"" + value + '"';
}

/// As XML has it: what no XML file may hold becomes a space.
QByteArray escaped(const QString& text) {
    QString allowed = text;
    for (QChar& c : allowed)
        if (c < u' ' || c == QChar(0xfffe) || c == QChar(0xffff)) c = u' ';
    return allowed.toHtmlEscaped().toUtf8();
}

QByteArray colorAttributes(const char* name, const QColor& color) {
    QByteArray text = attribute(name, color.name().toLatin1());
    if (color.alpha() < 255)
        text += attribute((QByteArray(name) + "-opacity").constData(), number(color.alphaF()));
    return text;
}

QByteArray fillAttributes(const QBrush& brush) {
    if (brush.style() == Qt::NoBrush || brush.color().alpha() == 0) return attribute("fill", "none");
    assert(brush.style() == Qt::SolidPattern);
    return colorAttributes("fill", brush.color());
}

QByteArray strokeAttributes(const QPen& pen, double scale) {
    if (pen.style() == Qt::NoPen || pen.color().alpha() == 0) return {};
    const double width = pen.widthF() > 0 && !pen.isCosmetic() ? pen.widthF() * scale : 1;
    QByteArray text = colorAttributes("stroke", pen.color()) + attribute("stroke-width", number(width));
    if (pen.capStyle() != Qt::FlatCap)
        text += attribute("stroke-linecap", pen.capStyle() == Qt::RoundCap ? "round" : "square");
    if (pen.joinStyle() == Qt::BevelJoin) text += attribute("stroke-linejoin", "bevel");
    if (pen.joinStyle() == Qt::RoundJoin) text += attribute("stroke-linejoin", "round");
    if (pen.style() == Qt::SolidLine) return text;
    QByteArray dashes;
    for (const double length : pen.dashPattern())
        dashes += (dashes.isEmpty() ? "" : ",") + number(length * width);
    return text + attribute("stroke-dasharray", dashes);
}

QByteArray pathData(const QPainterPath& path) {
    QByteArray data;
    const auto point = [&data](const QPainterPath::Element& e) { data += number(e.x) + ' ' + number(e.y); };
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element e = path.elementAt(i);
        switch (e.type) {
            case QPainterPath::MoveToElement:
                data += 'M';
                break;
            case QPainterPath::LineToElement:
                data += 'L';
                break;
            case QPainterPath::CurveToElement:
                data += 'C';
                break;
            case QPainterPath::CurveToDataElement:
                data += ' ';
                break;
        }
        point(e);
    }
    return data;
}

}  // namespace

class SvgDevice::Engine : public QPaintEngine {
public:
    Engine()
        : QPaintEngine(AllFeatures & ~PaintEngineFeatures(PatternBrush | PerspectiveTransform |
                                                          ConicalGradientFill | PorterDuff)) {}

    QByteArray body() const { return m_body + (m_crisp ? "</g>\n" : ""); }

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }
    // Everything is asked of the painter when something is drawn.
    void updateState(const QPaintEngineState&) override {}

    void drawRects(const QRectF* rects, int count) override {
        if (!isStraight()) return QPaintEngine::drawRects(rects, count);
        for (int i = 0; i < count; ++i) {
            const QRectF r = painter()->combinedTransform().mapRect(rects[i]);
            write("<rect" + attribute("x", number(r.x())) + attribute("y", number(r.y())) +
                  attribute("width", number(r.width())) + attribute("height", number(r.height())) +
                  fillAttributes(painter()->brush()));
        }
    }

    void drawLines(const QLineF* lines, int count) override {
        QPainterPath path;
        for (int i = 0; i < count; ++i) {
            path.moveTo(lines[i].p1());
            path.lineTo(lines[i].p2());
        }
        writePath(path, attribute("fill", "none"));
    }

    void drawPath(const QPainterPath& path) override {
        QByteArray fill = fillAttributes(painter()->brush());
        if (path.fillRule() == Qt::OddEvenFill) fill += attribute("fill-rule", "evenodd");
        writePath(path, fill);
    }

    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
        if (count == 0) return;
        QPainterPath path(points[0]);
        for (int i = 1; i < count; ++i) path.lineTo(points[i]);
        if (mode == PolylineMode) return writePath(path, attribute("fill", "none"));
        path.closeSubpath();
        path.setFillRule(mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
        drawPath(path);
    }

    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        const QFont font = item.font();
        const QTransform transform = painter()->combinedTransform();
        const double scale = isStraight() ? transform.m11() : 1;
        const QPointF p = isStraight() ? transform.map(at) : at;
        QByteArray families;
        for (const QString& family : font.families()) families += '\'' + escaped(family) + "',";
        QByteArray text = "<text" + attribute("x", number(p.x())) + attribute("y", number(p.y())) +
                          attribute("font-family", families + "sans-serif") +
                          attribute("font-size", number(QFontInfo(font).pixelSize() * scale));
        if (font.weight() != QFont::Normal)
            text += attribute("font-weight", QByteArray::number(font.weight()));
        text += colorAttributes("fill", painter()->pen().color());
        if (!isStraight()) text += transformAttribute();
        writeElement(text + common() + '>' + escaped(item.text()) + "</text>\n", false);
    }

    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {
        assert(!"a picture is drawn as shapes");
    }
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {
        assert(!"a picture is drawn as shapes");
    }

private:
    /// Whether coordinates can be mapped one by one, and a rectangle stays one.
    bool isStraight() const { return painter()->combinedTransform().type() <= QTransform::TxScale; }

    QByteArray transformAttribute() const {
        const QTransform t = painter()->combinedTransform();
        QByteArray text;
        for (const double x : {t.m11(), t.m12(), t.m21(), t.m22(), t.dx(), t.dy()})
            text += (text.isEmpty() ? "" : " ") + QByteArray::number(x, 'g', 9);
        return attribute("transform", "matrix(" + text + ')');
    }

    /// Opacity and clip. An element with a transform of its own is clipped before it, in its coordinates.
    QByteArray common() {
        QByteArray text;
        if (painter()->opacity() < 1) text += attribute("opacity", number(painter()->opacity()));
        if (!painter()->hasClipping()) return text;
        const QPainterPath clip = painter()->clipPath();
        const QByteArray data = pathData(isStraight() ? painter()->combinedTransform().map(clip) : clip);
        auto id = m_clips.find(data);
        if (id == m_clips.end()) {
            id = m_clips.insert(data, "clip" + QByteArray::number(m_clips.size() + 1));
            m_body +=
                "<clipPath" + attribute("id", *id) + "><path" + attribute("d", data) + "/></clipPath>\n";
        }
        return text + attribute("clip-path", "url(#" + *id + ')');
    }

    void writePath(const QPainterPath& path, const QByteArray& fill) {
        const bool straight = isStraight();
        write("<path" + attribute("d", pathData(straight ? painter()->combinedTransform().map(path) : path)) +
              fill + (straight ? QByteArray() : transformAttribute()));
    }

    void write(const QByteArray& element) {
        const double scale = isStraight() ? std::abs(painter()->combinedTransform().m11()) : 1;
        const QByteArray shared = common();
        const QByteArray stroke = strokeAttributes(painter()->pen(), scale);
        const bool crisp = stroke.isEmpty() && !painter()->testRenderHint(QPainter::Antialiasing);
        writeElement(element + stroke + shared + "/>\n", crisp);
    }

    void writeElement(const QByteArray& element, bool crisp) {
        if (crisp != m_crisp) m_body += crisp ? "<g shape-rendering=\"crispEdges\">\n" : "</g>\n";
        m_crisp = crisp;
        m_body += element;
    }

    QByteArray m_body;
    QHash<QByteArray, QByteArray> m_clips;
    bool m_crisp = false;
};

SvgDevice::SvgDevice(const QSize& pixels, int dpi)
    : m_size(pixels), m_dpi(dpi), m_engine(std::make_unique<Engine>()) {}

SvgDevice::~SvgDevice() = default;

QPaintEngine* SvgDevice::paintEngine() const { return m_engine.get(); }

QByteArray SvgDevice::file(const QString& title) const {
    const auto inches = [this](int pixels) { return number(static_cast<double>(pixels) / m_dpi) + "in"; };
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"" +
           attribute("width", inches(m_size.width())) + attribute("height", inches(m_size.height())) +
           attribute("viewBox", "0 0 " + number(m_size.width()) + ' ' + number(m_size.height())) +
           attribute("xml:space", "preserve") + ">\n<title>" + escaped(title) + "</title>\n" +
           m_engine->body() + "</svg>\n";
}

int SvgDevice::metric(PaintDeviceMetric metric) const {
    switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmWidthMM:
            return qRound(m_size.width() * 25.4 / m_dpi);
        case PdmHeightMM:
            return qRound(m_size.height() * 25.4 / m_dpi);
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return m_dpi;
        case PdmDepth:
            return 32;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        default:
            return QPaintDevice::metric(metric);
    }
}

}  // namespace headscope
