#include "engine/training/session_file.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <span>
#include <type_traits>
#include <utility>

#include "engine/formats/file_kind.h"
#include "engine/formats/input_file.h"
#include "engine/formats/safetensors.h"
#include "engine/training/session_description.h"

namespace headscope {
namespace {

constexpr const char* kVersion = "1";
constexpr const char* kVersionKey = "headscope_session";
constexpr const char* kMean = "adam.mean.";
constexpr const char* kVariance = "adam.variance.";
constexpr const char* kTwin = "twin.";

constexpr float HeadDiagnostics::*kDiagnostics[] = {
    &HeadDiagnostics::score_std,      &HeadDiagnostics::row_entropy, &HeadDiagnostics::uniform_entropy,
    &HeadDiagnostics::jacobian_trace, &HeadDiagnostics::uniformity,  &HeadDiagnostics::grad_norm_q,
    &HeadDiagnostics::grad_norm_k};
static_assert(sizeof(HeadDiagnostics) == std::size(kDiagnostics) * sizeof(float), "each is listed");

using Shape = std::vector<std::size_t>;

std::string framesPrefix(std::size_t stretch) { return "frames." + std::to_string(stretch) + "."; }

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
    visit("diagnostics", Shape{H, std::size(kDiagnostics)}, std::span(diagnostics));
    visit("modes", Shape{H}, std::span(modes));
    visit("probe_loss", Shape{}, std::span(&s.probe_loss, 1));
    visit("probe_accuracy", Shape{}, std::span(&s.probe_accuracy, 1));
}

// Writing.

class Tensors {
public:
    template <typename T>
    void refer(const std::string& name, std::span<const T> values, Shape shape) {
        m_views[name] = viewOf(values, std::move(shape));
    }
    void refer(const std::string& prefix, const Parameters<float>& parameters) {
        parameters.forEach([&](std::string_view name, const Tensor<const float>& tensor) {
            const auto rows = static_cast<std::size_t>(tensor.rows),
                       cols = static_cast<std::size_t>(tensor.cols);
            refer(prefix + std::string(name), tensor.values(),
                  tensor.is_vector ? Shape{cols} : Shape{rows, cols});
        });
    }
    void add(const std::string& prefix, const TrainerState& state) {
        refer(prefix, state.parameters);
        refer(prefix + kMean, state.mean);
        refer(prefix + kVariance, state.variance);
        refer(prefix + "random.batches", std::span<const std::uint64_t>(state.batches), {4});
        refer(prefix + "random.dropout", std::span<const std::uint64_t>(state.dropout), {4});
    }
    void add(const std::string& prefix, const LossCurve& curve) {
        refer(prefix + "loss", std::span(curve.loss), {curve.size()});
        refer(prefix + "accuracy", std::span(curve.accuracy), {curve.size()});
    }
    /// One stretch of frames.
    template <typename SnapshotOf>
    void add(const std::string& prefix, std::span<const Frame> frames, const SnapshotOf& snapshotOf) {
        std::map<std::string, std::pair<Shape, std::vector<float>*>> floats;
        std::map<std::string, std::pair<Shape, std::vector<int>*>> ints;
        for (const Frame& frame : frames) {
            const Snapshot& s = snapshotOf(frame);
            std::vector<float> diagnostics;
            std::vector<int> modes;
            for (const HeadDiagnostics& d : s.diagnostics)
                for (const auto member : kDiagnostics) diagnostics.push_back(d.*member);
            for (const HeadMode mode : s.modes) modes.push_back(static_cast<int>(mode));
            forEachColumn(s, diagnostics, modes, [&](const char* name, Shape shape, auto values) {
                const auto append = [&](auto& columns, auto& store) {
                    auto [column, fresh] = columns.try_emplace(name);
                    if (fresh) {
                        shape.insert(shape.begin(), frames.size());
                        column->second = {std::move(shape), &store.emplace_back()};
                    }
                    column->second.second->insert(column->second.second->end(), values.begin(), values.end());
                };
                if constexpr (std::is_same_v<std::remove_cv_t<typename decltype(values)::element_type>,
                                             float>)
                    append(floats, m_floats);
                else
                    append(ints, m_ints);
            });
        }
        for (auto& [name, column] : floats)
            refer(prefix + name, std::span<const float>(*column.second), column.first);
        for (auto& [name, column] : ints)
            refer(prefix + name, std::span<const std::int32_t>(*column.second), column.first);
    }
    void add(const std::string& name, std::vector<std::int64_t> values) {
        m_steps.push_back(std::move(values));
        refer(name, std::span<const std::int64_t>(m_steps.back()), {m_steps.back().size()});
    }

    const std::map<std::string, TensorView>& views() const { return m_views; }
    std::uint64_t bytes() const {
        std::uint64_t sum = 0;
        for (const auto& [name, view] : m_views) sum += view.bytes.size();
        return sum;
    }

private:
    std::map<std::string, TensorView> m_views;
    // Of what lies nowhere else in one piece.
    std::deque<std::vector<float>> m_floats;
    std::deque<std::vector<int>> m_ints;
    std::deque<std::vector<std::int64_t>> m_steps;
};

/// The frames in stretches of one experiment and one probe.
std::vector<std::span<const Frame>> stretchesOf(const std::vector<Frame>& frames) {
    std::vector<std::span<const Frame>> stretches;
    for (std::size_t from = 0; from < frames.size();) {
        const Snapshot& first = *frames[from].snapshot;
        std::size_t to = from + 1;
        while (to < frames.size() && frames[to].snapshot->experiment == first.experiment &&
               frames[to].snapshot->probe == first.probe)
            ++to;
        stretches.push_back(std::span(frames).subspan(from, to - from));
        from = to;
    }
    return stretches;
}

// Reading.

class TensorReader {
public:
    explicit TensorReader(const Safetensors& file) : m_file(file) {}

    const TensorView& get(const std::string& name, TensorType type, const Shape& shape) const {
        const auto found = m_file.tensors().find(name);
        if (found == m_file.tensors().end()) throw Refusal("there is no tensor %1", {quoted(name)});
        const TensorView& view = found->second;
        if (view.type != type || view.shape != shape)
            throw Refusal("tensor %1 is %2: it must be %3",
                          {quoted(name), text(view.type, view.shape), text(type, shape)});
        return view;
    }

    template <typename T>
    void read(const std::string& name, const Shape& shape, std::span<T> to) const {
        const TensorView& view = get(name, typeOf<T>(), shape);
        std::memcpy(to.data(), view.bytes.data(), to.size_bytes());
    }

    /// Part `i` along the first axis, of `parts`.
    template <typename T>
    void readPart(const std::string& name, Shape shape, std::size_t i, std::size_t parts,
                  std::span<T> to) const {
        shape.insert(shape.begin(), parts);
        const TensorView& view = get(name, typeOf<T>(), shape);
        std::memcpy(to.data(), view.bytes.data() + i * to.size_bytes(), to.size_bytes());
    }

    /// A list as long as the file has it.
    std::vector<std::int64_t> list(const std::string& name) const {
        const auto found = m_file.tensors().find(name);
        const std::size_t size = found == m_file.tensors().end() ? 0 : found->second.size();
        const TensorView& view = get(name, TensorType::I64, {size});
        std::vector<std::int64_t> values(size);
        if (size) std::memcpy(values.data(), view.bytes.data(), view.bytes.size());
        return values;
    }

    void read(const std::string& prefix, Parameters<float>& parameters) const {
        parameters.forEach([&](std::string_view name, const Tensor<float>& tensor) {
            const auto rows = static_cast<std::size_t>(tensor.rows),
                       cols = static_cast<std::size_t>(tensor.cols);
            read(prefix + std::string(name), tensor.is_vector ? Shape{cols} : Shape{rows, cols},
                 tensor.values());
        });
    }

    TrainerState state(const std::string& prefix, const Experiment& experiment, std::int64_t steps_done,
                       std::vector<HeadMode> modes) const {
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

    LossCurve curve(const std::string& prefix, std::int64_t steps) const {
        const auto size = static_cast<std::size_t>(steps);
        for (const char* name : {"loss", "accuracy"}) get(prefix + name, TensorType::F32, {size});
        LossCurve curve{std::vector<float>(size), std::vector<float>(size)};
        if (size == 0) return curve;
        read(prefix + "loss", {size}, std::span(curve.loss));
        read(prefix + "accuracy", {size}, std::span(curve.accuracy));
        return curve;
    }

    /// Frame `i` of a stretch of `count`, at `prefix`; what tells the snapshot's shape is there already.
    void read(const std::string& prefix, std::size_t i, std::size_t count, Snapshot& s) const {
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
        std::vector<float> diagnostics(H * std::size(kDiagnostics));
        std::vector<int> modes(H);
        forEachColumn(s, diagnostics, modes, [&](const char* name, const Shape& shape, auto values) {
            readPart(prefix + name, shape, i, count, values);
        });
        for (std::size_t h = 0; h < H; ++h) {
            s.diagnostics.emplace_back();
            for (std::size_t m = 0; m < std::size(kDiagnostics); ++m)
                s.diagnostics.back().*kDiagnostics[m] = diagnostics[h * std::size(kDiagnostics) + m];
        }
        for (const int mode : modes) {
            requireBelow("a head's mode", mode, 4);
            s.modes.push_back(static_cast<HeadMode>(mode));
        }
        for (const int token : s.tokens) requireBelow("a token", token, s.experiment.model.vocab_size);
        for (const int token : s.predicted) requireBelow("a token", token, s.experiment.model.vocab_size);
    }

private:
    template <typename T>
    static constexpr TensorType typeOf() {
        if constexpr (std::is_same_v<T, float>)
            return TensorType::F32;
        else if constexpr (std::is_same_v<T, int>)
            return TensorType::I32;
        else
            return TensorType::U64;
    }

    static std::string text(TensorType type, const Shape& shape) {
        std::string text = std::string(nameOf(type)) + " (";
        for (std::size_t i = 0; i < shape.size(); ++i) text += (i ? ", " : "") + std::to_string(shape[i]);
        return text + ")";
    }

    static void requireBelow(const char* what, int value, int end) {
        if (value < 0 || value >= end)
            throw Refusal("%1 is %2: it must be from 0 to %3",
                          {what, std::to_string(value), std::to_string(end - 1)});
    }

    const Safetensors& m_file;
};

void readFrames(const TensorReader& tensors, const SessionDescription& told, RunRecord& record) {
    std::int64_t next = 0;
    for (std::size_t k = 0; k < told.stretches.size(); ++k) {
        const std::string prefix = framesPrefix(k);
        const std::vector<std::int64_t> steps = tensors.list(prefix + "steps_done");
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps[i] < next || steps[i] > told.steps_done)
                throw Refusal("a frame of step %1 is not where it can be", {std::to_string(steps[i])});
            next = steps[i] + 1;
            const auto frame = [&](const std::string& of, const Experiment& experiment) {
                auto snapshot = std::make_shared<Snapshot>();
                snapshot->steps_done = steps[i];
                snapshot->experiment = experiment;
                snapshot->probe = told.stretches[k].probe;
                tensors.read(of, i, steps.size(), *snapshot);
                return std::shared_ptr<const Snapshot>(std::move(snapshot));
            };
            record.recorder.add(frame(prefix, told.stretches[k].experiment),
                                told.twin ? frame(kTwin + prefix, *told.twin) : nullptr);
        }
    }
}

StoredSession sessionOf(const Safetensors& file) {
    const SessionDescription told = readDescription(file.metadata());
    const TensorReader tensors(file);
    StoredSession session{
        {tensors.state("", told.experiment, told.first_steps_done, told.modes), std::nullopt, told.diverged},
        RunRecord(),
        {}};
    if (told.twin)
        session.checkpoint.twin = tensors.state(kTwin, *told.twin, told.twin_steps_done, told.twin_modes);
    requireValid(session.checkpoint);
    if (stepsDone(session.checkpoint) != told.steps_done)
        throw Refusal("its curves have %1 steps and its run has made %2",
                      {std::to_string(told.steps_done), std::to_string(stepsDone(session.checkpoint))});
    RunRecord& record = session.record;
    record.began = told.began;
    record.experiment = told.experiment;
    record.twin = told.twin;
    record.changes = told.changes;
    record.curve = tensors.curve("", told.steps_done);
    if (told.twin) record.twin_curve = tensors.curve(kTwin, told.steps_done);
    readFrames(tensors, told, record);
    const auto panel = file.metadata().find("panel");
    if (panel != file.metadata().end()) session.panel = panel->second;
    return session;
}

}  // namespace

void setSteps(StoredSession& session, int steps) {
    Experiment planned = session.checkpoint.first.experiment;
    planned.steps = steps;
    requireValid(planned);
    const std::int64_t done = stepsDone(session.checkpoint);
    if (done > steps)
        throw Refusal("a run of %1 steps cannot have made %2", {std::to_string(steps), std::to_string(done)});
    session.checkpoint.first.experiment.steps = steps;
    if (session.checkpoint.twin) session.checkpoint.twin->experiment.steps = steps;
    RunRecord& record = session.record;
    record.began.steps = record.experiment.steps = steps;
    if (record.twin) record.twin->steps = steps;
    for (RunChange& change : record.changes)
        if (auto* experiment = std::get_if<Experiment>(&change.what)) experiment->steps = steps;
    Recorder frames(record.recorder.budget());
    const auto with = [&](const std::shared_ptr<const Snapshot>& snapshot) {
        auto copy = std::make_shared<Snapshot>(*snapshot);
        copy->experiment.steps = steps;
        return copy;
    };
    for (const Frame& frame : record.recorder.frames())
        frames.add(with(frame.snapshot), frame.twin ? with(frame.twin) : nullptr);
    record.recorder = std::move(frames);
}

std::string sessionFile(const StoredSession& session) {
    const Checkpoint& checkpoint = session.checkpoint;
    const RunRecord& record = session.record;
    const auto stretches = stretchesOf(record.recorder.frames());
    SessionDescription told;
    told.experiment = checkpoint.first.experiment;
    told.began = record.began;
    told.steps_done = stepsDone(checkpoint);
    told.first_steps_done = checkpoint.first.steps_done;
    told.modes = checkpoint.first.modes;
    told.diverged = checkpoint.diverged;
    told.changes = record.changes;

    Tensors tensors;
    tensors.add("", checkpoint.first);
    tensors.add("", record.curve);
    if (checkpoint.twin) {
        told.twin = checkpoint.twin->experiment;
        told.twin_steps_done = checkpoint.twin->steps_done;
        told.twin_modes = checkpoint.twin->modes;
        tensors.add(kTwin, *checkpoint.twin);
        tensors.add(kTwin, record.twin_curve);
    }
    for (std::size_t k = 0; k < stretches.size(); ++k) {
        const Snapshot& first = *stretches[k].front().snapshot;
        told.stretches.push_back({first.experiment, first.probe});
        std::vector<std::int64_t> steps;
        for (const Frame& frame : stretches[k]) steps.push_back(frame.snapshot->steps_done);
        tensors.add(framesPrefix(k) + "steps_done", std::move(steps));
        tensors.add(framesPrefix(k), stretches[k],
                    [](const Frame& f) -> const Snapshot& { return *f.snapshot; });
        if (told.twin)
            tensors.add(kTwin + framesPrefix(k), stretches[k],
                        [](const Frame& f) -> const Snapshot& { return *f.twin; });
    }
    std::map<std::string, std::string> metadata = describe(told);
    metadata[kVersionKey] = kVersion;
    metadata["panel"] = session.panel;
    if (tensors.bytes() > kLargestFile / 2)
        throw Refusal("a run of %1 bytes is too large for a session file: at most %2 are written",
                      {std::to_string(tensors.bytes()), std::to_string(kLargestFile / 2)});
    return safetensorsFile(tensors.views(), metadata);
}

StoredSession readSession(const std::filesystem::path& path) {
    return parseSession(readFile(path), path.string());
}

StoredSession parseSession(std::vector<std::byte> bytes, const std::string& name) {
    requireKind(FileKind::Safetensors, bytes, name, "a session file");
    constexpr std::size_t kBrace = 8;  // where every header begins
    if (bytes.size() > kBrace && bytes[kBrace] != std::byte{'{'})
        throw Refusal("%1: this is no session of Headscope", {name});
    const Safetensors file = Safetensors::parse(std::move(bytes), name);
    const auto version = file.metadata().find(kVersionKey);
    if (version == file.metadata().end()) throw Refusal("%1: this is no session of Headscope", {name});
    if (version->second != kVersion)
        throw Refusal("%1: this session is of version %2: only version %3 can be read",
                      {name, quoted(version->second), kVersion});
    try {
        return sessionOf(file);
    } catch (const Refusal& refusal) {
        throw Refusal("%1: %2", {name, refusal.what()});
    }
}

}  // namespace headscope
