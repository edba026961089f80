#pragma once

#include <cstdint>
#include <vector>

#include <QString>

#include "engine/training/experiment.h"

namespace headscope {

/// One station on the data's way through the model.
struct BlockStage {
    QString name;
    QString shape;                   ///< "(16, 12, 96)": of what leaves it
    std::int64_t parameters = 0;     ///< weights and biases
    std::int64_t multiply_adds = 0;  ///< of a training step: forward, and backward where it is twice that
    QString formula;                 ///< with the letters and the numbers behind all three
};

/// In order, tokens first and logits last, of a valid experiment. All their parameters together are those of
/// the model. Multiply-adds are those of matrix products, all T² scores counted though half are masked.
std::vector<BlockStage> blockStages(const Experiment& experiment);

/// "3 168": groups of three digits.
QString grouped(std::int64_t n);
/// "786 k", "2.4 M", "31 G": to two or three digits.
QString rounded(std::int64_t n);

}  // namespace headscope
