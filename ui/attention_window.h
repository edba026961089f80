#pragma once

#include <optional>

#include <QMainWindow>

#include "engine/formats/attention_maps.h"
#include "ui/export_dialog.h"

class QLabel;

namespace headscope {

class ChoiceBox;
class HeadGrid;
class SimilarityCard;

/// Attention out of a file: the heads of one layer for one row of the batch, what each does, and how alike
/// they are.
class AttentionWindow : public QMainWindow {
    Q_OBJECT
public:
    /// `name` is what the file is called. No parent is needed: it stays beside the window of the run.
    AttentionWindow(AttentionMaps maps, const QString& name, QWidget* parent = nullptr);
    ~AttentionWindow() override;

    HeadGrid* grid() const { return m_grid; }
    std::size_t layer() const { return m_layer; }
    std::size_t row() const { return m_row; }

    /// From 0; out of range they do nothing.
    void choose(std::size_t layer, std::size_t row);

    /// Puts texts to the tokens, out of the contents of a file; says what is wrong with them if they do not
    /// fit.
    void setTokens(const std::string& text, const QString& file);

    void setLectureMode(bool lecture);

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void layOut();
    void makeMenus();
    void refresh();
    void setColormap(Colormap colormap);
    PictureSource source(PictureKind kind, int head) const;
    void exportPicture(PictureKind kind, int head);
    void copyPicture();
    void chooseTokens();
    void complain(const QString& sentence);
    int chosenHead() const;

    AttentionMaps m_maps;
    QString m_name;
    std::size_t m_layer = 0, m_row = 0;
    Colormap m_colormap = Colormap::Viridis;
    /// What lecture mode brings back when it is left.
    struct Before {
        QPalette palette;
        QFont font;
        Qt::WindowStates state;
    };
    std::optional<Before> m_before;  ///< in lecture mode
    ChoiceBox* m_layers;
    ChoiceBox* m_rows;
    QLabel* m_extent;
    HeadGrid* m_grid;
    QWidget* m_right;  ///< the column beside the heads
    SimilarityCard* m_similarity;
};

}  // namespace headscope
