#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/formats/safetensors.h"
#include "engine/training/checkpoint.h"
#include "engine/training/run_record.h"

namespace headscope {

// The tensors of a session file. Which there are, and how they are called, is written here once, for writing
// and for reading; sessionFile() tells it whole.

/// What the names of a twin's tensors begin with.
inline constexpr const char* kTwinPrefix = "twin.";

/// What the names of one stretch's frames begin with.
std::string framesPrefix(std::size_t stretch);

/// Names what is to be written and refers to it where it lies: that must live as long, and stay.
class SessionTensors {
public:
    void add(const std::string& prefix, const TrainerState& state);
    void add(const std::string& prefix, const LossCurve& curve);
    /// Of one stretch, at which steps.
    void addSteps(const std::string& prefix, std::vector<std::int64_t> steps);
    /// Of one stretch, whose experiment and probe are the same: one or more.
    void addFrames(const std::string& prefix, const std::vector<const Snapshot*>& frames);

    const std::map<std::string, TensorView>& views() const { return m_views; }
    std::uint64_t bytes() const;

private:
    void add(const std::string& prefix, const Parameters<float>& parameters);

    std::map<std::string, TensorView> m_views;
    // Of what lies nowhere else in one piece.
    std::deque<std::vector<float>> m_floats;
    std::deque<std::vector<int>> m_ints;
    std::deque<std::vector<std::int64_t>> m_steps;
};

/// Reads them back. All throw Refusal for a tensor that is missing, or not of the type and the shape that it
/// must have; none takes memory that the file does not have.
class SessionTensorReader {
public:
    /// `file` must live as long.
    explicit SessionTensorReader(const Safetensors& file) : m_file(file) {}

    TrainerState state(const std::string& prefix, const Experiment& experiment, std::int64_t steps_done,
                       std::vector<HeadMode> modes) const;
    LossCurve curve(const std::string& prefix, std::int64_t steps) const;
    /// Of one stretch, as many as the file has.
    std::vector<std::int64_t> steps(const std::string& prefix) const;
    /// Frame `i` of a stretch of `count`; what tells the snapshot's shape is there already: its experiment
    /// and its probe. Throws Refusal for a token or a mode that is none, too.
    void readFrame(const std::string& prefix, std::size_t i, std::size_t count, Snapshot& snapshot) const;

private:
    const TensorView& get(const std::string& name, TensorType type,
                          const std::vector<std::size_t>& shape) const;
    template <typename T>
    void read(const std::string& name, const std::vector<std::size_t>& shape, std::span<T> to) const;
    void read(const std::string& prefix, Parameters<float>& parameters) const;

    const Safetensors& m_file;
};

}  // namespace headscope
