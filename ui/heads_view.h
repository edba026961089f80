#pragma once

#include <memory>
#include <optional>

#include <QWidget>

#include "engine/training/recorder.h"

class QLabel;

namespace headscope {

class HeadGrid;
enum class Colormap;
enum class HeatmapKind;

/// The heads of the run and, while there is a twin, of the twin beside them, each under a caption that says
/// what sets it apart from the other.
class HeadsView : public QWidget {
    Q_OBJECT
public:
    explicit HeadsView(QWidget* parent = nullptr);

    /// The grid of the run, and that of its twin, which is hidden without one.
    HeadGrid* grid() const { return m_grid; }
    HeadGrid* twinGrid() const { return m_twinGrid; }

    /// A twin without a snapshot yet has an empty grid; none hides it.
    void setTwin(const std::optional<Experiment>& first, const std::optional<Experiment>& twin);
    void show(const Frame& frame);
    void setColormap(Colormap colormap);
    void setKind(HeatmapKind kind);

private:
    void paintCaptions();

    QLabel* m_caption;
    QLabel* m_twinCaption;
    HeadGrid* m_grid;
    HeadGrid* m_twinGrid;
    QWidget* m_twinPart;
};

/// What a caption says of one of two experiments: every number in which they differ; those of scaling with
/// the width that it depends on.
QString twinCaption(const Experiment& experiment, const Experiment& other);

}  // namespace headscope
