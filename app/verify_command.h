#pragma once

#include <vector>

#include <QString>

#include "engine/inspection/equivalence.h"

namespace headscope {

struct VerifyBlock {
    EquivalenceSize size;
};

/// The table that `headscope verify` prints: a line for each check, with its error, what is allowed, and
/// whether it holds, and one that sums it up.
QString equivalenceTable(const EquivalenceSize& size, const std::vector<EquivalenceCheck>& checks);

/// Prints it. False when a check does not hold. Needs a QCoreApplication. Blocks.
bool verifyBlock(const VerifyBlock& request);

}  // namespace headscope
