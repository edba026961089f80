#pragma once

#include <memory>

#include <QDialog>

#include "ui/pictures.h"

namespace headscope {

enum class PictureKind { HeadGrid, Head, LossCurve };

/// What there is to export.
struct PictureSource {
    std::shared_ptr<const Snapshot> snapshot;
    std::shared_ptr<const LossChart> chart;    ///< nothing else changes it
    PictureKind kind = PictureKind::HeadGrid;  ///< what is chosen at first
    int head = 0;
    Theme theme = Theme::light();
    Colormap colormap = Colormap::Viridis;
};

/// False when there is nothing of that kind yet (no snapshot, no point), or no such head.
bool isAvailable(const PictureSource& source);

/// The picture of `source.kind`, which is available.
Picture pictureOf(const PictureSource& source);

/// The caption that tells how to make it again.
QString captionOf(const PictureSource& source);

/// A name without spaces, "heads-repeat-h4-step360.png".
QString suggestedFileName(const PictureSource& source);

/// Chooses what, how large and with which caption; shows it; saves it as PNG or copies it. It shows the state
/// of the moment it was opened, while the run goes on behind it.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    explicit ExportDialog(PictureSource source, QWidget* parent = nullptr);
    ~ExportDialog() override;

    /// What would be written now.
    PictureOptions options() const;
    QImage picture() const;

    /// Writes it; says what is wrong in the dialog if it cannot, and returns whether it did.
    bool saveTo(const QString& path);
    /// Asks where; the file dialog asks before it replaces a file.
    void save();
    void copy();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace headscope
