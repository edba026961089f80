#pragma once

#include <memory>
#include <vector>

#include <QDialog>

#include "ui/picture_source.h"
#include "ui/spoken_language.h"

namespace headscope {

/// Chooses what, how large and in which look; shows it; saves it as PNG, SVG or PDF, or copies it. It shows
/// the state of the moment it was opened, while the run goes on behind it.
class ExportDialog : public QDialog {
    Q_OBJECT
public:
    /// `languages`: those that the picture's texts can be had in, the window's own first; may be empty.
    explicit ExportDialog(PictureSource source, std::vector<SpokenLanguage> languages = {},
                          QWidget* parent = nullptr);
    ~ExportDialog() override;

    /// What would be written now.
    PictureOptions options() const;
    /// Offers the size, type and parts of another picture; caption, theme and colors stay the run's.
    void setLook(const PictureOptions& options);
    QImage picture() const;

    /// Writes it, in the format of the name's suffix; says in the dialog what is wrong where it cannot, and
    /// returns whether it did.
    bool saveTo(const QString& path);
    /// Writes a file for every head, all or none: see pathsOfEachHead(). Asks first where it would replace
    /// files.
    void saveEachTo(const QString& path);

signals:
    /// A picture was saved or copied with these.
    void used(const headscope::PictureOptions& options);

private:
    struct Impl;

    void layOut();
    void connectFields();
    /// Takes over what the fields say, and draws it.
    void changed();
    void usePreset();
    void writeEach(const QString& path);
    /// Keeps the chosen language as long as it lives.
    std::shared_ptr<const void> speak() const;
    bool orSay(const std::function<void()>& work);

    std::unique_ptr<Impl> m_impl;
};

}  // namespace headscope
