#include "engine/training/sweep.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "engine/training/experiment_names.h"
#include "engine/training/trainer.h"

namespace headscope {
namespace {

constexpr std::array kOutcomeNames = {
    Named<SweepOutcome>{SweepOutcome::Learned, "learned"},
    Named<SweepOutcome>{SweepOutcome::Never, "never"},
    Named<SweepOutcome>{SweepOutcome::Diverged, "diverged"},
};

constexpr std::array kOnOff = {Named<bool>{true, "on"}, Named<bool>{false, "off"}};

template <typename Value>
void requireDistinct(const char* name, const std::vector<Value>& values) {
    if (values.empty()) throw Refusal("a sweep needs at least one of %1", {name});
    if (std::set<Value>(values.begin(), values.end()).size() != values.size())
        throw Refusal("a sweep has one of %1 twice", {name});
}

/// The shortest text that reads back as the same number.
template <typename Number>
std::string text(Number value) {
    std::array<char, 32> digits;
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

template <typename Number>
bool read(std::string_view cell, Number& value) {
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return error == std::errc{} && end == cell.data() + cell.size();
}

template <typename Names, typename Value>
bool choose(const Names& names, std::string_view cell, Value& value) {
    const auto found = valueOf(names, cell);
    if (found) value = *found;
    return found.has_value();
}

}  // namespace

void requireValid(const Sweep& sweep) {
    requireDistinct("heads", sweep.heads);
    requireDistinct("scaling", sweep.scaling);
    requireDistinct("seeds", sweep.seeds);
    if (!(std::isfinite(sweep.threshold) && sweep.threshold > 0))
        throw Refusal("threshold %1 is not a positive finite number", {text(sweep.threshold)});
    Experiment run = sweep.base;
    for (const int n_heads : sweep.heads) {
        run.model.n_heads = n_heads;
        requireValid(run);
    }
}

void requireValid(const Shard& shard) {
    if (shard.index < 1 || shard.index > shard.count)
        throw Refusal("part %1/%2 cannot be: parts are counted from 1/%2 to %2/%2",
                      {text(shard.index), text(shard.count)});
}

int mostAtOnce(const Sweep& sweep) {
    double largest = 0;
    Experiment run = sweep.base;
    for (const int n_heads : sweep.heads) {
        run.model.n_heads = n_heads;
        largest = std::max(largest, gigabytesToTrain(run));
    }
    constexpr double kMostRuns = std::numeric_limits<int>::max();
    return static_cast<int>(std::clamp(kMaxGigabytes / largest, 1.0, kMostRuns));
}

std::vector<Experiment> runsOf(const Sweep& sweep) {
    std::vector<Experiment> runs;
    Experiment run = sweep.base;
    for (const int n_heads : sweep.heads)
        for (const bool scale_scores : sweep.scaling)
            for (const std::uint64_t seed : sweep.seeds) {
                run.model.n_heads = n_heads;
                run.model.scale_scores = scale_scores;
                run.seed = seed;
                runs.push_back(run);
            }
    return runs;
}

std::vector<Experiment> runsOf(const Sweep& sweep, const Shard& shard) {
    const std::vector<Experiment> all = runsOf(sweep);
    std::vector<Experiment> part;
    for (std::size_t i = std::size_t(shard.index - 1); i < all.size(); i += std::size_t(shard.count))
        part.push_back(all[i]);
    return part;
}

bool isRowOf(const SweepRow& row, const Experiment& run) {
    return row.n_heads == run.model.n_heads && row.d_head == run.model.d_head() &&
           row.scale_scores == run.model.scale_scores && row.seed == run.seed;
}

std::optional<SweepRow> sweepRun(const Experiment& run, double threshold,
                                 const std::function<bool()>& stopped) {
    Trainer trainer(run);
    SweepRow row{run.model.n_heads, run.model.d_head(), run.model.scale_scores, run.seed};
    row.least_loss = std::numeric_limits<double>::infinity();
    double average = 0;
    while (row.step < run.steps) {
        if (stopped && stopped()) return std::nullopt;
        const double loss = double(trainer.step().loss);
        if (!std::isfinite(loss)) {
            row.outcome = SweepOutcome::Diverged;
            return row;
        }
        average = row.step == 0 ? loss : kSweepSmoothing * average + (1 - kSweepSmoothing) * loss;
        row.least_loss = std::min(row.least_loss, average);
        if (average < threshold) {
            row.outcome = SweepOutcome::Learned;
            return row;
        }
        ++row.step;
    }
    return row;
}

std::string_view sweepCsvHead() { return "n_heads,d_head,scaling,seed,outcome,step,least_loss\n"; }

std::string toCsvLine(const SweepRow& row) {
    std::string line = text(row.n_heads) + ',' + text(row.d_head) + ',';
    line.append(nameOf(kOnOff, row.scale_scores)) += ',' + text(row.seed) + ',';
    line.append(nameOf(kOutcomeNames, row.outcome)) += ',' + text(row.step) + ',' + text(row.least_loss);
    return line + '\n';
}

std::optional<SweepRow> fromCsvLine(std::string_view line) {
    std::vector<std::string_view> cells;
    for (std::size_t comma = line.find(','); comma != line.npos; comma = line.find(',')) {
        cells.push_back(line.substr(0, comma));
        line.remove_prefix(comma + 1);
    }
    cells.push_back(line);
    SweepRow row;
    const bool good = cells.size() == 7 && read(cells[0], row.n_heads) && read(cells[1], row.d_head) &&
                      choose(kOnOff, cells[2], row.scale_scores) && read(cells[3], row.seed) &&
                      choose(kOutcomeNames, cells[4], row.outcome) && read(cells[5], row.step) &&
                      read(cells[6], row.least_loss);
    return good ? std::optional(row) : std::nullopt;
}

std::vector<SweepRow> inOrder(std::span<const SweepRow> rows, std::span<const Experiment> runs) {
    std::vector<SweepRow> ordered;
    for (const Experiment& run : runs) {
        const auto row =
            std::find_if(rows.begin(), rows.end(), [&](const SweepRow& r) { return isRowOf(r, run); });
        if (row != rows.end()) ordered.push_back(*row);
    }
    return ordered;
}

}  // namespace headscope
