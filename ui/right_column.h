#pragma once

#include <array>
#include <memory>
#include <vector>

#include <QWidget>

#include "engine/training/update.h"

namespace headscope {

class Card;
class ImportanceCard;
class MechanismCard;
class SegmentedControl;
class ShapesCard;
class SimilarityCard;
enum class Colormap;

/// What the heads do and why, beside their pictures: the mechanism of their learning, the loss without each,
/// how alike they are, and the shapes on the data's way through the block. Cards below each other, or one at
/// a time under tabs where room is short. Works from 300 pixels of width on.
class RightColumn : public QWidget {
    Q_OBJECT
public:
    enum class Arrangement { Column, Tabs };

    explicit RightColumn(QWidget* parent = nullptr);

    void setArrangement(Arrangement arrangement);
    Arrangement arrangement() const { return m_arrangement; }

    /// Of what the controls stand at, running or not yet: shapes and costs follow it.
    void setExperiment(const Experiment& experiment);

    void setColormap(Colormap colormap);

    /// All that comes live: snapshots, which also are the curves' points, and the modes of the heads. A run
    /// id not seen before begins anew.
    void showUpdate(const Update& update);

    /// A recorded step in place of the live one, until null brings the live one back. `twin` is the twin's of
    /// the same step, where there is one.
    void showSnapshot(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const Snapshot> twin = {});

    /// Asks for one head (from 0) to do this from now on.
    void requestMode(int head, HeadMode mode);
    /// Mutes a head (from 0) that is not, and trains it again where it is; nothing where there is no such
    /// head.
    void toggleMute(int head);
    /// Asks for the modes before the last change that was asked for here; nothing where there was none.
    void undoHeadModes();
    /// What undoHeadModes() goes back to, the newest last.
    std::vector<std::vector<HeadMode>> undoList() const;
    void setUndoList(const std::vector<std::vector<HeadMode>>& list);

signals:
    void headModesRequested(const std::vector<headscope::HeadMode>& modes);
    /// The user pointed at a step of the curves.
    void stepChosen(std::int64_t step);

private:
    std::array<QWidget*, 4> cards() const;
    void layOut();
    void arrange();
    bool showsTwin() const;
    void showShapes();
    void display();

    ImportanceCard* m_importance;
    MechanismCard* m_mechanism;
    SimilarityCard* m_similarity;
    ShapesCard* m_shapes;
    SegmentedControl* m_tabs;
    SegmentedControl* m_side;  ///< whose heads are shown, while there is a twin
    Arrangement m_arrangement = Arrangement::Column;

    Experiment m_experiment;  ///< of the controls
    Update m_shown;           ///< the last one's run, experiment and twin
    std::shared_ptr<const Snapshot> m_live, m_liveTwin, m_replayed, m_replayedTwin;
};

}  // namespace headscope
