#pragma once

#include <vector>

#include <QDialog>

#include "engine/numeric/built_with.h"

namespace headscope {

/// What the program is, what it is built with, and under which licenses. `diagnostics` is what the user may
/// send along when something is wrong.
class AboutDialog : public QDialog {
    Q_OBJECT
public:
    /// `others` are told after what engine and window are built with.
    AboutDialog(const std::vector<Library>& others, const QString& diagnostics, QWidget* parent = nullptr);
};

/// Versions, processor, system and screens, a fact a line, in English: for whoever has to find a fault.
QString systemFacts(const std::vector<Library>& others);

}  // namespace headscope
