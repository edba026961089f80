#include "engine/training/session_tensors.h"

#include <cstring>
#include <type_traits>
#include <utility>

#include "engine/formats/input_file.h"
#include "engine/inspection/named_diagnostics.h"
#include "engine/training/experiment_names.h"

namespace headscope {
namespace {

constexpr const char* kMean = "adam.mean.";
constexpr const char* kVariance = "adam.variance.";

using Shape = std::vector<std::size_t>;

/// Calls visit(name, shape, values) for what a frame has besides its step: the one list that writing and
/// reading share. `diagnostics` and `modes` stand for the snapshot's.
template <typename S, typename Floats, typename Ints, typename Visit>
void forEachColumn(S& s, Floats& diagnostics, Ints& modes, const Visit& visit) {
    const auto H = static_cast<std::size_t>(s.experiment.model.n_heads);
    const auto T = static_cast<std::size_t>(s.experiment.model.context_length);
    visit("weights", Shape{H, T, T}, std::span(s.weights));
    visit("scores", Shape{H, T, T}, std::span(s.scores));
    visit("tokens", Shape{T}, std::span(s.tokens));
    visit("predicted", Shape{T}, std::span(s.predicted));
    visit("predicted_probability", Shape{T}, std::span(s.predicted_probability));
    if (s.probe.ripple) visit("ripple", Shape{T}, std::span(s.ripple));
    visit("loss_without", Shape{H}, std::span(s.loss_without));
    visit("diagnostics", Shape{H, kHeadDiagnostics.size()}, std::span(diagnostics));
    visit("modes", Shape{H}, std::span(modes));
    visit("probe_loss", Shape{}, std::span(&s.probe_loss, 1));
    visit("probe_accuracy", Shape{}, std::span(&s.probe_accuracy, 1));
}

template <typename Scalar>
Shape shapeOf(const Tensor<Scalar>& tensor) {
    const auto rows = static_cast<std::size_t>(tensor.rows), cols = static_cast<std::size_t>(tensor.cols);
    return tensor.is_vector ? Shape{cols} : Shape{rows, cols};
}

template <typename T>
constexpr TensorType typeOf() {
    if constexpr (std::is_same_v<T, float>)
        return TensorType::F32;
    else if constexpr (std::is_same_v<T, int>)
        return TensorType::I32;
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return TensorType::I64;
    else
        return TensorType::U64;
}

void requireBelow(const char* what, int value, int end) {
    if (value < 0 || value >= end)
        throw Refusal("%1 is %2: it must be from 0 to %3",
                      {what, std::to_string(value), std::to_string(end - 1)});
}

}  // namespace

std::string framesPrefix(std::size_t stretch) { return "frames." + std::to_string(stretch) + "."; }

void SessionTensors::add(const std::string& prefix, const TrainerState& state) {
    add(prefix, state.parameters);
    add(prefix + kMean, state.mean);
    add(prefix + kVariance, state.variance);
    m_views[prefix + "random.batches"] = viewOf(state.batches, {4});
    m_views[prefix + "random.dropout"] = viewOf(state.dropout, {4});
}

void SessionTensors::add(const std::string& prefix, const Parameters<float>& parameters) {
    parameters.forEach([&](std::string_view name, const Tensor<const float>& tensor) {
        m_views[prefix + std::string(name)] = viewOf(tensor.values(), shapeOf(tensor));
    });
}

void SessionTensors::add(const std::string& prefix, const LossCurve& curve) {
    m_views[prefix + "loss"] = viewOf(curve.loss, {curve.size()});
    m_views[prefix + "accuracy"] = viewOf(curve.accuracy, {curve.size()});
}

void SessionTensors::addSteps(const std::string& prefix, std::vector<std::int64_t> steps) {
    const auto& kept = m_steps.emplace_back(std::move(steps));
    m_views[prefix + "steps_done"] = viewOf(kept, {kept.size()});
}

void SessionTensors::addFrames(const std::string& prefix, const std::vector<const Snapshot*>& frames) {
    std::map<std::string, std::pair<Shape, std::vector<float>*>> floats;
    std::map<std::string, std::pair<Shape, std::vector<int>*>> ints;
    for (const Snapshot* frame : frames) {
        std::vector<float> diagnostics;
        std::vector<int> modes;
        for (const HeadDiagnostics& d : frame->diagnostics)
            for (const NamedDiagnostic& column : kHeadDiagnostics) diagnostics.push_back(d.*column.value);
        for (const HeadMode mode : frame->modes) modes.push_back(static_cast<int>(mode));
        forEachColumn(*frame, diagnostics, modes, [&](const char* name, Shape shape, auto values) {
            const auto append = [&](auto& columns, auto& store) {
                auto [column, fresh] = columns.try_emplace(name);
                if (fresh) {
                    shape.insert(shape.begin(), frames.size());
                    column->second = {std::move(shape), &store.emplace_back()};
                }
                auto& all = *column->second.second;
                all.insert(all.end(), values.begin(), values.end());
            };
            if constexpr (std::is_same_v<typename decltype(values)::value_type, float>)
                append(floats, m_floats);
            else
                append(ints, m_ints);
        });
    }
    for (auto& [name, column] : floats) m_views[prefix + name] = viewOf(*column.second, column.first);
    for (auto& [name, column] : ints) m_views[prefix + name] = viewOf(*column.second, column.first);
}

std::uint64_t SessionTensors::bytes() const {
    std::uint64_t sum = 0;
    for (const auto& [name, view] : m_views) sum += view.bytes.size();
    return sum;
}

const TensorView& SessionTensorReader::get(const std::string& name, TensorType type,
                                           const Shape& shape) const {
    const auto found = m_file.tensors().find(name);
    if (found == m_file.tensors().end()) throw Refusal("there is no tensor %1", {quoted(name)});
    const TensorView& view = found->second;
    const auto text = [](TensorType of, const Shape& shaped) {
        return std::string(nameOf(of)) + " " + textOf(shaped);
    };
    if (view.type != type || view.shape != shape)
        throw Refusal("tensor %1 is %2: it must be %3",
                      {quoted(name), text(view.type, view.shape), text(type, shape)});
    return view;
}

template <typename T>
void SessionTensorReader::read(const std::string& name, const Shape& shape, std::span<T> to) const {
    const TensorView& view = get(name, typeOf<T>(), shape);
    if (!to.empty()) std::memcpy(to.data(), view.bytes.data(), to.size_bytes());
}

void SessionTensorReader::read(const std::string& prefix, Parameters<float>& parameters) const {
    parameters.forEach([&](std::string_view name, const Tensor<float>& tensor) {
        read(prefix + std::string(name), shapeOf(tensor), tensor.values());
    });
}

TrainerState SessionTensorReader::state(const std::string& prefix, const Experiment& experiment,
                                        std::int64_t steps_done, std::vector<HeadMode> modes) const {
    // The largest first, so that no memory is taken that the file does not have.
    const auto V = static_cast<std::size_t>(experiment.model.vocab_size),
               D = static_cast<std::size_t>(experiment.model.d_model);
    get(prefix + "lm_head.weight", TensorType::F32, {V, D});
    get(prefix + "attn.qkv_proj.weight", TensorType::F32, {3 * D, D});
    const Parameters<float> none(experiment.model);
    TrainerState state{experiment, steps_done, {}, {}, std::move(modes), none, none, none};
    read(prefix, state.parameters);
    read(prefix + kMean, state.mean);
    read(prefix + kVariance, state.variance);
    read(prefix + "random.batches", {4}, std::span<std::uint64_t>(state.batches));
    read(prefix + "random.dropout", {4}, std::span<std::uint64_t>(state.dropout));
    return state;
}

LossCurve SessionTensorReader::curve(const std::string& prefix, std::int64_t steps) const {
    const auto size = static_cast<std::size_t>(steps);
    for (const char* name : {"loss", "accuracy"}) get(prefix + name, TensorType::F32, {size});
    LossCurve curve{std::vector<float>(size), std::vector<float>(size)};
    read(prefix + "loss", {size}, std::span(curve.loss));
    read(prefix + "accuracy", {size}, std::span(curve.accuracy));
    return curve;
}

std::vector<std::int64_t> SessionTensorReader::steps(const std::string& prefix) const {
    const std::string name = prefix + "steps_done";
    const auto found = m_file.tensors().find(name);
    const std::size_t size = found == m_file.tensors().end() ? 0 : found->second.size();
    get(name, TensorType::I64, {size});
    std::vector<std::int64_t> steps(size);
    read(name, {size}, std::span(steps));
    return steps;
}

void SessionTensorReader::readFrame(const std::string& prefix, std::size_t i, std::size_t count,
                                    Snapshot& s) const {
    const auto H = static_cast<std::size_t>(s.experiment.model.n_heads);
    const auto T = static_cast<std::size_t>(s.experiment.model.context_length);
    get(prefix + "weights", TensorType::F32, {count, H, T, T});  // before as much memory is taken
    s.weights.resize(H * T * T);
    s.scores.resize(H * T * T);
    s.tokens.resize(T);
    s.predicted.resize(T);
    s.predicted_probability.resize(T);
    s.ripple.resize(s.probe.ripple ? T : 0);
    s.loss_without.resize(H);
    std::vector<float> diagnostics(H * kHeadDiagnostics.size());
    std::vector<int> modes(H);
    forEachColumn(s, diagnostics, modes, [&](const char* name, Shape shape, auto values) {
        shape.insert(shape.begin(), count);
        const TensorView& view = get(prefix + name, typeOf<typename decltype(values)::value_type>(), shape);
        std::memcpy(values.data(), view.bytes.data() + i * values.size_bytes(), values.size_bytes());
    });
    for (auto value = diagnostics.begin(); value != diagnostics.end();) {
        HeadDiagnostics& head = s.diagnostics.emplace_back();
        for (const NamedDiagnostic& column : kHeadDiagnostics) head.*column.value = *value++;
    }
    for (const int mode : modes) {
        requireBelow("a head's mode", mode, static_cast<int>(kHeadModeNames.size()));
        s.modes.push_back(static_cast<HeadMode>(mode));
    }
    for (const int token : s.tokens) requireBelow("a token", token, s.experiment.model.vocab_size);
    for (const int token : s.predicted) requireBelow("a token", token, s.experiment.model.vocab_size);
}

}  // namespace headscope
