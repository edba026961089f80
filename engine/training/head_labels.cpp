#include "engine/training/head_labels.h"

namespace headscope {

std::vector<PatternScores> patternScores(const Snapshot& snapshot) {
    const ModelConfig& model = snapshot.experiment.model;
    auto scores =
        patternScores(snapshot.weights, model.n_heads, model.context_length, copyLags(snapshot.experiment),
                      firstAnswer(snapshot.experiment), snapshot.causal);
    if (snapshot.probe.row == Probe::kMeanOfRows && snapshot.diagnostics.size() == scores.size())
        for (std::size_t h = 0; h < scores.size(); ++h)
            scores[h].uniform = double{snapshot.diagnostics[h].uniformity};
    return scores;
}

std::vector<HeadLabel> headLabels(const Snapshot& snapshot) {
    std::vector<HeadLabel> labels;
    for (const PatternScores& scores : patternScores(snapshot)) labels.push_back(labelOf(scores));
    return labels;
}

std::vector<double> headDivergences(const Snapshot& snapshot) {
    const ModelConfig& model = snapshot.experiment.model;
    return headDivergences(snapshot.weights, model.n_heads, model.context_length,
                           firstAnswer(snapshot.experiment), snapshot.causal);
}

}  // namespace headscope
