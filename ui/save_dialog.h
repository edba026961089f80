#pragma once

#include <functional>

#include <QString>

class QWidget;

namespace headscope {

/// Asks where to save a file, suggesting `name`, and calls `chosen` with its path; not where the user thinks
/// better of it. Asks before a file is replaced. `filter` is as Qt has it, "SVG drawing (*.svg);;…"; a name
/// without a suffix gets that of the filter chosen. Without a directory in `name` it opens where the last
/// file of this sitting went.
void askWhereToSave(QWidget* parent, const QString& title, const QString& filter, const QString& name,
                    const std::function<void(const QString& path)>& chosen);

}  // namespace headscope
