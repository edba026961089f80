#include "engine/training/head_labels.h"

namespace headscope {

std::vector<PatternScores> patternScores(const Snapshot& snapshot) {
    const ModelConfig& model = snapshot.experiment.model;
    return patternScores(snapshot.weights, model.n_heads, model.context_length, copyLags(snapshot.experiment),
                         firstAnswer(snapshot.experiment));
}

std::vector<HeadLabel> headLabels(const Snapshot& snapshot) {
    std::vector<HeadLabel> labels;
    for (const PatternScores& scores : patternScores(snapshot)) labels.push_back(labelOf(scores));
    return labels;
}

std::vector<double> headDivergences(const Snapshot& snapshot) {
    const ModelConfig& model = snapshot.experiment.model;
    return headDivergences(snapshot.weights, model.n_heads, model.context_length,
                           firstAnswer(snapshot.experiment));
}

}  // namespace headscope
