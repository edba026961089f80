#pragma once

#include <vector>

#include <QByteArrayList>
#include <QSize>
#include <QString>
#include <QTemporaryFile>
#include <QtGlobal>

namespace headscope {

struct TestScreen {
    QSize size = {1920, 1080};  ///< in device-independent pixels
    double ratio = 1;           ///< device pixels to one of these
};

/// The screens of the QApplication that is made next, the first one at 0, each far from the others. Lives as
/// long as the application.
class TestScreens {
public:
    explicit TestScreens(const std::vector<TestScreen>& screens = {TestScreen{}}) {
        QByteArrayList list;
        for (const TestScreen& screen : screens)
            list << QStringLiteral(R"({"name": "%1", "x": %2, "y": 0, "width": %3, "height": %4, "dpr": %5,
                                       "logicalDpi": 96, "logicalBaseDpi": 96})")
                        .arg(list.size() + 1)
                        .arg(10'000 * list.size())
                        .arg(screen.size.width())
                        .arg(screen.size.height())
                        .arg(screen.ratio)
                        .toUtf8();
        if (!m_file.open()) qFatal("no temporary file");
        m_file.write(R"({"synchronousWindowSystemEvents": false, "windowFrameMargins": false, "screens": [)" +
                     list.join(',') + "]}");
        m_file.close();
        qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + m_file.fileName().toUtf8());
    }

private:
    QTemporaryFile m_file;
};

}  // namespace headscope
