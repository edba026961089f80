#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/training/experiment.h"

namespace headscope {

/// Many runs that differ in head count, scaling and seed only: how long does each take to learn?
struct Sweep {
    Experiment base;  ///< of which every run takes the rest
    std::vector<int> heads = {1, 2, 4, 8, 16};
    std::vector<bool> scaling = {true, false};
    std::vector<std::uint64_t> seeds = {1, 2, 3, 4, 5};
    /// A run has learned at the first step at which the moving average of its loss (kSweepSmoothing of the
    /// old, the rest of the new, from the first loss on) is below this, in nats; positive and finite.
    double threshold = 1.0;

    bool operator==(const Sweep&) const = default;
};

inline constexpr double kSweepSmoothing = 0.9;

/// Throws Refusal for an empty list, one with the same value twice, a threshold that cannot be, or a run that
/// cannot.
void requireValid(const Sweep& sweep);

/// How many of its runs can be made at once without taking more memory than kMaxGigabytes: 1 or more.
int mostAtOnce(const Sweep& sweep);

/// Its runs: all seeds of the first scaling of the first head count, then on. The order of every table.
std::vector<Experiment> runsOf(const Sweep& sweep);

/// Part `index` (from 1) of `count` parts: the runs number index − 1, index − 1 + count, … of runsOf(), so
/// that quick and slow ones spread.
struct Shard {
    int index = 1;
    int count = 1;
    bool operator==(const Shard&) const = default;
};

/// Throws Refusal unless 1 ≤ index ≤ count.
void requireValid(const Shard& shard);

std::vector<Experiment> runsOf(const Sweep& sweep, const Shard& shard);

enum class SweepOutcome {
    Learned,
    Never,  ///< not within the experiment's steps
    Diverged
};

/// What came of one run.
struct SweepRow {
    int n_heads = 1;
    int d_head = 1;
    bool scale_scores = true;
    std::uint64_t seed = 1;
    SweepOutcome outcome = SweepOutcome::Never;
    int step = 0;           ///< at which it had learned or diverged, from 0; else how many were made
    double least_loss = 0;  ///< of the moving average; of a run that diverged at once, infinite

    bool operator==(const SweepRow&) const = default;
};

bool isRowOf(const SweepRow& row, const Experiment& run);

/// Trains until it has learned, its steps are over, or `stopped`, which is asked at every step, says so: then
/// nothing came of it. Blocks. Throws what Trainer throws.
std::optional<SweepRow> sweepRun(const Experiment& run, double threshold,
                                 const std::function<bool()>& stopped = {});

/// The table's head and a row's line, each with its newline: the same bytes for the same values, whatever the
/// locale.
std::string_view sweepCsvHead();
std::string toCsvLine(const SweepRow& row);

/// The row of a line without its newline; none where toCsvLine() did not write it.
std::optional<SweepRow> fromCsvLine(std::string_view line);

/// The rows of `runs` that there are, in the order of `runs`; rows of no such run are left out.
std::vector<SweepRow> inOrder(std::span<const SweepRow> rows, std::span<const Experiment> runs);

}  // namespace headscope
